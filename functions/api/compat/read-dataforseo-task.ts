/** Reads a search in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { dataforseoDialect, readTask } from '../../../lib/compat/dataforseo/dataforseo.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['compat/read-dataforseo-task'],
  dataforseoDialect,
  ({ params, user, request }) =>
    readTask(params, { path: request.path, began: stopwatch() }, { user, baseUrl: request.baseUrl }),
);
