/** Signs a person in at the console, or makes the session longer. */
import { openSession, renewSession } from '../../../lib/access/session.ts';
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { accountRoutes as routes } from '../../../lib/api/routes/account.ts';
import { sessionCookie } from '../../../lib/api/session-cookie.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { tokenSeconds } from '../../../lib/model/token.ts';

export const handler = openEndpoint(
  routes['account/open-session'],
  async ({ body, request: { address, baseUrl, console }, response }) => {
    if (!console) throw new HttpError(403, 'Only a page of the console may open a session');
    const { token, user } = await (body.key === undefined
      ? renewSession(console.token)
      : openSession(body.key, address));
    response.headers['Set-Cookie'] = sessionCookie(token, tokenSeconds, baseUrl);
    return { user };
  },
);
