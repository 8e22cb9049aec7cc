/**
 * Wraps an operation that anyone may ask: size and input are settled before it runs. `endpoint` puts the checks of keys before it,
 * so that an area without keys holds neither them nor the client of their tables.
 */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { HttpError } from '../model/http-error.ts';
import { maxBodyBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { type Input, parseInput } from './parse.ts';
import { baseUrlOf, bodyOf } from './request.ts';
import { jsonResponse, rawResponse } from './response.ts';
import { RawResponse, type Route } from './route.ts';

type Output<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined;

/** What an operation gets: the parsed parts of the request that its route names, and who asks. */
export type Call<R extends Route> = {
  body: Output<R['body']>;
  query: Output<R['query']>;
  params: Output<R['params']>;
  user: R['auth'] extends 'bearer' ? Account : undefined;
  request: {
    /** Base of the links that an answer makes, without a slash at its end. */
    baseUrl: string;
    /** The path as the client wrote it. */
    path: string;
  };
};

/** The event as it passes through the hooks. Each hook adds what it has checked. */
export type CheckedEvent = APIGatewayProxyEvent & {
  user?: Account;
  rateHeaders?: Record<string, string>;
  input?: Input;
};
export type Hook = middy.MiddlewareObj<CheckedEvent, APIGatewayProxyResult>;

export type Run<R extends Route> = (
  call: Call<R>,
) => Promise<v.InferInput<R['reply']>> | v.InferInput<R['reply']>;

export const limitingSize: Hook = {
  before: ({ event }) => {
    if (bodyOf(event).byteLength > maxBodyBytes) throw new HttpError(413, 'The body is larger than 1 MiB');
  },
};

export const parsing = (route: Route): Hook => ({
  before: async ({ event }) => {
    event.input = await parseInput(route, event);
  },
});

/** A handler for one row of the route table: what the hooks let through, run, and its answer parsed by the route's `reply`. */
export const wrap = <const R extends Route>(route: R, hooks: Hook[], run: Run<R>) => {
  const handler = middy<CheckedEvent, APIGatewayProxyResult>()
    .use(hooks)
    .handler(async (event) => {
      const request = { baseUrl: baseUrlOf(event), path: event.path };
      // The hooks have made of the event what the route's types say.
      const call = { ...event.input, user: event.user, request } as Call<R>;
      const reply = v.parse(route.reply, await run(call));
      return route.response ? rawResponse(v.parse(RawResponse, reply)) : jsonResponse(200, reply);
    });
  return Object.assign(handler, { route });
};

/** As `endpoint`, for a route without a key. */
export const openEndpoint = <const R extends Route & { auth: 'none' }>(route: R, run: Run<R>) =>
  wrap(route, [limitingSize, parsing(route)], run);
