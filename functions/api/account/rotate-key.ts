/** Replaces the API key of the caller. */
import { rotateOwnKey } from '../../../lib/access/rotate-key.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/rotate-key'], ({ user, query }) =>
  rotateOwnKey(user, query.grace),
);
