/** Decides what happens to each request of a page in the browser. */
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { PageRelay } from './page-relay.ts';

/** An answer that is invented instead of fetched. Null breaks the connection. */
export type InventedAnswer = { status: number; headers: Record<string, string>; body: string } | null;

/** A page, and what its requests are answered with. */
export type InterceptedPage = {
  url: string;
  /** A body in JSON: the page is requested by POST. */
  body?: string | undefined;
  /**
   * Headers of the requests for documents of the page's origin. They replace the browser's own. Names in
   * lower case.
   */
  headers?: Record<string, string>;
  /** Answers for the documents of the page's origin. With it, nothing is fetched from the network. */
  invent?: (request: { url: string; cookie: string }) => Promise<InventedAnswer>;
};

/** Resources that the text of a page does not need. */
const blockedTypes: Protocol.Network.ResourceType[] = [
  'Image',
  'Font',
  'Media',
  'TextTrack',
  'Ping',
  'Prefetch',
  'Manifest',
  'EventSource',
  'WebSocket',
];

const inventAnswer = async (
  session: CDPSession,
  { request, requestId }: Protocol.Fetch.RequestPausedEvent,
  invent: NonNullable<InterceptedPage['invent']>,
): Promise<void> => {
  const { cookies } = await session.send('Network.getCookies', { urls: [request.url] });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await invent({ url: request.url, cookie });
  if (!answer) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionClosed' });
    return;
  }
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: answer.status,
    responseHeaders: Object.entries(answer.headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(answer.body).toString('base64'),
  });
};

/** The headers of a request with those of ours, as the protocol lists them. */
const withHeaders = (own: Record<string, string>, ours: Record<string, string>) =>
  Object.entries({
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !(name.toLowerCase() in ours))),
    ...ours,
  }).map(([name, value]) => ({ name, value }));

/**
 * Decides for each request of the page: block it, invent its answer, fetch it outside the browser, or send it
 * to the proxy. `failed` gets the failure of a main document that was fetched outside the browser.
 */
export const intercept = async (
  session: CDPSession,
  { url, body, headers, invent }: InterceptedPage,
  relay: PageRelay | undefined,
  failed: (error: unknown) => void,
): Promise<void> => {
  const { frame: main } = (await session.send('Page.getFrameTree')).frameTree;
  const { origin, href } = new URL(url);
  /**
   * The request as it is sent: that of the page itself may be a POST. A redirect of it is a GET, and so is
   * any other request.
   */
  const sent = ({ request, resourceType, frameId }: Protocol.Fetch.RequestPausedEvent) => {
    const isOfOrigin = resourceType === 'Document' && new URL(request.url).origin === origin;
    const isPosted = body !== undefined && isOfOrigin && frameId === main.id && request.url === href;
    return {
      ...(isPosted && { method: 'POST', postData: body }),
      headers: {
        ...(isOfOrigin && headers),
        ...(isPosted && { origin, referer: `${origin}/`, 'content-type': 'application/json' }),
      } as Record<string, string>,
    };
  };
  const relayed = async (
    event: Protocol.Fetch.RequestPausedEvent,
    { answer }: PageRelay,
  ): Promise<unknown> => {
    const { requestId, resourceType, frameId, request } = event;
    const { headers: ours, ...posted } = sent(event);
    try {
      return await answer({
        ...event,
        request: { ...request, ...posted, headers: { ...request.headers, ...ours } },
      });
    } catch (error) {
      if (resourceType === 'Document' && frameId === main.id) failed(error);
      return session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' });
    }
  };
  const decide = (event: Protocol.Fetch.RequestPausedEvent): Promise<unknown> => {
    const { requestId, resourceType, request } = event;
    const isWeb = /^https?:/.test(request.url);
    if (!isWeb || blockedTypes.includes(resourceType)) {
      return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    }
    const isOfOrigin = resourceType === 'Document' && new URL(request.url).origin === origin;
    if (relay) return relayed(event, relay);
    if (!invent) {
      const { headers: ours, method, postData } = sent(event);
      return session.send('Fetch.continueRequest', {
        requestId,
        ...(Object.keys(ours).length > 0 && { headers: withHeaders(request.headers, ours) }),
        ...(postData !== undefined && { method, postData: Buffer.from(postData).toString('base64') }),
      });
    }
    return isOfOrigin
      ? inventAnswer(session, event, invent)
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  };
  // The command fails if the page has cancelled the request in the meantime.
  session.on('Fetch.requestPaused', (event) => void decide(event).catch(() => undefined));
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
};
