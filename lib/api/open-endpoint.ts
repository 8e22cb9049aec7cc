/**
 * Wraps an operation that needs no key. Checks size and input before the operation runs. The checks of keys
 * are in `endpoint`, so that the bundle of an area without keys contains neither these checks nor the client
 * of their tables.
 */
import type { Run } from './call.ts';
import type { Route } from './route.ts';
import { limitingSize, parsing, wrap } from './wrap.ts';

/** As `endpoint`, for a route without a key. */
export const openEndpoint = <const R extends Route & { auth: 'none' }>(route: R, run: Run<R>) =>
  wrap(route, [limitingSize(route), parsing(route)], run);
