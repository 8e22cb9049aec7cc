/** Ends all keys for addresses of searches. */
import { endSearchKeys } from '../../../lib/access/search-link.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/end-search-keys'], async ({ user }) => {
  await endSearchKeys(user);
  return { ended: true };
});
