/** Shows the account in the form of DataForSEO. */
import { dialectEndpoint } from '../../../lib/api/dialect.ts';
import { compatRoutes as routes } from '../../../lib/api/routes/compat.ts';
import { dataforseoDialect, readAccount } from '../../../lib/compat/dataforseo/lists.ts';
import { stopwatch } from '../../../lib/runtime/clock.ts';

export const handler = dialectEndpoint(
  routes['compat/read-dataforseo-account'],
  dataforseoDialect,
  ({ user, request }) => readAccount(user, { path: request.path, began: stopwatch() }),
);
