/** Makes the gateway's answers: JSON of a value, `{"detail": …}` of a failure, and the headers that every answer carries. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { HttpError } from '../model/http-error.ts';
import { setting } from '../runtime/env.ts';
import type { RawResponse } from './route.ts';

export const jsonResponse = (statusCode: number, value: unknown, headers = {}): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

export const rawResponse = ({ statusCode, headers, body = '' }: RawResponse): APIGatewayProxyResult =>
  typeof body === 'string'
    ? { statusCode, headers, body }
    : { statusCode, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };

/** What a client reads of a failure. Whatever is no HttpError is our own fault, and no business of the client's. */
export const errorResponse = (error: unknown): APIGatewayProxyResult =>
  error instanceof HttpError
    ? jsonResponse(error.statusCode, { detail: error.detail }, error.headers)
    : jsonResponse(500, { detail: 'Internal Server Error' });

/** Nothing is kept by caches, sniffed, framed or run, unless the answer says otherwise. The sandbox names itself. */
export const withHeaders = (answer: APIGatewayProxyResult): APIGatewayProxyResult => ({
  ...answer,
  headers: {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(setting('SEARCH_SOURCE') === 'sandbox' && { 'x-search-source': 'sandbox' }),
    ...answer.headers,
  },
});
