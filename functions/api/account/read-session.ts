/** Returns the signed-in user of the console. */
import { readSession } from '../../../lib/access/session.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';

export const handler = openEndpoint(routes['account/read-session'], async ({ request }) => ({
  user: await readSession(request.console?.token ?? null),
}));
