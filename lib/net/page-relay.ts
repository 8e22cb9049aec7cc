/**
 * Fetches the requests of a page outside the browser. For a proxy that ends TLS itself: Chromium cannot trust
 * another certificate authority for one page, and its checks of certificates are never switched off. Node
 * checks the certificates in its place.
 */
import type { CDPSession, Protocol } from 'puppeteer-core';
import { acceptEncoding } from './content-coding.ts';
import { NetworkError } from './network-error.ts';
import { readAnswer } from './read-answer.ts';
import { headerValues, openWayOut, type WayOut } from './way-out.ts';

/** The most that a page may load, as for a page that Chromium fetches itself. */
const maxPageBytes = 25 * 1024 * 1024;

/**
 * How many requests of a page are sent at once, as to one host in Chromium: each takes a connection, and up
 * to the rest of the page's bytes in memory. The others wait. Documents have as many of their own, so that a
 * page that replaces itself does not wait for scripts that hang.
 */
const maxAtOnce = 6;

/** Starts at most `maxAtOnce` works at a time, in the order of the calls. */
const openLane = () => {
  const waiting: (() => void)[] = [];
  let free = maxAtOnce;
  return async (work: () => Promise<void>): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};

/** Headers that describe a connection, or the coding of a body that is passed on decoded. */
const ofConnection = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'];

/**
 * What Chromium adds to the request of a document after it has shown the request. A document with a referrer
 * was opened by a page.
 */
const navigationHeaders = (referer: string | undefined) => ({
  'sec-fetch-site': referer ? 'same-origin' : 'none',
  'sec-fetch-mode': 'navigate',
  ...(!referer && { 'sec-fetch-user': '?1' }),
  'sec-fetch-dest': 'document',
});

export type PageRelay = {
  /**
   * Answers a paused request. Redirects are answers too: the browser follows them. @throws if no complete
   * answer arrived.
   */
  answer: (event: Protocol.Fetch.RequestPausedEvent) => Promise<void>;
  close: () => Promise<void>;
};

/** Opens the relay of one page. Every request obeys the address guard. `signal` ends all requests. */
export const openRelay = (session: CDPSession, wayOut: WayOut, signal: AbortSignal): PageRelay => {
  const { dispatcherFor, close } = openWayOut(wayOut);
  const [documents, others] = [openLane(), openLane()];
  let bytesLeft = maxPageBytes;

  const headersOf = async ({ request, resourceType }: Protocol.Fetch.RequestPausedEvent) => {
    const { cookies } = await session.send('Network.getCookies', { urls: [request.url] });
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const own: Record<string, string> = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    return {
      ...own,
      ...(resourceType === 'Document' && navigationHeaders(own.referer)),
      'accept-encoding': acceptEncoding,
      ...(cookie && { cookie }),
    };
  };

  const answer = async (event: Protocol.Fetch.RequestPausedEvent): Promise<void> => {
    // The page may have ended while the request waited.
    signal.throwIfAborted();
    const { request, requestId } = event;
    const url = new URL(request.url);
    const response = await dispatcherFor(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method as 'GET',
      headers: await headersOf(event),
      ...(request.postData !== undefined && { body: request.postData }),
      signal,
    });
    const body = await readAnswer(response, bytesLeft);
    bytesLeft -= body.length;
    if (bytesLeft < 0) throw new NetworkError('the page is too large');
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.statusCode,
      responseHeaders: Object.entries(response.headers)
        .filter(([name]) => !ofConnection.includes(name))
        .flatMap(([name, values]) => headerValues(values).map((value) => ({ name, value }))),
      body: Buffer.from(body).toString('base64'),
    });
  };

  return {
    answer: (event) => (event.resourceType === 'Document' ? documents : others)(() => answer(event)),
    close,
  };
};
