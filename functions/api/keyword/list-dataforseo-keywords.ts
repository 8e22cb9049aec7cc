/** Lists the keyword data that is ready in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { dataforseoDialect, listReadyTasks } from '../../../lib/compat/dataforseo/keyword-tasks.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['keyword/list-dataforseo-keywords'],
  dataforseoDialect,
  ({ params, user, request }) =>
    listReadyTasks(
      params.function,
      { path: request.path, began: stopwatch() },
      { user, baseUrl: request.baseUrl },
    ),
);
