/**
 * Lets pages of the origins in `CORS_ORIGINS` call the operations that need a key (Fetch standard, "CORS
 * protocol"). Cookies and other credentials of the browser are never allowed: the page sends its token
 * itself.
 */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { setting } from '../runtime/env.ts';
import { headerOf } from './request.ts';
import { withHeaders } from './response.ts';
import type { Route } from './route.ts';

type Routes = readonly Route[];

const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key';

/** What a page may read of a response besides the headers that the Fetch standard allows. */
const exposedHeaders = [
  'Deprecation',
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'x-search-source',
  'x-warnings',
].join(', ');

/** The time for which a browser keeps the answer to a preflight. Chromium keeps it for two hours at most. */
const preflightSeconds = 7200;

/** The origin of the request if pages of it may call the service. */
const allowedOrigin = (event: APIGatewayProxyEvent): string | undefined => {
  const origins = setting('CORS_ORIGINS');
  const origin = headerOf(event, 'origin');
  return origins !== '' && origin !== undefined && origins.split(',').includes(origin) ? origin : undefined;
};

const forPages = (routes: Routes): Routes => routes.filter(({ auth }) => auth === 'bearer');

/**
 * The answer to a preflight for operations at a path; undefined if the request is none, or if pages may not
 * call any of them.
 */
export const preflightAnswer = (
  event: APIGatewayProxyEvent,
  routes: Routes,
): APIGatewayProxyResult | undefined => {
  const origin = allowedOrigin(event);
  const methods = forPages(routes).map(({ method }) => method);
  const isPreflight = event.httpMethod === 'OPTIONS' && headerOf(event, 'access-control-request-method');
  if (!isPreflight || origin === undefined || methods.length === 0) return undefined;
  return withHeaders({
    statusCode: 204,
    headers: {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': [...new Set(methods)].join(', '),
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': preflightSeconds,
      Vary: 'Origin',
    },
    body: '',
  });
};

/**
 * The response with the headers that let the page read it. With the setting, each response for these
 * operations names `Origin` in `Vary`, so that a cache gives none to a page of another origin.
 */
export const readableByPages = (
  response: APIGatewayProxyResult,
  event: APIGatewayProxyEvent,
  routes: Routes,
): APIGatewayProxyResult => {
  if (setting('CORS_ORIGINS') === '' || forPages(routes).length === 0) return response;
  const origin = allowedOrigin(event);
  const { Vary, ...headers } = response.headers ?? {};
  return {
    ...response,
    headers: {
      ...headers,
      Vary: Vary ? `${Vary}, Origin` : 'Origin',
      ...(origin !== undefined && {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': exposedHeaders,
      }),
    },
  };
};
