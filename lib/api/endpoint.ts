/**
 * Wraps an operation. Checks key, size, permission, rate and input before the operation runs, in the order of
 * Reading 25.
 */
import { apiKeyIn, authenticate } from '../access/authenticate.ts';
import { countRequest } from '../access/rate.ts';
import { HttpError } from '../model/http-error.ts';
import { addToScope } from '../runtime/scope.ts';
import type { Hook, Run } from './call.ts';
import type { Formats } from './parse.ts';
import { namingIgnored } from './query-warnings.ts';
import { addressOf, headerOf } from './request.ts';
import type { Route } from './route.ts';
import { checkShownUser, sessionTokenOf } from './session-cookie.ts';
import { limitingSize, parsing, wrap } from './wrap.ts';

/**
 * A handler for one row of the route table. It is used in an `area`, which turns the errors that it throws
 * into responses. The value that `run` returns is parsed with the route's `reply`, so a response contains
 * only fields that the API declares. `formats` reads bodies that are not JSON.
 */
export const endpoint = <const R extends Route>(route: R, run: Run<R>, formats?: Formats) =>
  wrap(
    route,
    [
      authenticating(route),
      limitingSize(route),
      permitting(route),
      limitingRate,
      parsing(route, formats),
      namingIgnored(route),
    ],
    run,
  );

const authenticating = ({ auth }: Route): Hook => ({
  before: async ({ event }) => {
    if (auth === 'bearer') {
      // Clients of other services send X-API-KEY. It is refused as another scheme, with the same hint.
      const otherScheme = headerOf(event, 'x-api-key') ? 'X-API-KEY' : '';
      const session = sessionTokenOf(event);
      const authorization =
        headerOf(event, 'authorization') || otherScheme || (session === null ? '' : `Bearer ${session}`);
      event.user = await authenticate(authorization, addressOf(event));
      checkShownUser(event, event.user);
      event.apiKey = apiKeyIn(authorization);
      addToScope({ user_id: event.user.id });
    }
  },
});

export const permitting = ({ permission, method, isForReaders }: Route): Hook => ({
  before: ({ event }) => {
    const mayRead = method === 'GET' || isForReaders;
    if (event.user?.read_only && !mayRead) throw new HttpError(403, 'This user may only read');
    if (permission && !event.user?.permissions.includes(permission)) {
      throw new HttpError(403, `This needs the permission ${permission}`);
    }
  },
});

export const limitingRate: Hook = {
  before: async ({ event }) => {
    if (!event.user) return;
    event.rateHeaders = await countRequest(event.user);
  },
  after: ({ event, response }) => {
    Object.assign(response?.headers ?? {}, event.rateHeaders);
  },
  onError: ({ event, error }) => {
    if (error instanceof HttpError) Object.assign(error.headers, event.rateHeaders);
  },
};
