/** Fetches pages with the browser, from the same sources as over HTTP. */
import { browserDeadlineMs, httpDeadlineMs } from '../model/page-time.ts';
import type { AskLink } from '../net/ask-in-page.ts';
import { endMs } from '../net/browser.ts';
import type { InventedAnswer } from '../net/intercept.ts';
import { type Rendered, renderHtml } from '../net/render-html.ts';
import { headersOf } from '../serp/address.ts';
import { importSandbox, networkRequest } from './http.ts';
import { browserIdentityFor, languagesIn } from './identity.ts';
import { type Links, onOrigin } from './links.ts';
import type { FetchResult, PageRequest } from './page.ts';

/** How long the end of a page takes at most, after `totalMs`. */
export const browserEndMs = endMs;

const inventFor =
  (request: PageRequest) =>
  async ({ url, cookie }: { url: string; cookie: string }): Promise<InventedAnswer> => {
    const { sandboxPage } = await importSandbox();
    const page = await sandboxPage({ ...request, url }, httpDeadlineMs, cookie);
    return page.ok
      ? {
          status: page.status,
          headers: { 'content-type': page.headers?.['content-type'] ?? 'text/html; charset=UTF-8' },
          body: page.body,
        }
      : null;
  };

/**
 * Looks up links of a page from the network while the page is open. Never called for a sandbox page.
 * `deadlineMs` limits it.
 */
type LookUp = { work: (page: Rendered, ask: Links['ask']) => Promise<void>; deadlineMs: number };

const askingIn =
  ({ engine }: PageRequest, { work }: LookUp) =>
  (page: Rendered, ask: AskLink): Promise<void> =>
    work(page, onOrigin(engine, page.url, ask));

/**
 * The identity, and the headers of the engine's address. The browser makes its own language header from the
 * languages of the identity.
 */
const presence = (request: PageRequest) => {
  const { 'accept-language': language, ...headers } = headersOf(request);
  const identity = browserIdentityFor(
    request.device,
    request.language_code,
    request.iso_code,
    request.position,
  );
  return { headers, identity: language ? { ...identity, languages: languagesIn(language) } : identity };
};

/**
 * Opens a page, or loads it with the token of the page before it, within `totalMs` from the wait for a
 * browser to the last lookup. `patienceMs` returns how long to wait for the present page to change or be
 * replaced; 0 takes it at once. `session` gives each attempt its own proxy session.
 */
export const fetchInBrowser = async (
  request: PageRequest,
  session: string,
  patienceMs: (page: Rendered) => number,
  lookUp: LookUp,
  totalMs: number,
): Promise<FetchResult> => {
  const { continuation } = request;
  const url = continuation ? new URL(continuation.path, request.url).href : request.url;
  const overNetwork = await networkRequest({ ...request, url }, { fetcher: 'browser', session });
  const page = await renderHtml({
    ...(overNetwork
      ? { ...overNetwork, whileOpen: { work: askingIn(request, lookUp), deadlineMs: lookUp.deadlineMs } }
      : { url, invent: inventFor(request) }),
    body: continuation?.body,
    ...presence(request),
    deadlineMs: browserDeadlineMs,
    totalMs,
    patienceMs,
  });
  return page.ok && continuation ? { ...page, token: continuation.token } : page;
};
