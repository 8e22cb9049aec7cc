/** Asks over HTTP where a link redirects to. The redirect is never followed. */
import { abortAfter, untilAborted } from './deadline.ts';
import { networkError } from './network-error.ts';
import { addressIn, asText, headerValues, isRedirect, openWayOut, type WayOut } from './way-out.ts';

/**
 * `location` is as the server wrote it, made absolute if it is relative; null if the answer is not a redirect
 * to an address.
 */
type Answered = { ok: true; status: number; location: string | null } | { ok: false; reason: string };

type LocationRequest = WayOut & { headers: Record<string, string>; deadlineMs: number };

/** An absolute address keeps the spelling that the server gave it. */
const absolute = (location: string, base: URL): string | null => {
  const address = addressIn(location, base);
  return address && (/^https?:/i.test(location) ? asText(location) : address.href);
};

/** Opens one way out for several links: connections are reused, and a proxy keeps seeing the same visitor. */
export const openLocations = ({ headers, deadlineMs, ...wayOut }: LocationRequest) => {
  const { dispatcherFor, close } = openWayOut(wayOut);
  const request = async (link: string, signal: AbortSignal): Promise<Answered> => {
    const url = new URL(link);
    const {
      statusCode,
      headers: answerHeaders,
      body,
    } = await dispatcherFor(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      signal,
    });
    await body.dump({ limit: 64 * 1024, signal });
    const [location] = isRedirect(statusCode) ? headerValues(answerHeaders.location) : [];
    return {
      ok: true,
      status: statusCode,
      location: location === undefined ? null : absolute(location, url),
    };
  };
  return {
    /** Returns network failures. Throws only if the request itself is invalid. */
    ask: async (link: string): Promise<Answered> => {
      const { signal, end } = abortAfter(deadlineMs);
      try {
        return await untilAborted(signal, request(link, signal));
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'timeout: the link was not answered in time' };
        return { ok: false, reason: networkError(error) };
      } finally {
        end();
      }
    },
    close,
  };
};
