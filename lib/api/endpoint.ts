/** Wraps an operation: key, size, permission, rate and input are settled before it runs, in the order of Reading 25. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';
import { learn } from '../runtime/scope.ts';
import { jsonAnswer, rawAnswer } from './answer.ts';
import { type Input, parseInput } from './parse.ts';
import { addressOf, baseUrlOf, bodyOf, headerOf } from './request.ts';
import { RawAnswer, type Route } from './route.ts';

const maxBodyBytes = 1024 * 1024;

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

/** The event on its way through the list below: each hook adds what it settles. */
type Settled = APIGatewayProxyEvent & { user?: Account; rateHeaders?: Record<string, string>; input?: Input };
type Hook = middy.MiddlewareObj<Settled, APIGatewayProxyResult>;

const hooks = (route: Route): Hook[] => [
  authenticating(route),
  limitingSize,
  permitting(route),
  limitingRate,
  parsing(route),
];

/**
 * A handler for one row of the route table; it stands behind an `area`, which answers what it throws. What `run` answers
 * is parsed by the route's `reply`, so nothing leaves that the interface does not name.
 */
export const endpoint = <const R extends Route>(
  route: R,
  run: (call: Call<R>) => Promise<v.InferInput<R['reply']>> | v.InferInput<R['reply']>,
) => {
  const handler = middy<Settled, APIGatewayProxyResult>()
    .use(hooks(route))
    .handler(async (event) => {
      const request = { baseUrl: baseUrlOf(event), path: event.path };
      // The hooks have made of the event what the route's types say.
      const call = { ...event.input, user: event.user, request } as Call<R>;
      const reply = v.parse(route.reply, await run(call));
      return route.answers ? rawAnswer(v.parse(RawAnswer, reply)) : jsonAnswer(200, reply);
    });
  return Object.assign(handler, { route });
};

const authenticating = ({ auth }: Route): Hook => ({
  before: async ({ event }) => {
    if (auth === 'bearer') {
      // Loaded where it is needed: an area whose every operation is open has no table of users.
      const { authenticate } = await import('../access/authenticate.ts');
      event.user = await authenticate(headerOf(event, 'authorization') ?? '', addressOf(event));
      learn({ user_id: event.user.id });
    }
  },
});

const limitingSize: Hook = {
  before: ({ event }) => {
    if (bodyOf(event).byteLength > maxBodyBytes) throw new HttpError(413, 'The body is larger than 1 MiB');
  },
};

const permitting = ({ permission }: Route): Hook => ({
  before: ({ event }) => {
    if (permission && !event.user?.permissions.includes(permission)) {
      throw new HttpError(403, `This needs the permission ${permission}`);
    }
  },
});

const limitingRate: Hook = {
  before: async ({ event }) => {
    if (!event.user) return;
    const { countRequest } = await import('../access/rate.ts');
    event.rateHeaders = await countRequest(event.user);
  },
  after: ({ event, response }) => {
    Object.assign(response?.headers ?? {}, event.rateHeaders);
  },
  onError: ({ event, error }) => {
    if (error instanceof HttpError) Object.assign(error.headers, event.rateHeaders);
  },
};

const parsing = (route: Route): Hook => ({
  before: async ({ event }) => {
    event.input = await parseInput(route, event);
  },
});
