/** Signs a person out: the browser forgets the session. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';
import { sessionCookie } from '../../../lib/api/session-cookie.ts';
import { HttpError } from '../../../lib/model/http-error.ts';

export const handler = openEndpoint(
  routes['account/end-session'],
  ({ request: { baseUrl, console }, response }) => {
    if (!console) throw new HttpError(403, 'Only a page of the console may end a session');
    response.headers['Set-Cookie'] = sessionCookie('', 0, baseUrl);
    return { user: null };
  },
);
