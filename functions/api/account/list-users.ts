/** Lists all users. */
import { listUsers } from '../../../lib/access/manage-users.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/list-users'], ({ query, user }) => listUsers(user, query));
