/** Queues keyword data in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { dataforseoDialect, postTasks } from '../../../lib/compat/dataforseo/keyword-tasks.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['keyword/post-dataforseo-keywords'],
  dataforseoDialect,
  ({ params, body, user, request }) =>
    postTasks(
      params.function,
      body,
      { path: request.path, began: stopwatch() },
      { user, baseUrl: request.baseUrl },
    ),
);
