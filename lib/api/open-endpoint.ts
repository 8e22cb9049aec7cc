/**
 * Wraps an operation that needs no key. Checks size and input before the operation runs. The checks of keys are in `endpoint`, so
 * that the bundle of an area without keys contains neither these checks nor the client of their tables.
 */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { fieldNames, TextReply } from '../model/forms.ts';
import { HttpError } from '../model/http-error.ts';
import type { IdempotencyKey } from '../model/idempotency.ts';
import { maxBodyBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { etagOf, isCurrent } from './etag.ts';
import { type Formats, type Input, parseInput } from './parse.ts';
import { addressOf, baseUrlOf, bodyOf, headerOf } from './request.ts';
import { jsonResponse, rawResponse, textResponse } from './response.ts';
import { RawResponse, type Route } from './route.ts';

type Output<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined;

/** The argument of an operation: the parts of the request that its route declares, parsed, and the authenticated user. */
export type Call<R extends Route> = {
  body: Output<R['body']>;
  query: Output<R['query']>;
  params: Output<R['params']>;
  headers: Output<R['headers']>;
  user: R['auth'] extends 'bearer' ? Account : undefined;
  request: {
    /** Base URL of the links in a response, without a trailing slash. */
    baseUrl: string;
    /** The path as the client sent it. */
    path: string;
    /** The IP address of the client. */
    address: string;
    /** The API key that the request is authenticated with; null if it has a token or needs no key. */
    apiKey: string | null;
    /** The `Idempotency-Key` with its path and the hash of its body. Absent if the route creates no tasks or the request has no key. */
    idempotency?: IdempotencyKey;
  };
  response: {
    /** Headers that the operation adds to the successful response. */
    headers: Record<string, string>;
  };
};

/** The event as it passes through the hooks. Each hook adds what it has checked. */
type CheckedEvent = APIGatewayProxyEvent & {
  user?: Account;
  apiKey?: string | null;
  rateHeaders?: Record<string, string>;
  input?: Input;
};
export type Hook = middy.MiddlewareObj<CheckedEvent, APIGatewayProxyResult>;

export type Run<R extends Route> = (
  call: Call<R>,
) => Promise<v.InferInput<R['reply']> | TextReply> | v.InferInput<R['reply']> | TextReply;

export const limitingSize = ({ bodyBytes = maxBodyBytes }: Route): Hook => ({
  before: ({ event }) => {
    if (bodyOf(event).byteLength > bodyBytes) {
      throw new HttpError(413, `The body is larger than ${bodyBytes / 1024 ** 2} MiB`);
    }
  },
});

export const parsing = (route: Route, formats?: Formats): Hook => ({
  before: async ({ event }) => {
    event.input = await parseInput(route, event, formats);
  },
});

/** Adds the validator of a response that clients may cache, and answers 304 if the client has it already. */
const validating = (cacheSeconds: number): Hook => ({
  after: (request) => {
    const { event, response } = request;
    if (!response) return;
    const etag = etagOf(response.body);
    const headers = { ...response.headers, ETag: etag, 'Cache-Control': `private, max-age=${cacheSeconds}` };
    request.response = isCurrent(headerOf(event, 'if-none-match'), etag)
      ? { statusCode: 304, headers, body: '' }
      : { ...response, headers };
  },
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const withOnly = (value: unknown, names: ReadonlySet<string>): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name))) : value;

/** The reply with the fields that the query wants: all of them, unless it names some in `fields`. */
const selected = (reply: unknown, query: unknown, { hasEnvelope }: Route): unknown => {
  const names = isObject(query) && 'fields' in query ? fieldNames(String(query.fields)) : null;
  if (!names) return reply;
  if (!hasEnvelope || !isObject(reply) || !('data' in reply)) return withOnly(reply, names);
  const { data } = reply;
  return {
    ...reply,
    data: Array.isArray(data) ? data.map((item) => withOnly(item, names)) : withOnly(data, names),
  };
};

/** A handler for one row of the route table: runs the hooks, then `run`, and parses the returned value with the route's `reply`. */
export const wrap = <const R extends Route>(route: R, hooks: Hook[], run: Run<R>) => {
  const handler = middy<CheckedEvent, APIGatewayProxyResult>()
    .use(route.cacheSeconds === undefined ? hooks : [...hooks, validating(route.cacheSeconds)])
    .handler(async (event) => {
      const { idempotency } = event.input ?? {};
      const request = {
        baseUrl: baseUrlOf(event),
        path: event.path,
        address: addressOf(event),
        apiKey: event.apiKey ?? null,
        ...(idempotency && { idempotency }),
      };
      const response = { headers: {} };
      // `parsing` and `authenticating` have set the fields that the route's types declare.
      const call = { ...event.input, user: event.user, request, response } as Call<R>;
      const answer = await run(call);
      if (answer instanceof TextReply) return textResponse(answer, response.headers);
      const reply = selected(v.parse(route.reply, answer), event.input?.query, route);
      return route.response
        ? rawResponse(v.parse(RawResponse, reply))
        : jsonResponse(200, reply, response.headers);
    });
  return Object.assign(handler, { route });
};

/** As `endpoint`, for a route without a key. */
export const openEndpoint = <const R extends Route & { auth: 'none' }>(route: R, run: Run<R>) =>
  wrap(route, [limitingSize(route), parsing(route)], run);
