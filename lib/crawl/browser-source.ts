/** Where pages come from when a browser opens them: the same places as over HTTP. */
import { type InventedAnswer, type Rendered, renderPage } from '../runtime/render-page.ts';
import { browserIdentityFor } from './identity.ts';
import { fromSandbox, type Got, routeOf, type Search } from './source.ts';

/** One total deadline for a page, from the start of a browser to the last look at it. */
const deadlineMs = 25_000;

const inventFor =
  (search: Search) =>
  async ({ url, cookie }: { url: string; cookie: string }): Promise<InventedAnswer> => {
    const got = await fromSandbox({ ...search, url }, cookie);
    return got.ok
      ? { status: got.status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: got.body }
      : null;
  };

/** Opens a page once, and takes it when it is worth no more waiting. `session` tells apart the proxies of two tries. */
export const getRenderedPage = (
  search: Search,
  session: string,
  patienceMs: (page: Rendered) => number,
): Promise<Got> =>
  renderPage({
    ...(routeOf(search, session) ?? { url: search.url, invent: inventFor(search) }),
    identity: browserIdentityFor(search.device, search.language_code, search.iso_code),
    deadlineMs,
    patienceMs,
  });
