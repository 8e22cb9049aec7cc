/** Lists the searches that have ended in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { dataforseoDialect, listReady } from '../../../lib/compat/dataforseo/dataforseo.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['compat/list-dataforseo-ready'],
  dataforseoDialect,
  ({ params, user, request }) =>
    listReady(params.engine, { path: request.path, began: stopwatch() }, { user, baseUrl: request.baseUrl }),
);
