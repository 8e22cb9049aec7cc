/** The failures that the OpenAPI document names for an operation, and the headers that responses share. */
import type { Route } from '../api/route.ts';
import { Failure, HTTPValidationError } from '../model/http-error.ts';
import type { Components } from './schemas.ts';

export const failures = {
  400: 'The body is not valid JSON, or the batch is empty',
  401: 'The API key is missing, malformed, unknown, disabled or expired',
  403: 'The user does not have the permission that the operation requires',
  404: 'The resource does not exist, has expired or belongs to another user',
  409:
    'The request conflicts with the present state, or a request with the same `Idempotency-Key` is ' +
    'being accepted. `detail` says which. Nothing was changed',
  413:
    'The body is larger than 1 MiB (4 MiB for a list of tracked keywords), a task is too large to be ' +
    'stored, or the response would exceed 5 MB for a batch or 6 MB for a task or a page',
  422: 'The path, the query or the body is invalid. The response lists all errors',
  429:
    'Too many requests of the user, too many of them that wait, too many pages in the ' +
    'batches of the user, or too many failed keys from the address. Retry after `Retry-After` seconds',
  500: 'Internal server error',
  502: 'The source gave no data. `detail` says why',
  503:
    'The service cannot store the request, its source takes no more calls, or too many requests wait. Retry ' +
    'after `Retry-After` seconds',
  504:
    'The request took too long. It may have been carried out: repeat one that creates tasks with its ' +
    '`Idempotency-Key`',
};

/** The name of each shared response. */
const failureNames: Record<keyof typeof failures, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'ContentTooLarge',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
};

export const failureStatuses = (route: Route): (keyof typeof failures)[] => [
  ...(route.failures ?? []),
  ...(route.body && !route.isForm ? ([400] as const) : []),
  ...(route.auth === 'bearer' ? ([401] as const) : []),
  ...(route.permission || (route.auth === 'bearer' && route.method !== 'GET') ? ([403] as const) : []),
  ...(route.params ? ([404] as const) : []),
  ...(route.creates || route.conflict ? ([409] as const) : []),
  ...(route.body || (route.params && !route.response) ? ([413] as const) : []),
  ...(route.body || route.params || route.query || route.headers ? ([422] as const) : []),
  429,
  500,
  ...(route.asksSource ? ([502] as const) : []),
  503,
  504,
];

const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', examples: [example] },
});

/** The headers that many responses have. */
export const headers = {
  'Retry-After': { ...integerHeader('Seconds until the request may be sent again', 12), required: true },
  'RateLimit-Limit': integerHeader('Requests that the user may send in a minute', 2000),
  'RateLimit-Remaining': integerHeader('Requests that are left in this minute', 1999),
  'RateLimit-Reset': integerHeader('Seconds until the next minute begins', 42),
  'x-warnings': {
    description:
      'What has no effect: unknown parameters, names in `fields`, fields of the body; what a list omits',
    schema: { type: 'string', examples: ['Unknown query parameters are ignored: "limt".'] },
  },
};

const referencesTo = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const retryAfter = referencesTo('Retry-After');

export const warningsHeader = referencesTo('x-warnings');

/**
 * The limit of requests per minute (Reading 26), on every response to a counted request. The document has
 * them at failures, and in its introduction for the others. A user without a limit gets none of these
 * headers, nor does a request that is refused before it is counted.
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
  504: 'The service took too long to answer',
};

/**
 * The statuses of failures that are found before the request is counted, or that the handler does not
 * foresee.
 */
const uncounted: readonly number[] = [401, 403, 500, 504];

const failureHeaders = (status: number, { auth }: Route): { headers?: Record<string, unknown> } => {
  const headers = {
    ...((status === 429 || status === 503 || status === 504) && retryAfter),
    ...((status === 429 || (auth === 'bearer' && !uncounted.includes(status))) && rateHeaders),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
};

const describeFailure = (
  status: keyof typeof failures,
  route: Route,
  components: Components,
  description: string = failures[status],
) => ({
  description,
  ...failureHeaders(status, route),
  content: {
    'application/json': {
      schema: components.schemaOf(status === 422 ? HTTPValidationError : Failure, 'response'),
      example: { detail: details[status] },
    },
  },
});

/** The response to a failure: a reference to one that operations share, unless the route has its own. */
export const failureResponse = (status: keyof typeof failures, route: Route, components: Components) => {
  if (status === 409 && route.conflict) return describeFailure(status, route, components, route.conflict);
  const who = route.auth === 'bearer' ? '' : 'WithoutKey';
  return components.responseOf(`${failureNames[status]}${who}`, () =>
    describeFailure(status, route, components),
  );
};
