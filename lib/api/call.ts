/** What an operation gets of its request, and what passes through the hooks before it. */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type * as v from 'valibot';
import type { TextReply } from '../model/forms.ts';
import type { IdempotencyKey } from '../model/idempotency.ts';
import type { Account } from '../model/user.ts';
import type { Input } from './parse.ts';
import type { Route } from './route.ts';

type Output<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined;

/**
 * The argument of an operation: the parts of the request that its route declares, parsed, and the
 * authenticated user.
 */
export type Call<R extends Route> = {
  body: Output<R['body']>;
  query: Output<R['query']>;
  params: Output<R['params']>;
  headers: Output<R['headers']>;
  user: R['auth'] extends 'bearer' | 'form' ? Account : undefined;
  request: {
    /** Base URL of the links in a response, without a trailing slash. */
    baseUrl: string;
    /** The path as the client sent it. */
    path: string;
    /** The IP address of the client. */
    address: string;
    /** Of a request of the console: the token of its session, if it has one. Null: any other request. */
    console: { token: string | null } | null;
    /** The API key that the request is authenticated with; null if it has a token or needs no key. */
    apiKey: string | null;
    /**
     * The `Idempotency-Key` with its path and the hash of its body. Absent if the route creates no tasks or
     * the request has no key.
     */
    idempotency?: IdempotencyKey;
  };
  response: {
    /** Headers that the operation adds to the successful response. */
    headers: Record<string, string>;
  };
};

/** The event as it passes through the hooks. Each hook adds what it has checked. */
export type CheckedEvent = APIGatewayProxyEvent & {
  user?: Account;
  apiKey?: string | null;
  rateHeaders?: Record<string, string>;
  input?: Input;
  /** What the response would say in `warnings` if it were JSON. */
  textWarnings?: readonly string[];
};
export type Hook = middy.MiddlewareObj<CheckedEvent, APIGatewayProxyResult>;

export type Run<R extends Route> = (
  call: Call<R>,
) => Promise<v.InferInput<R['reply']> | TextReply> | v.InferInput<R['reply']> | TextReply;
