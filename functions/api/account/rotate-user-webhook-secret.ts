/** Replaces the webhook secret of a user. */
import { rotateSecretOf } from '../../../lib/access/manage-users.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/rotate-user-webhook-secret'], ({ params, query, user }) =>
  rotateSecretOf(user, params.user_id, query),
);
