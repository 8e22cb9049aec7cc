/**
 * The Lambda entry of an area of the API: finds the operation of a request, and turns its errors into
 * responses.
 */
import middy from '@middy/core';
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { HttpError } from '../model/http-error.ts';
import { stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { scope } from '../runtime/scope.ts';
import { compressed } from './compress.ts';
import { preflightAnswer, readableByPages } from './cors.ts';
import type { dialectEndpoint } from './dialect.ts';
import type { endpoint } from './endpoint.ts';
import { indented } from './indent.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';
import { headerOf, pathOf } from './request.ts';
import { errorResponse, withHeaders } from './response.ts';
import type { Route } from './route.ts';
import { asUnavailable } from './unavailable.ts';

type Hook = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

const hooks = (operations: Operations): Hook[] => [
  answeringHead,
  compressing,
  indenting,
  addingHeaders,
  respondingToErrors(operations),
  normalizingPath,
];

/** Accepting a thousand tasks takes a second. */
const slowMilliseconds = 3000;

const logIfSlow = ({ httpMethod, resource }: APIGatewayProxyEvent, began: number): void => {
  const milliseconds = stopwatch() - began;
  if (milliseconds < slowMilliseconds || scope().waits) return;
  log.warn('slow request', { operation: `${httpMethod} ${resource}`, milliseconds }, { SlowRequests: 1 });
};

type Handle = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const loggingSlow =
  (handle: Handle): Handle =>
  async (event, context) => {
    const began = stopwatch();
    try {
      return await handle(event, context);
    } finally {
      logIfSlow(event, began);
    }
  };

/**
 * A Lambda handler that routes to the area's operations. An unknown path gives 404, an unknown method of a
 * known path 405. HEAD gives the status and the headers of GET, without the body.
 */
export const area = (operations: Operations) => {
  const templates = operations.map(({ route }) => ({ route, names: route.path.split('/') }));
  return invocation(
    loggingSlow(
      middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
        .use(allowingPages(templates))
        .use(hooks(operations))
        .use(answeringPreflights(templates))
        .use(preferringFixedPaths(templates))
        .handler(
          httpRouter({
            routes: operations.map((handler) => ({
              method: handler.route.method,
              path: handler.route.path,
              handler,
            })),
            notFoundResponse: ({ path }) => {
              throw routingError(routesAt(templates, path));
            },
          }),
        ),
    ),
  );
};

type AnswerFailure = ReturnType<typeof dialectEndpoint>['answerFailure'];

/** The operations of an area. Those in the form of another service write the errors of its paths. */
type Operations = readonly (ReturnType<typeof endpoint> & { answerFailure?: AnswerFailure })[];

/** The routes of an area, with the segments of their path templates. */
type Templates = readonly { route: Route; names: readonly string[] }[];

const isValue = (segment: string): boolean => segment.includes('{');

/** Whether `path` has a fixed text where `other` has a value, and a value nowhere else. */
const isNarrower = (path: string, other: string): boolean => {
  const values = other.split('/').map(isValue);
  const own = path.split('/').map(isValue);
  return own.every((value, n) => !value || values[n]) && values.some((value, n) => value && !own[n]);
};

/**
 * The routes of a path. A trailing slash is ignored. A path wins over one that has a value in place of its
 * fixed text.
 */
const routesAt = (templates: Templates, path: string) => {
  const segments = path.replace(/(.)\/$/, '$1').split('/');
  const matching = templates.filter(({ names }) => isMatch(names, segments)).map(({ route }) => route);
  return matching.filter((route) => !matching.some((other) => isNarrower(other.path, route.path)));
};

const answeringPreflights = (templates: Templates): Hook => ({
  before: ({ event }) => preflightAnswer(event, routesAt(templates, event.path)),
});

/** The first hook, because it changes `Vary` after compression has set it. */
const allowingPages = (templates: Templates): Hook => {
  const allow: Hook['after'] = (request) => {
    const { response, event } = request;
    if (response) request.response = readableByPages(response, event, routesAt(templates, event.path));
  };
  return { after: allow, onError: allow };
};

/** The error for a method that these routes of a path do not have; 404 without routes. */
const routingError = (routes: readonly Route[]): HttpError => {
  const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
  return allowed.length > 0
    ? new HttpError(405, 'Method Not Allowed', { Allow: allowed.join(', ') })
    : new HttpError(404, 'Not Found');
};

/**
 * Refuses a method that the path does not have, instead of reading a fixed part of it as the value of another
 * path: `delete` is no id.
 */
const preferringFixedPaths = (templates: Templates): Hook => ({
  before: ({ event }) => {
    const own = routesAt(templates, event.path);
    if (own.length > 0 && !own.some(({ method }) => method === event.httpMethod)) throw routingError(own);
  },
});

/**
 * Whether a segment of a path matches that of a template: the same text, or a value and the text that follows
 * it.
 */
const isSegment = (template: string, segment: string): boolean => {
  if (!template.startsWith('{')) return template === segment;
  const [isValue, ending = ''] = /^\{\w+\}(.*)$/.exec(template) ?? [];
  return isValue ? segment.length > ending.length && segment.endsWith(ending) : template === segment;
};

/** Whether the segments of a path match those of a path template. */
const isMatch = (names: readonly string[], segments: readonly string[]): boolean =>
  names.length === segments.length && names.every((name, n) => isSegment(name, segments[n] ?? ''));

/** The events of HEAD requests, which the router sees as GET. */
const headEvents = new WeakSet<APIGatewayProxyEvent>();

const removingBody: Hook['after'] = (request) => {
  if (!request.response || !headEvents.has(request.event)) return;
  request.response = { ...request.response, body: '', isBase64Encoded: false };
};

const answeringHead: Hook = {
  before: ({ event }) => {
    if (event.httpMethod !== 'HEAD') return;
    headEvents.add(event);
    event.httpMethod = 'GET';
  },
  after: removingBody,
  onError: removingBody,
};

const addingHeaders: Hook = {
  after: (request) => {
    if (request.response) request.response = withHeaders(request.response);
  },
  onError: (request) => {
    if (request.response) request.response = withHeaders(request.response);
  },
};

const compress = async (request: Parameters<NonNullable<Hook['after']>>[0]): Promise<void> => {
  const { response, event } = request;
  if (response) request.response = await compressed(response, headerOf(event, 'accept-encoding') ?? '');
};

const compressing: Hook = { after: compress, onError: compress };

const indent = (request: Parameters<NonNullable<Hook['after']>>[0]): void => {
  const { response, event } = request;
  if (response) request.response = indented(response, headerOf(event, 'user-agent') ?? '');
};

const indenting: Hook = { after: indent, onError: indent };

/** `/compat/serper` of `/compat/serper/search`. */
const roomOf = (path: string): string => path.split('/').slice(0, 3).join('/').toLowerCase();

/** What writes the errors of a path in the form of another service; undefined for a path of our own. */
const writerAt = (operations: Operations, path: string): AnswerFailure | undefined =>
  operations.find(({ answerFailure, route }) => answerFailure && roomOf(route.path) === roomOf(path))
    ?.answerFailure;

const respondingToErrors = (operations: Operations): Hook => ({
  onError: (request) => {
    if (!(request.error instanceof HttpError)) {
      const { httpMethod, resource, requestContext } = request.event;
      logFailure('A request failed', request.error, {
        gateway_request_id: requestContext.requestId,
        operation: `${httpMethod} ${resource}`,
      });
    }
    const error = asUnavailable(request.error);
    const answerFailure = writerAt(operations, request.event.path);
    request.response =
      answerFailure && error instanceof HttpError
        ? answerFailure(error, request.event)
        : errorResponse(error);
  },
});

const normalizingPath: Hook = {
  before: ({ event }) => {
    // Reading 29: a path value that contains a slash after decoding is 404.
    if (/%2f/i.test(event.path)) throw new HttpError(404, 'Not Found');
    event.path = pathOf(event);
  },
};
