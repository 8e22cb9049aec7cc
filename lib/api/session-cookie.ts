/**
 * The cookie of the console: a token that only requests of the console's own pages may use. A form, a link or
 * a picture of another site cannot set the header `x-console`, its script would have to ask first (Fetch
 * standard, "CORS-preflight fetch"), and no preflight allows it. Where the browser says which site a request
 * comes from (`Sec-Fetch-Site`), that must be the same origin.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { HttpError } from '../model/http-error.ts';
import { headerOf } from './request.ts';

const cookieName = 'search-ranking-session';

/** Whether a page of the service itself has sent the request. */
export const isOfConsole = (event: APIGatewayProxyEvent): boolean =>
  headerOf(event, 'x-console') === '1' &&
  (headerOf(event, 'sec-fetch-site') ?? 'same-origin') === 'same-origin';

/** The token in the cookie of a request of the console; null if it has none, or for any other request. */
export const sessionTokenOf = (event: APIGatewayProxyEvent): string | null => {
  if (!isOfConsole(event)) return null;
  const pairs = (headerOf(event, 'cookie') ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  return found ? found : null;
};

/**
 * Lets a page of the console act only as the user whom it shows (`x-console-user`): all tabs share the
 * cookie, and somebody else may have signed in, in another one.
 * @throws HttpError 401 if the page shows another user.
 */
export const checkShownUser = (event: APIGatewayProxyEvent, { id }: { id: number }): void => {
  const shown = headerOf(event, 'x-console-user');
  if (isOfConsole(event) && shown && shown !== String(id)) {
    throw new HttpError(401, 'Another user has signed in', { 'WWW-Authenticate': 'Bearer' });
  }
};

/**
 * The value of `Set-Cookie` that keeps a token for `seconds`; 0 ends the session. `baseUrl`: the address of
 * the interface, whose paths get the cookie. Over plain HTTP, which only a laptop uses, `Secure` would lose
 * it.
 */
export const sessionCookie = (token: string, seconds: number, baseUrl: string): string => {
  const path = URL.canParse(baseUrl) ? new URL(baseUrl).pathname : baseUrl;
  return [
    `${cookieName}=${token}`,
    `Path=${path.replace(/\/*$/, '')}/`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(baseUrl.startsWith('http://') ? [] : ['Secure']),
  ].join('; ');
};
