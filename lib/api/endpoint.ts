/** Wraps an operation: key, size, permission, rate and input are settled before it runs, in the order of Reading 25. */
import { authenticate } from '../access/authenticate.ts';
import { countRequest } from '../access/rate.ts';
import { HttpError } from '../model/http-error.ts';
import { addToScope } from '../runtime/scope.ts';
import { type Hook, limitingSize, parsing, type Run, wrap } from './open-endpoint.ts';
import { addressOf, headerOf } from './request.ts';
import type { Route } from './route.ts';

/**
 * A handler for one row of the route table; it stands behind an `area`, which answers what it throws. What `run` answers
 * is parsed by the route's `reply`, so nothing leaves that the interface does not name.
 */
export const endpoint = <const R extends Route>(route: R, run: Run<R>) =>
  wrap(route, [authenticating(route), limitingSize, permitting(route), limitingRate, parsing(route)], run);

const authenticating = ({ auth }: Route): Hook => ({
  before: async ({ event }) => {
    if (auth === 'bearer') {
      event.user = await authenticate(headerOf(event, 'authorization') ?? '', addressOf(event));
      addToScope({ user_id: event.user.id });
    }
  },
});

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
    event.rateHeaders = await countRequest(event.user);
  },
  after: ({ event, response }) => {
    Object.assign(response?.headers ?? {}, event.rateHeaders);
  },
  onError: ({ event, error }) => {
    if (error instanceof HttpError) Object.assign(error.headers, event.rateHeaders);
  },
};
