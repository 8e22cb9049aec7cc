/** The Lambda entry of an area of the interface: finds the operation, and answers whatever it throws. */
import middy from '@middy/core';
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { HttpError } from '../model/http-error.ts';
import type { endpoint } from './endpoint.ts';
import { invocation } from './invocation.ts';
import { logFailure } from './log-failure.ts';
import { pathOf } from './request.ts';
import { errorResponse, withHeaders } from './response.ts';

type Hook = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

const hooks = (): Hook[] => [addingHeaders, answeringFailures, locating];

/** A handler for the gateway: routes among the area's operations, 404 for other paths, 405 for other methods of theirs. */
export const area = (operations: readonly ReturnType<typeof endpoint>[]) =>
  invocation(
    middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
      .use(hooks())
      .handler(
        httpRouter({
          routes: operations.map((handler) => ({
            method: handler.route.method,
            path: handler.route.path,
            handler,
          })),
          notFoundResponse: ({ path }) => {
            throw refusal(operations.flatMap(({ route }) => (isAt(route.path, path) ? [route.method] : [])));
          },
        }),
      ),
  );

const refusal = (allowed: string[]): HttpError =>
  allowed.length > 0
    ? new HttpError(405, 'Method Not Allowed', { Allow: allowed.join(', ') })
    : new HttpError(404, 'Not Found');

/** Whether a path is an address of the route; a trailing slash is ignored. */
const isAt = (template: string, path: string): boolean => {
  const wanted = template.split('/');
  const segments = path.replace(/(.)\/$/, '$1').split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((name, n) => name === segments[n] || (name.startsWith('{') && segments[n] !== ''))
  );
};

const addingHeaders: Hook = {
  after: (request) => {
    if (request.response) request.response = withHeaders(request.response);
  },
  onError: (request) => {
    if (request.response) request.response = withHeaders(request.response);
  },
};

const answeringFailures: Hook = {
  onError: (request) => {
    if (!(request.error instanceof HttpError)) {
      const { httpMethod, resource, requestContext } = request.event;
      logFailure('A request failed', request.error, {
        gateway_request_id: requestContext.requestId,
        operation: `${httpMethod} ${resource}`,
      });
    }
    request.response = errorResponse(request.error);
  },
};

const locating: Hook = {
  before: ({ event }) => {
    // Reading 29: a value that holds a slash once decoded is no value of a path.
    if (/%2f/i.test(event.path)) throw new HttpError(404, 'Not Found');
    event.path = pathOf(event);
  },
};
