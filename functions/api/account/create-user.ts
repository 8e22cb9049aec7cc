/** Creates a user and its API key. */
import { createUser } from '../../../lib/access/create-user.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = endpoint(routes['account/create-user'], ({ body, user }) => createUser(user, body));
