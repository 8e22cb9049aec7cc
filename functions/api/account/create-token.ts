/** Returns a token for an API key and the name of its user. */
import { logIn } from '../../../lib/access/log-in.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = openEndpoint(routes['account/create-token'], ({ body, request }) =>
  logIn(body, request.address),
);
