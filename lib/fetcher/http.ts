/**
 * Fetches pages over HTTP: from an origin that the operator set, from the engine itself, or from the sandbox.
 */
import { httpDeadlineMs } from '../model/page-time.ts';
import type { Continuation } from '../model/search.ts';
import { type CookieJar, cookieJar } from '../net/cookie-jar.ts';
import { getHtml } from '../net/get-html.ts';
import { atOrigin } from '../net/origin.ts';
import { stopwatch } from '../runtime/clock.ts';
import { heldMs } from '../runtime/processor-limit.ts';
import { endsAtCookie, headersOf } from '../serp/address.ts';
import { customOrigin, isSandbox } from './choose.ts';
import { identityFor } from './identity.ts';
import type { FetchResult, PageRequest, Route } from './page.ts';
import { proxyAuthority, proxyFor } from './proxy.ts';

export { type CookieJar, cookieJar };

/**
 * The sandbox is imported on demand, because it is half of the code of a fetch. `#sandbox` is `sandbox.ts`
 * (package.json). The bundle of a live stage does not contain it (`infra/service-function.ts`).
 */
export const importSandbox = () => import('#sandbox');

/** The URL and the way out to it; undefined if the sandbox answers. */
export const networkRequest = async (request: PageRequest, route: Route) => {
  if (isSandbox(request.engine)) return undefined;
  const proxyUrl = await proxyFor(request, route);
  const proxyCa = proxyUrl && (await proxyAuthority());
  return {
    ...atOrigin(request.url, customOrigin(request.engine)),
    ...(proxyUrl && { proxyUrl }),
    ...(proxyCa && { proxyCa }),
  };
};

/** All headers of a navigation to the page: those of the identity, with those of the engine's address. */
export const navigationHeaders = (request: PageRequest): Record<string, string> => ({
  ...identityFor(request.device, request.language_code).headers,
  ...headersOf(request),
});

/** The headers of a request that the script of the page makes to its own site. */
const scriptHeaders = (request: PageRequest): Record<string, string> => {
  const {
    'upgrade-insecure-requests': _upgrade,
    'sec-fetch-user': _user,
    ...headers
  } = navigationHeaders(request);
  return {
    ...headers,
    accept: '*/*',
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'cors',
    'sec-fetch-site': 'same-origin',
    referer: `${new URL(request.url).origin}/`,
  };
};

/** Fetches a page with a token, as the script of the page before it does. */
const fetchContinuation = async (
  request: PageRequest,
  { path, body, token }: Continuation,
  session: string,
  remainingMs: number,
  jar: CookieJar,
): Promise<FetchResult> => {
  const { origin } = new URL(request.url);
  const part = { ...request, url: new URL(path, origin).href };
  const deadlineMs = Math.min(httpDeadlineMs, remainingMs);
  const overNetwork = await networkRequest(part, { fetcher: 'http', session });
  const page = overNetwork
    ? await getHtml({ ...overNetwork, headers: { ...scriptHeaders(request), origin }, body, deadlineMs, jar })
    : await (await importSandbox()).sandboxPage(part, deadlineMs);
  return page.ok ? { ...page, token } : page;
};

/**
 * Fetches a page once, within `remainingMs` and never longer than `httpDeadlineMs`. If the engine answers
 * with nothing but a cookie, it asks once more, with the cookie. The time does not count in which the reading
 * of another page holds this thread.
 */
export const fetchOverHttp = async (
  request: PageRequest,
  session: string,
  remainingMs: number,
  jar: CookieJar = cookieJar(),
): Promise<FetchResult> => {
  if (request.continuation)
    return fetchContinuation(request, request.continuation, session, remainingMs, jar);
  const deadlineMs = Math.min(httpDeadlineMs, remainingMs);
  const overNetwork = await networkRequest(request, { fetcher: 'http', session });
  if (!overNetwork) return (await importSandbox()).sandboxPage(request, deadlineMs);
  const nowMs = (): number => stopwatch() - heldMs();
  const started = nowMs();
  const navigation = { ...overNetwork, headers: navigationHeaders(request), jar };
  const page = await getHtml({ ...navigation, deadlineMs });
  const leftMs = Math.floor(deadlineMs - (nowMs() - started));
  if (!page.ok || leftMs <= 0 || !endsAtCookie(request.engine, page.url)) return page;
  return getHtml({ ...navigation, deadlineMs: leftMs });
};

/** The reason of a part of a page that is not where the page says it is. */
const movedReason = 'unreachable: the engine redirects the request for a part of the page';

/** Parts of real pages have less than half of this. */
const maxFragmentBytes = 2 * 1024 * 1024;

/**
 * Fetches a part of a page once, as the page's own script does. `path` is at the origin of the page, `jar`
 * has the cookies of the page. What is behind a redirect is another page, such as a form for consent.
 */
export const fetchFragment = async (
  request: PageRequest,
  path: string,
  route: Route,
  remainingMs: number,
  jar?: CookieJar,
): Promise<FetchResult> => {
  const deadlineMs = Math.min(httpDeadlineMs, remainingMs);
  const part = { ...request, url: new URL(path, request.url).href };
  const overNetwork = await networkRequest(part, route);
  if (!overNetwork) return (await importSandbox()).sandboxPage(part, deadlineMs);
  const answer = await getHtml({
    ...overNetwork,
    headers: scriptHeaders(request),
    deadlineMs,
    maxBytes: maxFragmentBytes,
    jar,
  });
  const isMoved = answer.ok && answer.url !== new URL(overNetwork.url).href;
  return isMoved ? { ok: false, reason: movedReason } : answer;
};
