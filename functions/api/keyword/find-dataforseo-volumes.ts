/** Finds search volumes in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { keywordRoutes as routes } from '../../../lib/api/routes/keyword.ts';
import { dataforseoDialect, findVolumes } from '../../../lib/compat/dataforseo/keywords.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['keyword/find-dataforseo-volumes'],
  dataforseoDialect,
  ({ body, user, request }) => findVolumes(body, { path: request.path, began: stopwatch() }, user),
);
