/** Lists locations or languages in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { dataforseoDialect, listNames } from '../../../lib/compat/dataforseo/lists.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['compat/list-dataforseo-names'],
  dataforseoDialect,
  ({ params, request }) => listNames(params, { path: request.path, began: stopwatch() }),
);
