/** Where links of an open page lead by their own account: asked for as the page would, with its cookies, and never followed. */
import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import { isRedirect } from './way-out.ts';

/** Answers the address as it was written, if need be made absolute; null where the link leads nowhere else, or says nothing in time. */
export type AskLink = (link: string) => Promise<string | null>;

const patienceMs = 5000;

const locationOf = ({ request, responseStatusCode, responseHeaders }: Protocol.Fetch.RequestPausedEvent) => {
  const location = responseHeaders?.find(({ name }) => name.toLowerCase() === 'location')?.value;
  if (location === undefined || !isRedirect(responseStatusCode ?? 0)) return null;
  return /^https?:/i.test(location) ? location : (URL.parse(location, request.url)?.href ?? null);
};

/** Starts a request as a script of the page's own would, in a world of its own: the page's scripts see none of it. */
const request = async (session: CDPSession, link: string): Promise<void> => {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const expression = `fetch(${JSON.stringify(link)}, { redirect: 'manual' }).then(() => null, () => null)`;
  await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true });
};

/** Whoever is asked may take longer than the page has: answers are then null. */
export const openAsker = async (page: Page): Promise<AskLink> => {
  const session = await page.createCDPSession();
  const waiting = new Map<string, (location: string | null) => void>();
  const decide = (event: Protocol.Fetch.RequestPausedEvent): Promise<unknown> => {
    const { requestId } = event;
    const tell = waiting.get(event.request.url);
    if (!tell) return session.send('Fetch.continueResponse', { requestId });
    tell(locationOf(event));
    return session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  };
  // A request that its page has given up meanwhile cannot be decided on.
  session.on('Fetch.requestPaused', (event) => void decide(event).catch(() => undefined));
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Response' }] });

  return async (link) => {
    const told = Promise.withResolvers<string | null>();
    waiting.set(link, told.resolve);
    const timer = setTimeout(told.resolve, patienceMs, null);
    request(session, link)
      .catch(() => undefined)
      .then(() => told.resolve(null));
    const location = await told.promise;
    clearTimeout(timer);
    waiting.delete(link);
    return location;
  };
};
