/** Where hidden links are asked for: the place that their page came from, by the same route. */
import { openLocations } from '../net/ask-location.ts';
import { withOrigin } from '../net/origin.ts';
import { origin as google } from '../serp/google/link.ts';
import { locationInSandbox, routeOf, type Search } from './http.ts';
import { identityFor } from './identity.ts';

const deadlineMs = 5000;

export type Links = {
  /** Where a hidden link leads by its own account; null where it says nothing, for whatever reason. */
  ask: (link: string) => Promise<string | null>;
  close: () => Promise<void>;
};

/** An address on the host that was asked is one of the engine's own, wherever the operator has its pages fetched. */
const asEngine = (location: string, asked: string): string =>
  URL.parse(location)?.origin === asked ? withOrigin(location, google) : location;

/** Links as `askAt` is given them: on the host that their page came from. */
export const askingAt =
  (origin: string, askAt: (link: string) => Promise<string | null>): Links['ask'] =>
  async (link) => {
    const location = await askAt(withOrigin(link, origin));
    return location === null ? null : asEngine(location, origin);
  };

/** Opens the links of a page, as a reader of the page would who had come by `session`. */
export const openLinks = async (search: Search, session: string): Promise<Links> => {
  const route = await routeOf(search, session);
  if (!route) return { ask: async (link) => locationInSandbox(search, link), close: async () => {} };
  const { url, ...way } = route;
  const { origin } = new URL(url);
  const { headers } = identityFor(search.device, search.language_code);
  const { ask, close } = openLocations({
    ...way,
    headers: { ...headers, 'sec-fetch-site': 'same-origin', referer: `${origin}/` },
    deadlineMs,
  });
  return {
    ask: askingAt(origin, async (link) => {
      const answered = await ask(link);
      return answered.ok ? answered.location : null;
    }),
    close,
  };
};
