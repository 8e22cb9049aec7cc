/** Queues searches in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { dataforseoDialect, postTasks } from '../../../lib/compat/dataforseo/dataforseo.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['compat/post-dataforseo-tasks'],
  dataforseoDialect,
  ({ params, body, user, request }) =>
    postTasks(
      params.engine,
      body,
      { path: request.path, began: stopwatch() },
      { user, baseUrl: request.baseUrl },
    ),
);
