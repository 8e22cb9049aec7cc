/**
 * Asks where the links of an open page redirect to. Each request is sent as the page would send it, with its
 * cookies, and the redirect is never followed.
 */
import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import { isRedirect } from './way-out.ts';

/**
 * Resolves to the `Location` as the server wrote it, made absolute if it is relative. Null if the link does
 * not redirect, fails or does not answer in time.
 */
export type AskLink = (link: string) => Promise<string | null>;

const timeoutMs = 5000;

const locationOf = ({ request, responseStatusCode, responseHeaders }: Protocol.Fetch.RequestPausedEvent) => {
  const location = responseHeaders?.find(({ name }) => name.toLowerCase() === 'location')?.value;
  if (location === undefined || !isRedirect(responseStatusCode ?? 0)) return null;
  return /^https?:/i.test(location) ? location : (URL.parse(location, request.url)?.href ?? null);
};

/**
 * Starts a request as a script of the page would, but in an isolated world: the page's scripts cannot observe
 * it.
 */
const request = async (session: CDPSession, link: string): Promise<void> => {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const expression = `fetch(${JSON.stringify(link)}, { redirect: 'manual' }).then(() => null, () => null)`;
  await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true });
};

/** Prepares an open page for asking its links. A link that does not answer within 5 s gives null. */
export const openAsker = async (page: Page): Promise<AskLink> => {
  const session = await page.createCDPSession();
  const waiting = new Map<string, (location: string | null) => void>();
  const decide = (event: Protocol.Fetch.RequestPausedEvent): Promise<unknown> => {
    const { requestId } = event;
    const resolve = waiting.get(event.request.url);
    if (!resolve) return session.send('Fetch.continueResponse', { requestId });
    resolve(locationOf(event));
    return session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  };
  // The command fails if the page has cancelled the request in the meantime.
  session.on('Fetch.requestPaused', (event) => void decide(event).catch(() => undefined));
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Response' }] });

  return async (link) => {
    const answer = Promise.withResolvers<string | null>();
    waiting.set(link, answer.resolve);
    const timer = setTimeout(answer.resolve, timeoutMs, null);
    request(session, link)
      .catch(() => undefined)
      .then(() => answer.resolve(null));
    const location = await answer.promise;
    clearTimeout(timer);
    waiting.delete(link);
    return location;
  };
};
