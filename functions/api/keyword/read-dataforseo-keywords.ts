/** Reads keyword data in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { dataforseoDialect, readTask } from '../../../lib/compat/dataforseo/keyword-tasks.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['keyword/read-dataforseo-keywords'],
  dataforseoDialect,
  ({ params, user, request }) =>
    readTask(params, { path: request.path, began: stopwatch() }, { user, baseUrl: request.baseUrl }),
);
