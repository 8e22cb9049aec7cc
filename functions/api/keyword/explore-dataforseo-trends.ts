/** Reads the trends of a keyword in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { dataforseoDialect, exploreTrends } from '../../../lib/compat/dataforseo/keywords.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['keyword/explore-dataforseo-trends'],
  dataforseoDialect,
  ({ body, user, request }) => exploreTrends(body, { path: request.path, began: stopwatch() }, user),
);
