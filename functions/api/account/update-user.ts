/** Disables, enables or limits a user. */
import { changeUser } from '../../../lib/access/manage-users.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/update-user'], ({ params, body, user }) =>
  changeUser(user, params.user_id, body),
);
