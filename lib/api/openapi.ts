/** Generates the OpenAPI 3.1 document of the API from the same schemas that validate requests and responses. */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { Batch, BatchCounts } from '../model/batch.ts';
import { Competitor, CrawlRequest, Device, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { Deliveries } from '../model/deliveries.ts';
import { ListGoogleSerpTask } from '../model/google-list.ts';
import { GoogleSerpTask, GoogleSerpTaskPage } from '../model/google-serp-task.ts';
import { ValidationError } from '../model/http-error.ts';
import { idempotencyHeader, idempotencyPattern } from '../model/idempotency.ts';
import { Location } from '../model/place.ts';
import { RawResult, ResultItem, TrackingResult } from '../model/result.ts';
import { CrawlHTML, ListSerpTask, SerpTask } from '../model/serp-task.ts';
import { PageStatus, TaskStatus } from '../model/task-status.ts';
import { examples } from './examples.ts';
import type { Route } from './route.ts';
import { type Operation, routes, version } from './routes.ts';

const HTTPValidationError = v.object({ detail: v.array(ValidationError) });
const Failure = v.object({ detail: v.string() });

const definitions = {
  Batch,
  BatchCounts,
  Deliveries,
  Competitor,
  CrawlHTML,
  CrawlRequest,
  Device,
  Failure,
  GoogleCrawlRequest,
  GoogleSerpTask,
  GoogleSerpTaskPage,
  HTTPValidationError,
  ListGoogleSerpTask,
  ListSerpTask,
  Location,
  PageStatus,
  RawResult,
  ResultItem,
  SerpTask,
  TaskStatus,
  TrackingResult,
  ValidationError,
};

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  // JSON Schema cannot express coercion and custom checks. The 422 response reports their errors.
  errorMode: 'ignore',
  definitions,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) =>
    'requirement' in valibotAction &&
    valibotAction.type === 'max_code_points' &&
    typeof valibotAction.requirement === 'number'
      ? { ...jsonSchema, maxLength: valibotAction.requirement }
      : undefined,
};

const schemaOf = (schema: v.GenericSchema) => {
  const { $schema: _dialect, $defs: _definitions, ...rest } = toJsonSchema(schema, conversion);
  return rest;
};

const failures = {
  400: 'The body is not valid JSON, or the batch is empty',
  401: 'The API key is missing, malformed, unknown, disabled or expired',
  403: 'The user does not have the permission that the operation requires',
  404: 'The resource does not exist, has expired or belongs to another user',
  409: 'A request with the same `Idempotency-Key` is being accepted. Send it again after `Retry-After` seconds',
  413: 'The body is larger than 1 MiB, a task is too large to be stored, or the response would exceed 5 MB for a batch or 6 MB for a task or a page',
  422: 'The path, the query or the body is invalid. The response lists all errors',
  429: 'Too many requests of the user, too many of them that wait for a task, too many pages in the batches of the user, or too many failed keys from the address. Retry after `Retry-After` seconds',
  500: 'Internal server error',
  503: 'The service cannot store the request now. Send it again after `Retry-After` seconds',
};

const failureStatuses = (route: Route): (keyof typeof failures)[] => [
  ...(route.body ? ([400] as const) : []),
  ...(route.auth === 'bearer' ? ([401] as const) : []),
  ...(route.permission ? ([403] as const) : []),
  ...(route.params ? ([404] as const) : []),
  ...(route.creates || route.conflict ? ([409] as const) : []),
  ...(route.body || (route.params && !route.response) ? ([413] as const) : []),
  ...(route.body || route.params || route.query || route.headers ? ([422] as const) : []),
  ...(route.auth === 'bearer' ? ([429] as const) : []),
  500,
  503,
];

const failureResponse = (status: keyof typeof failures, { conflict }: Route) => ({
  description: (status === 409 && conflict) || failures[status],
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status === 422 ? 'HTTPValidationError' : 'Failure'}` },
    },
  },
});

const places = ['path', 'query', 'header'] as const;

const idempotencyKey = {
  name: idempotencyHeader,
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat the request: the same key with the same body within 24 hours returns the same tasks, and creates none twice. ' +
    'Another body with the same key is an error. A key belongs to the user and the path.',
  schema: { type: 'string', pattern: idempotencyPattern.source },
  example: 'order-17',
};

const parameters = (route: Route) => [...valuesOf(route), ...(route.creates ? [idempotencyKey] : [])];

const valuesOf = (route: Route) =>
  ([route.params, route.query, route.headers] as const).flatMap((schema, n) => {
    const { properties = {}, required = [] } = schema ? schemaOf(schema) : {};
    // HTTP defines these headers, so they are no parameters.
    const { accept: _accept, 'accept-encoding': _coding, ...own } = properties;
    return Object.entries(n === 2 ? own : properties).map(([name, property]) => ({
      name,
      in: places[n],
      required: required.includes(name),
      schema: property,
    }));
  });

const media = (schema: v.GenericSchema, example: unknown) => ({
  'application/json': { schema: schemaOf(schema), ...(example !== undefined && { example }) },
});

const success = (route: Route, example: unknown) => {
  const description = route.returns;
  const headers = Object.fromEntries(
    Object.entries(route.replyHeaders ?? {}).map(([name, text]) => [
      name,
      { description: text, schema: { type: 'string' } },
    ]),
  );
  if (!route.response) {
    return {
      200: {
        description,
        ...(route.replyHeaders && { headers }),
        content: {
          ...media(route.reply, example),
          ...Object.fromEntries((route.forms ?? []).map((type) => [type, { schema: { type: 'string' } }])),
        },
      },
    };
  }
  const { status, type } = route.response;
  return {
    [status]: type
      ? { description, content: { [type]: { schema: { type: 'string' } } } }
      : { description, headers: { Location: { schema: { type: 'string', format: 'uri' } } } },
  };
};

const operationId = (operation: string): string =>
  operation.replace(/^.*\//, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const describe = (operation: Operation, route: Route) => ({
  operationId: operationId(operation),
  tags: [operation.split('/', 1)[0]],
  summary: route.summary,
  ...(route.description && { description: route.description }),
  security: route.auth === 'bearer' ? [{ key: [] }, { password: [] }] : [],
  ...((route.params || route.query || route.headers || route.creates) && { parameters: parameters(route) }),
  ...(route.body && {
    requestBody: { required: true, content: media(route.body, examples[operation]?.body) },
  }),
  responses: {
    ...success(route, examples[operation]?.reply),
    ...Object.fromEntries(failureStatuses(route).map((status) => [status, failureResponse(status, route)])),
  },
});

const paths = () => {
  const byPath: Record<string, Record<string, unknown>> = {};
  for (const [operation, route] of Object.entries(routes) as [Operation, Route][]) {
    byPath[route.path] = { ...byPath[route.path], [route.method.toLowerCase()]: describe(operation, route) };
  }
  return byPath;
};

/** The OpenAPI document. `server` is the base URL of the service. */
export const openapi = (server = '/') => ({
  openapi: '3.1.0',
  info: {
    title: 'Search Ranking and Keyword Data Service',
    version,
    description:
      'Search result pages, rankings and keyword data. Send your API key as `Authorization: Bearer <key>`.',
  },
  servers: [{ url: server }],
  paths: paths(),
  components: {
    schemas: toJsonSchemaDefs(definitions, conversion),
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, sent as `Authorization: Bearer <key>`',
      },
      password: { type: 'oauth2', flows: { password: { tokenUrl: 'token', scopes: {} } } },
    },
  },
});
