/** Finds keyword ideas in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { dataforseoDialect, findIdeas } from '../../../lib/compat/dataforseo/keyword-tasks.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['keyword/find-dataforseo-ideas'],
  dataforseoDialect,
  ({ body, user, request }) =>
    findIdeas(body, { path: request.path, began: stopwatch() }, { user, baseUrl: request.baseUrl }),
);
