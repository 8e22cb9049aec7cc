/**
 * An operation of the OpenAPI document: its parameters, its body and its responses, from its row of the route
 * table and its examples.
 */
import type * as v from 'valibot';
import type { Route } from '../api/route.ts';
import type { Operation } from '../api/routes.ts';
import { idempotencyHeader, idempotencyPattern } from '../model/idempotency.ts';
import { exampleBody, exampleReply } from './examples.ts';
import { failureResponse, failureStatuses, warningsHeader } from './failures.ts';
import { type Components, isSchema, type JsonSchema, withoutDefaults } from './schemas.ts';

export const idempotencyKey = {
  name: idempotencyHeader,
  in: 'header',
  description:
    'Makes it safe to repeat the request: the same key with the same body within 24 hours returns the same ' +
    'tasks, and creates none twice. ' +
    'Another body with the same key is an error. A key belongs to the user and the path.',
  schema: { type: 'string', pattern: idempotencyPattern.source },
  example: 'order-17',
};

/** HTTP defines these headers, so they are not parameters. */
const headersOfHttp = ['accept', 'accept-encoding'];

const parametersIn = (place: string, schema: v.GenericSchema | undefined, components: Components) => {
  const { properties, required } = schema ? components.schemaOf(schema, 'response') : {};
  if (!isSchema(properties)) return [];
  return Object.entries(properties)
    .filter(([name]) => !headersOfHttp.includes(name))
    .map(([name, property]) => {
      const { description, examples, ...rest } = property as JsonSchema;
      const [example] = Array.isArray(examples) ? examples : [];
      return {
        name,
        in: place,
        ...(description !== undefined && { description }),
        ...(example !== undefined && { example }),
        schema: rest,
        ...(Array.isArray(required) && required.includes(name) && { required: true }),
      };
    });
};

const parameters = (route: Route, components: Components) => [
  ...parametersIn('path', route.params, components),
  ...parametersIn('query', route.query, components).filter(({ name }) => !route.inProse?.includes(name)),
  ...parametersIn('header', route.headers, components),
  ...(route.creates ? [{ $ref: `#/components/parameters/${idempotencyHeader}` }] : []),
];

const media = (schema: JsonSchema, example: unknown, type = 'application/json') => ({
  [type]: { schema, ...(example !== undefined && { example }) },
});

/** Bodies that are not JSON. What YAML describes is a value, not a text. */
const texts = (types: readonly string[]) =>
  Object.fromEntries(
    types.map((type) => [type, { schema: type === 'application/yaml' ? {} : { type: 'string' } }]),
  );

/** The schema of a body. A list without items is refused (400). */
const bodySchema = (schema: v.GenericSchema, components: Components): JsonSchema => {
  const body = withoutDefaults(components.schemaOf(schema, 'request'));
  return body.type === 'array' ? { ...body, minItems: 1 } : body;
};

const requestBody = (operation: Operation, route: Route, components: Components) =>
  route.body && {
    required: true,
    content: {
      ...media(
        bodySchema(route.body, components),
        exampleBody(operation),
        route.isForm && 'application/x-www-form-urlencoded',
      ),
      ...(route.takesCsv && { 'text/csv': { schema: { type: 'string', minLength: 1 } } }),
    },
  };

const takesFields = ({ query, inProse }: Route): boolean =>
  query !== undefined &&
  'entries' in query &&
  'fields' in (query.entries as object) &&
  !inProse?.includes('fields');

/** A JSON response. If the request can name fields, the response may have only those. */
const jsonReply = (operation: Operation, route: Route, components: Components) => {
  const whole = components.schemaOf(route.reply, 'response');
  const schema = takesFields(route) ? { anyOf: [whole, components.partOf(whole, route.envelope)] } : whole;
  return media(schema, exampleReply(operation, whole, components));
};

/** The headers of a deprecated operation. */
const deprecation = ({ deprecated, sunset }: Route) => ({
  ...(deprecated && {
    Deprecation: {
      description: 'Since when the operation shall not be used any more, as `@` and Unix seconds (RFC 9745)',
      required: true,
      schema: { type: 'string', pattern: '^@\\d+$' },
    },
  }),
  ...(sunset && {
    Sunset: {
      description: 'From when the operation may be gone, as a date of HTTP (RFC 8594)',
      required: true,
      schema: { type: 'string' },
    },
  }),
});

const headersOf = (route: Route): { headers?: Record<string, unknown> } => {
  const own = Object.entries(route.replyHeaders ?? {}).map(([name, description]) => [
    name,
    { description, required: true, schema: { type: 'string' } },
  ]);
  const headers = {
    ...(route.auth === 'bearer' && warningsHeader),
    ...Object.fromEntries(own),
    ...deprecation(route),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
};

const redirect = {
  headers: {
    Location: {
      description: 'The address to go to',
      required: true,
      schema: { type: 'string', format: 'uri' },
    },
  },
};

/**
 * The successful responses of an operation that answers without JSON: a page, a file, a redirect.
 */
const rawSuccess = (
  operation: Operation,
  route: Route,
  response: NonNullable<Route['response']>,
  components: Components,
) => {
  const { status, type, schema, otherTypes = [], target, others = {} } = response;
  const headers = headersOf(route);
  const content = (type: string) => {
    if (!schema) return texts([type, ...otherTypes]);
    const reply = components.schemaOf(schema, 'response');
    return media(reply, exampleReply(operation, reply, components), type);
  };
  return {
    ...Object.fromEntries(
      Object.entries(others).map(([code, description]) => [code, { description, ...headers }]),
    ),
    ...(target && { 200: { description: target.description, content: texts(target.types) } }),
    [status]: {
      description: route.returns,
      ...(type ? { ...headers, content: content(type) } : redirect),
    },
  };
};

const success = (operation: Operation, route: Route, components: Components) =>
  route.response
    ? rawSuccess(operation, route, route.response, components)
    : {
        [route.status ?? 200]: {
          description: route.returns,
          ...headersOf(route),
          content: {
            ...jsonReply(operation, route, components),
            ...texts(route.forms ?? []),
          },
        },
      };

const operationId = (operation: string): string =>
  operation.replace(/^.*\//, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The ways to authenticate. Operations that need no key say so. */
export const withKey = [{ key: [] }, { password: [] }];

export const describeOperation = (operation: Operation, route: Route, components: Components) => {
  const hasParameters = route.params || route.query || route.headers || route.creates;
  return {
    operationId: operationId(operation),
    tags: [operation.split('/', 1)[0]],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.deprecated && { deprecated: true }),
    ...(route.auth !== 'bearer' && { security: [] }),
    ...(hasParameters && { parameters: parameters(route, components) }),
    ...(route.body && { requestBody: requestBody(operation, route, components) }),
    responses: {
      ...success(operation, route, components),
      ...(route.cacheSeconds !== undefined && {
        304: {
          description: 'The client has it: `If-None-Match` names its `ETag`',
        },
      }),
      ...Object.fromEntries(
        failureStatuses(route).map((status) => [status, failureResponse(status, route, components)]),
      ),
    },
  };
};
