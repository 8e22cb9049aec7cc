/** Where a link leads by its own account: asked for over HTTP, and never followed. */
import { untilAborted } from './deadline.ts';
import { networkError } from './network-error.ts';
import { addressIn, asText, headerValues, isRedirect, openWayOut, type WayOut } from './way-out.ts';

/** `location` as it was written, if need be made absolute; null where the answer leads nowhere else. */
export type Answered = { ok: true; status: number; location: string | null } | { ok: false; reason: string };

export type LocationRequest = WayOut & { headers: Record<string, string>; deadlineMs: number };

/** Whoever wrote the address knows how it is spelled: an absolute one stays as it is. */
const absolute = (location: string, base: URL): string | null => {
  const address = addressIn(location, base);
  return address && (/^https?:/i.test(location) ? asText(location) : address.href);
};

/** Opens one way out, for link after link: connections are kept, and what a proxy takes for one visitor stays one. */
export const openLocations = ({ headers, deadlineMs, ...wayOut }: LocationRequest) => {
  const { dispatcherFor, close } = openWayOut(wayOut);
  const request = async (link: string, signal: AbortSignal): Promise<Answered> => {
    const url = new URL(link);
    const {
      statusCode,
      headers: answered,
      body,
    } = await dispatcherFor(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      signal,
    });
    await body.dump({ limit: 64 * 1024, signal });
    const [location] = isRedirect(statusCode) ? headerValues(answered.location) : [];
    return {
      ok: true,
      status: statusCode,
      location: location === undefined ? null : absolute(location, url),
    };
  };
  return {
    /** What the wire does is in the answer; throws only where the request itself is broken. */
    ask: async (link: string): Promise<Answered> => {
      const signal = AbortSignal.timeout(deadlineMs);
      try {
        return await untilAborted(signal, request(link, signal));
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'timeout: the link was not answered in time' };
        return { ok: false, reason: networkError(error) };
      }
    },
    close,
  };
};
