/** Returns the user of the key or token. */
import { viewUser } from '../../../lib/access/view-user.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/read-user'], ({ user, request }) =>
  viewUser(user, request.apiKey),
);
