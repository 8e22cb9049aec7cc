/** Looks up the targets of hidden links at the origin that served their page, through the same route. */
import type { EngineName } from '../model/engine.ts';
import { openLocations } from '../net/ask-location.ts';
import { withOrigin } from '../net/origin.ts';
import { originOf } from '../serp/address.ts';
import { importSandbox, navigationHeaders, networkRequest } from './http.ts';
import type { PageRequest, Route } from './page.ts';

const deadlineMs = 5000;

export type Links = {
  /** The `Location` of the response to a hidden link; null if there is none, for whatever reason. */
  ask: (link: string) => Promise<string | null>;
  close: () => Promise<void>;
};

/**
 * Sends links of an engine to the origin of `pageUrl`, which may be an origin that the operator set. A
 * `Location` on that origin is one of the engine's own pages, so it is returned at the engine's origin.
 */
export const onOrigin =
  (engine: EngineName, pageUrl: string, askAt: (link: string) => Promise<string | null>): Links['ask'] =>
  async (link) => {
    const { origin } = new URL(pageUrl);
    const location = await askAt(withOrigin(link, origin));
    if (location === null) return null;
    return URL.parse(location)?.origin === origin ? withOrigin(location, originOf(engine)) : location;
  };

/**
 * Prepares lookups of a page's links, with the headers of a click on that page. `route` is that of the page's
 * fetch.
 */
export const openLinks = async (request: PageRequest, route: Route): Promise<Links> => {
  const overNetwork = await networkRequest(request, route);
  if (!overNetwork) {
    const { sandboxLocation } = await importSandbox();
    return { ask: async (link) => sandboxLocation(request, link), close: async () => {} };
  }
  const { url, ...wayOut } = overNetwork;
  const { ask, close } = openLocations({
    ...wayOut,
    headers: {
      ...navigationHeaders(request),
      'sec-fetch-site': 'same-origin',
      referer: `${new URL(url).origin}/`,
    },
    deadlineMs,
  });
  return {
    ask: onOrigin(request.engine, url, async (link) => {
      const answered = await ask(link);
      return answered.ok ? answered.location : null;
    }),
    close,
  };
};
