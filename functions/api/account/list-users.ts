/** Lists all users. */
import { listUsers } from '../../../lib/access/manage-users.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';

export const handler = endpoint(routes['account/list-users'], ({ query, user }) => listUsers(user, query));
