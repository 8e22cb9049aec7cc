/** Where pages come from when a browser opens them: the same places as over HTTP. */

import type { AskLink } from '../net/ask-in-page.ts';
import { type InventedAnswer, type Rendered, renderHtml } from '../net/render-html.ts';
import { fromSandbox, type Got, routeOf, type Search } from './http.ts';
import { browserIdentityFor } from './identity.ts';
import { askingAt, type Links } from './links.ts';

/** One total deadline for a page, from an empty tab to the last look at it. */
const deadlineMs = 25_000;

const inventFor =
  (search: Search) =>
  async ({ url, cookie }: { url: string; cookie: string }): Promise<InventedAnswer> => {
    const got = await fromSandbox({ ...search, url }, cookie);
    return got.ok
      ? { status: got.status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: got.body }
      : null;
  };

/** Looks up links of a page from the network while the page is open. Never called for a sandbox page. */
export type LookUp = { work: (page: Rendered, ask: Links['ask']) => Promise<void>; deadlineMs: number };

const askingIn =
  ({ work }: LookUp) =>
  (page: Rendered, ask: AskLink): Promise<void> =>
    work(page, askingAt(new URL(page.url).origin, ask));

/** Opens a page once, and takes it when it is worth no more waiting. `session` tells apart the proxies of two tries. */
export const getRenderedPage = async (
  search: Search,
  session: string,
  patienceMs: (page: Rendered) => number,
  lookUp: LookUp,
): Promise<Got> => {
  const route = await routeOf(search, session);
  return renderHtml({
    ...(route
      ? { ...route, whileOpen: { work: askingIn(lookUp), deadlineMs: lookUp.deadlineMs } }
      : { url: search.url, invent: inventFor(search) }),
    identity: browserIdentityFor(search.device, search.language_code, search.iso_code),
    deadlineMs,
    patienceMs,
  });
};
