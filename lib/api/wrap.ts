/** Wraps an operation: the hooks around it, its argument and its response. */
import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { TextReply } from '../model/forms.ts';
import { HttpError } from '../model/http-error.ts';
import { maxBodyBytes } from '../model/request-limits.ts';
import type { Call, CheckedEvent, Hook, Run } from './call.ts';
import { tellingDeprecation } from './deprecation.ts';
import { etagOf, isCurrent } from './etag.ts';
import { type Formats, parseInput } from './parse.ts';
import { addressOf, baseUrlOf, bodyOf, headerOf } from './request.ts';
import { jsonResponse, rawResponse, textResponse } from './response.ts';
import { RawResponse, type Route } from './route.ts';
import { selected } from './select-fields.ts';
import { isOfConsole, sessionTokenOf } from './session-cookie.ts';

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
const validating = (cacheSeconds: number, { isPublic }: Route): Hook => ({
  after: (request) => {
    const { event, response } = request;
    if (!response) return;
    const etag = etagOf(response.body);
    const cacheControl = `${isPublic ? 'public' : 'private'}, max-age=${cacheSeconds}`;
    const headers = { 'Cache-Control': cacheControl, ...response.headers, ETag: etag };
    request.response = isCurrent(headerOf(event, 'if-none-match'), etag)
      ? // `compressed` adds `Vary` to a body only, and a 304 has that of the response which the client keeps.
        { statusCode: 304, headers: { ...headers, Vary: 'Accept-Encoding' }, body: '' }
      : { ...response, headers };
  },
});

/**
 * A handler for one row of the route table: runs the hooks, then `run`, and parses the returned value with
 * the route's `reply`.
 */
export const wrap = <const R extends Route>(route: R, hooks: Hook[], run: Run<R>) => {
  const handler = middy<CheckedEvent, APIGatewayProxyResult>()
    .use([
      ...(route.deprecated ? [tellingDeprecation(route)] : []),
      ...hooks,
      ...(route.cacheSeconds === undefined ? [] : [validating(route.cacheSeconds, route)]),
    ])
    .handler(async (event) => {
      const { idempotency, ignored: _, ...input } = event.input ?? {};
      const request = {
        baseUrl: baseUrlOf(event),
        path: event.path,
        address: addressOf(event),
        apiKey: event.apiKey ?? null,
        console: isOfConsole(event) ? { token: sessionTokenOf(event) } : null,
        ...(idempotency && { idempotency }),
      };
      const response = { headers: {} };
      // `parsing` and `authenticating` have set the fields that the route's types declare.
      const call = { ...input, user: event.user, request, response } as Call<R>;
      const answer = await run(call);
      if (answer instanceof TextReply) {
        event.textWarnings = answer.warnings;
        return textResponse(answer, response.headers);
      }
      const reply = selected(v.parse(route.reply, answer), event.input?.query, route);
      return route.response
        ? rawResponse(v.parse(RawResponse, reply))
        : jsonResponse(route.status ?? 200, reply, response.headers);
    });
  return Object.assign(handler, { route });
};
