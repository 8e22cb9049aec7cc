/** Searches in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { dataforseoDialect, searchLive } from '../../../lib/compat/dataforseo/dataforseo.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['compat/search-dataforseo'],
  dataforseoDialect,
  ({ params, body, user, request }) =>
    searchLive(params, body, { path: request.path, began: stopwatch() }, { user, baseUrl: request.baseUrl }),
);
