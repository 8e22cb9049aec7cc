/** Replaces the API key of a user. */
import { rotateKeyOf } from '../../../lib/access/manage-users.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/rotate-user-key'], ({ params, query, user }) =>
  rotateKeyOf(user, params.user_id, query),
);
