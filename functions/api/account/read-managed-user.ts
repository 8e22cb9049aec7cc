/** Returns a user to an admin. */
import { showAccount } from '../../../lib/access/show-account.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/read-managed-user'], ({ params }) =>
  showAccount(params.user_id),
);
