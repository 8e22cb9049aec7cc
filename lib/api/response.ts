/**
 * Builds the gateway's responses: a value as JSON, an error as `{"detail": …, "hint": …}`, and the headers
 * of every response.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { TextReply } from '../model/forms.ts';
import { HttpError } from '../model/http-error.ts';
import { setting } from '../runtime/env.ts';
import type { RawResponse } from './route.ts';

export const jsonResponse = (statusCode: number, value: unknown, headers = {}): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

export const textResponse = ({ type, body }: TextReply, headers = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'Content-Type': type, ...headers },
  body,
});

export const rawResponse = ({ statusCode, headers, body = '' }: RawResponse): APIGatewayProxyResult =>
  typeof body === 'string'
    ? { statusCode, headers, body }
    : { statusCode, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };

/**
 * The response to an error. An error other than HttpError is a defect of the service, so the client gets no
 * details of it.
 */
export const errorResponse = (error: unknown): APIGatewayProxyResult =>
  error instanceof HttpError
    ? jsonResponse(error.statusCode, { detail: error.detail, hint: error.hint }, error.headers)
    : jsonResponse(500, { detail: 'Internal Server Error' });

/**
 * Adds the default headers: no caching, sniffing, framing or script execution. Headers of the response
 * override them. With the sandbox as search source, adds `x-search-source`.
 */
export const withHeaders = (response: APIGatewayProxyResult): APIGatewayProxyResult => ({
  ...response,
  headers: {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(setting('SEARCH_SOURCE') === 'sandbox' && { 'x-search-source': 'sandbox' }),
    ...response.headers,
  },
});
