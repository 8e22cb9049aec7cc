/** Generates the OpenAPI 3.1 document of the API from the same schemas that validate requests and responses. */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { RawResponse, type Route } from '../api/route.ts';
import { type Operation, routes, version } from '../api/routes.ts';
import { AlertPayload } from '../model/alert.ts';
import { AlertDeliveries, AlertList } from '../model/alert-deliveries.ts';
import { Batch, BatchCounts } from '../model/batch.ts';
import {
  anyCodes,
  Competitor,
  CrawlRequest,
  codes,
  Device,
  GoogleCrawlRequest,
  IsoCode,
} from '../model/crawl-request.ts';
import { Deliveries } from '../model/deliveries.ts';
import { V2Payload } from '../model/delivery.ts';
import { defaultEngine } from '../model/engine.ts';
import { ListSearchEngine, SearchEngine } from '../model/engine-configuration.ts';
import { ValidationError } from '../model/http-error.ts';
import { idempotencyHeader, idempotencyPattern } from '../model/idempotency.ts';
import { JsonRpcAnswer, JsonRpcMessage } from '../model/json-rpc.ts';
import { KeywordDataSV, KeywordIdeaMetric } from '../model/keyword-metrics.ts';
import { KeywordDataTaskRequest, LocationCode } from '../model/keyword-request.ts';
import {
  AggregateMetricResults,
  IdeasTask,
  KeywordDataTask,
  KeywordStatus,
  KeywordSuggestionItem,
  ListKeywordDataTask,
} from '../model/keyword-task.ts';
import {
  ManagedKeyword,
  ManagedKeywordList,
  TrackedHistory,
  TrackedHistoryItem,
  TrackingGap,
  Visibility,
} from '../model/managed-keyword.ts';
import {
  ManagedUser,
  ManagedUserList,
  RotatedKey,
  RotatedSecret,
  UserChange,
} from '../model/managed-user.ts';
import { Location, LocationList } from '../model/place.ts';
import {
  AddedKeywords,
  AlertRule,
  AlertRuleRequest,
  KeywordChange,
  KeywordRequest,
  ManagedProject,
  ManagedProjectList,
  ProjectChange,
  ProjectCost,
  ProjectRequest,
} from '../model/project.ts';
import {
  CursorMeta,
  HistoryGap,
  HistoryItem,
  HistoryList,
  HistoryMeta,
  ListLinks,
  ProjectStats,
  ReportKeyword,
  ReportKeywordDetail,
  ReportKeywordList,
  ReportKeywordReply,
  ReportProject,
  ReportProjectDetail,
  ReportProjectList,
  ReportProjectReply,
  TrackingStatus,
} from '../model/report.ts';
import { RawResult, ResultItem, TrackingResult } from '../model/result.ts';
import { Health, ServiceStatus } from '../model/service-status.ts';
import { SuggestRequest } from '../model/suggest.ts';
import { PageStatus, TaskStatus } from '../model/task-status.ts';
import { Token, TokenRequest } from '../model/token.ts';
import { Usage } from '../model/usage.ts';
import { CreateApiKey, User, WebhookSecret } from '../model/user.ts';
import { CrawlHTML, V1Task, V1TaskList } from '../model/v1-task.ts';
import { V2Task, V2TaskPage } from '../model/v2-task.ts';
import { V2TaskList } from '../model/v2-task-list.ts';
import {
  describeParameter,
  describeSchema,
  describeSchemas,
  type JsonSchema,
  requireDefaults,
  requireNothing,
  withoutDefaults,
} from './describe-schema.ts';
import { examples } from './examples.ts';
import { webhooks } from './webhooks.ts';

const HTTPValidationError = v.object({ detail: v.array(ValidationError) });
const Failure = v.object({ detail: v.string() });

const definitions = {
  AddedKeywords,
  AlertDeliveries,
  AlertList,
  AlertRule,
  AlertRuleRequest,
  AggregateMetricResults,
  Batch,
  BatchCounts,
  Deliveries,
  Competitor,
  CountryCode: IsoCode,
  CrawlHTML,
  CrawlRequest,
  CreateApiKey,
  CursorMeta,
  Device,
  EngineDomain: anyCodes.Domain,
  Failure,
  GoogleCrawlRequest,
  GoogleDomain: codes[defaultEngine].Domain,
  GoogleLanguageCode: codes[defaultEngine].Language,
  GoogleSerpTask: V2Task,
  GoogleSerpTaskPage: V2TaskPage,
  HTTPValidationError,
  Health,
  HistoryGap,
  HistoryItem,
  HistoryList,
  HistoryMeta,
  IdeasTask,
  JsonRpcAnswer,
  JsonRpcMessage,
  KeywordChange,
  KeywordDataSV,
  KeywordDataTask,
  KeywordDataTaskRequest,
  KeywordIdeaMetric,
  KeywordRequest,
  KeywordStatus,
  KeywordSuggestionItem,
  LanguageCode: anyCodes.Language,
  ListKeywordDataTask,
  ListSerpTask: V1TaskList,
  ListSearchEngine,
  ListGoogleSerpTask: V2TaskList,
  ListLinks,
  Location,
  LocationCode,
  LocationList,
  ManagedKeyword,
  ManagedKeywordList,
  ManagedProject,
  ManagedProjectList,
  ManagedUser,
  ManagedUserList,
  PageStatus,
  ProjectChange,
  ProjectCost,
  ProjectRequest,
  ProjectStats,
  RawResult,
  ReportKeyword,
  ReportKeywordDetail,
  ReportKeywordList,
  ReportKeywordReply,
  ReportProject,
  ReportProjectDetail,
  ReportProjectList,
  ReportProjectReply,
  ResultItem,
  RotatedKey,
  RotatedSecret,
  SearchEngine,
  AlertPayload,
  SerpPayload: V2Payload,
  SerpTask: V1Task,
  ServiceStatus,
  SuggestRequest,
  TaskStatus,
  Token,
  TokenRequest,
  TrackedHistory,
  TrackedHistoryItem,
  TrackingGap,
  TrackingResult,
  TrackingStatus,
  Usage,
  User,
  UserChange,
  ValidationError,
  Visibility,
  WebhookSecret,
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
  return { ...rest, ...describeSchema([], rest) } as typeof rest;
};

export const failures = {
  400: 'The body is not valid JSON, or the batch is empty',
  401: 'The API key is missing, malformed, unknown, disabled or expired',
  403: 'The user does not have the permission that the operation requires',
  404: 'The resource does not exist, has expired or belongs to another user',
  409: 'The request conflicts with the present state, or a request with the same `Idempotency-Key` is being accepted. `detail` says which. Nothing was changed',
  413: 'The body is larger than 1 MiB (4 MiB for a list of tracked keywords), a task is too large to be stored, or the response would exceed 5 MB for a batch or 6 MB for a task or a page',
  422: 'The path, the query or the body is invalid. The response lists all errors',
  429: 'Too many requests of the user, too many of them that wait for a task, too many pages in the batches of the user, or too many failed keys from the address. Retry after `Retry-After` seconds',
  500: 'Internal server error',
  502: 'The source gave no data. `detail` says why',
  503: 'The service cannot store the request, or its source takes no more calls now. Send it again after `Retry-After` seconds',
};

const failureStatuses = (route: Route): (keyof typeof failures)[] => [
  ...(route.failures ?? []),
  ...(route.body && !route.isForm ? ([400] as const) : []),
  ...(route.auth === 'bearer' ? ([401] as const) : []),
  ...(route.permission ? ([403] as const) : []),
  ...(route.params ? ([404] as const) : []),
  ...(route.creates || route.conflict ? ([409] as const) : []),
  ...(route.body || (route.params && !route.response) ? ([413] as const) : []),
  ...(route.body || route.params || route.query || route.headers ? ([422] as const) : []),
  429,
  500,
  ...(route.asksSource ? ([502] as const) : []),
  503,
];

const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', examples: [example] },
});

/** The headers that many responses have. */
const headers = {
  'Retry-After': { ...integerHeader('Seconds until the request may be sent again', 12), required: true },
  'RateLimit-Limit': integerHeader('Requests that the user may send in a minute', 2000),
  'RateLimit-Remaining': integerHeader('Requests that are left in this minute', 1999),
  'RateLimit-Reset': integerHeader('Seconds until the next minute begins', 42),
};

const referencesTo = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const retryAfter = referencesTo('Retry-After');

/**
 * The limit of requests per minute (Reading 26), on every response to a counted request. A user without a limit gets none of these headers, nor
 * does a request that is refused before it is counted.
 */
const rateHeaders = referencesTo('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');

/** An example of `detail` for each status. */
export const details: Record<keyof typeof failures, unknown> = {
  400: 'The body is not valid JSON',
  401: 'Could not validate credentials',
  403: 'This needs the permission admin',
  404: 'Task not found',
  409: 'The user was changed at the same time',
  413: 'The body is larger than 1 MiB',
  422: [{ loc: ['body', 'keyword'], msg: 'Field required', type: 'missing' }],
  429: 'Too many requests: wait for the next minute',
  500: 'Internal Server Error',
  502: 'The source sent an answer that the service cannot read',
  503: 'The service cannot answer now: send the request again',
};

/** The statuses of failures that are found before the request is counted, or that the handler does not foresee. */
const uncounted: readonly number[] = [401, 403, 500];

const failureHeaders = (status: number, { auth }: Route): { headers?: Record<string, unknown> } => {
  const headers = {
    ...((status === 429 || status === 503) && retryAfter),
    ...((status === 429 || (auth === 'bearer' && !uncounted.includes(status))) && rateHeaders),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
};

const failureResponse = (status: keyof typeof failures, route: Route) => ({
  description: (status === 409 && route.conflict) || failures[status],
  ...failureHeaders(status, route),
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status === 422 ? 'HTTPValidationError' : 'Failure'}` },
      example: { detail: details[status] },
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
      ...describeParameter(places[n] ?? 'query', name, property as JsonSchema),
      required: required.includes(name),
    }));
  });

const media = (schema: JsonSchema, example: unknown, type = 'application/json') => ({
  [type]: { schema, ...(example !== undefined && { example }) },
});

/** Bodies that are not JSON. */
const texts = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

/** The schema of a body. A list without items is refused (400). */
const bodySchema = (schema: v.GenericSchema): JsonSchema => {
  const body: JsonSchema = withoutDefaults(schemaOf(schema));
  return body.type === 'array' ? { ...body, minItems: 1 } : body;
};

/** The name of the schema that a reference names; empty if it is none. */
const nameIn = ({ $ref = '' }: JsonSchema): string => String($ref).replace(/.*\//, '');

const takesFields = ({ query }: Route): boolean =>
  query !== undefined && 'entries' in query && 'fields' in (query.entries as object);

/** The schema of a JSON response. If the request can name fields, the response may have only those. */
const replySchema = (route: Route): JsonSchema => {
  const schema: JsonSchema = schemaOf(route.reply);
  return takesFields(route) ? { anyOf: [schema, { $ref: `${schema.$ref}Fields` }] } : schema;
};

const success = (route: Route, example: unknown) => {
  const description = route.returns;
  const own = Object.entries(route.replyHeaders ?? {}).map(([name, text]) => [
    name,
    { description: text, required: true, schema: { type: 'string' } },
  ]);
  const all = { ...(route.auth === 'bearer' && rateHeaders), ...Object.fromEntries(own) };
  const headers = Object.keys(all).length > 0 ? { headers: all } : {};
  if (!route.response) {
    return {
      200: {
        description,
        ...headers,
        content: {
          ...media(replySchema(route), example && v.parse(route.reply, example)),
          ...texts(route.forms ?? []),
        },
      },
    };
  }
  const { status, type, schema, otherTypes = [], target, others = {} } = route.response;
  return {
    ...Object.fromEntries(
      Object.entries(others).map(([code, text]) => [code, { description: text, ...headers }]),
    ),
    ...(target && { 200: { description: target.description, content: texts(target.types) } }),
    [status]: type
      ? {
          description,
          ...headers,
          content: schema
            ? media(schemaOf(schema), example && JSON.parse(String(v.parse(RawResponse, example).body)), type)
            : texts([type, ...otherTypes]),
        }
      : {
          description,
          headers: {
            Location: {
              description: 'The address to go to',
              required: true,
              schema: { type: 'string', format: 'uri' },
            },
          },
        },
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
    requestBody: {
      required: true,
      content: {
        ...media(
          bodySchema(route.body),
          examples[operation]?.body,
          route.isForm && 'application/x-www-form-urlencoded',
        ),
        ...(route.takesCsv && { 'text/csv': { schema: { type: 'string', minLength: 1 } } }),
      },
    },
  }),
  responses: {
    ...success(route, examples[operation]?.reply),
    ...(route.cacheSeconds !== undefined && {
      304: {
        description: 'The client has the current response: `If-None-Match` names its `ETag`',
        ...(route.auth === 'bearer' && { headers: rateHeaders }),
      },
    }),
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

/** Requests may leave out the fields that have a default. Responses always have them, so their schemas require them. */
const requestSchemas = [
  'AlertRuleRequest',
  'CrawlRequest',
  'CreateApiKey',
  'GoogleCrawlRequest',
  'KeywordChange',
  'KeywordDataTaskRequest',
  'KeywordRequest',
  'ProjectChange',
  'ProjectRequest',
  'SuggestRequest',
  'TokenRequest',
];

/**
 * No domain has the name `left` or `right`, so a response never has these fields. The schema has them, so that `result.left` tells the two
 * shapes of a result apart in generated types too. Their schema fits no value. It is not `false`, which generators for Python refuse.
 */
const never = { allOf: [{ type: 'string' }, { type: 'null' }], examples: [] };
const onlyDomains = { left: never, right: never };

const schemasOfComponents = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(toJsonSchemaDefs(definitions, conversion)).map(([name, schema]) => [
      name,
      {
        ...(requestSchemas.includes(name) ? (schema as JsonSchema) : requireDefaults(schema as JsonSchema)),
        ...(name === 'TrackingResult' && { properties: onlyDomains }),
      },
    ]),
  );

/** The schemas of which a response may have only some fields, by name, and whether these are fields of `data`. */
const partialSchemas = new Map(
  Object.values<Route>(routes)
    .filter(takesFields)
    .map(({ reply, hasEnvelope }) => [nameIn(schemaOf(reply)), hasEnvelope ?? false]),
);

/** A copy of a schema in which no field is required; of an envelope, no field of its `data`. */
const withSomeFields = (
  schema: JsonSchema,
  isEnvelope: boolean,
  all: Record<string, JsonSchema>,
): JsonSchema => {
  const part = ({ $ref, ...own }: JsonSchema): JsonSchema =>
    requireNothing({ ...all[nameIn({ $ref })], ...own });
  if (!isEnvelope) return part(schema);
  const { data, ...others } = schema.properties as Record<string, JsonSchema>;
  const { items } = data as { items?: JsonSchema };
  return {
    ...schema,
    properties: { data: items ? { ...data, items: part(items) } : part(data ?? {}), ...others },
  };
};

/** The components: those of the definitions, and for some of them one in which no field is required. */
const components = (): Record<string, JsonSchema> => {
  const all = describeSchemas(schemasOfComponents());
  const partial = [...partialSchemas].map(([name, isEnvelope]) => [
    `${name}Fields`,
    {
      ...withSomeFields(all[name] ?? {}, isEnvelope, all),
      description: `The fields of a \`${name}\` that the parameter \`fields\` names`,
    },
  ]);
  const whole = Object.entries(all).map(([name, schema]) => [
    name,
    requestSchemas.includes(name) ? withoutDefaults(schema) : schema,
  ]);
  return Object.fromEntries([...whole, ...partial]);
};

/** The areas of the interface. */
const tags: Record<string, string> = {
  keyword: 'Keyword data, and the places and engines that requests name',
  mcp: 'Tools for agents (Model Context Protocol)',
  reporting: 'Projects, their tracked keywords and the history of their positions',
  account: 'Users, keys, tokens and webhook secrets',
  serp: 'Searches: tasks, their results and their stored pages',
  site: 'The service itself and its documentation',
  status: 'The state of the service',
  webhooks: 'Requests that the service sends to your receiver',
};

/** All of the document but the server. A function makes it at its first use, and keeps it: making it takes 20 ms. */
const makeInterface = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Search Ranking and Keyword Data Service',
    version,
    description:
      'Search result pages, rankings and keyword data. Send your API key as `Authorization: Bearer <key>`.',
    contact: { name: 'The operator of this deployment' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: paths(),
  webhooks,
  components: {
    schemas: components(),
    headers,
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, sent as `Authorization: Bearer <key>`',
      },
      password: {
        type: 'oauth2',
        description: 'The user name is the id or the e-mail address of the user, the password is its API key',
        flows: { password: { tokenUrl: 'token', scopes: {} } },
      },
    },
  },
});

let made: ReturnType<typeof makeInterface> | undefined;

/** The OpenAPI document. `server` is the base URL of the service. */
export const openapi = (server = '/') => {
  made ??= makeInterface();
  const { openapi: format, info, ...rest } = made;
  const externalDocs = {
    description: 'The reference, with examples in curl, TypeScript and Python',
    url: `${server.replace(/\/$/, '')}/docs/index.md`,
  };
  return { openapi: format, info, servers: [{ url: server }], externalDocs, ...rest };
};
