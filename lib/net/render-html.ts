/**
 * Renders a page in the browser: opens it as the given device, runs its scripts and takes it once it has settled. Like a page over
 * HTTP, it is returned complete or not at all.
 */
import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import { stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { type AskLink, openAsker } from './ask-in-page.ts';
import { BrowserCrash, withPage } from './browser.ts';
import { BrowserLost, BrowserMissing, BrowserUnsupported } from './chromium.ts';
import { untilAborted } from './deadline.ts';
import { networkError } from './network-error.ts';
import { chromiumError, type DocumentState, watchDocument } from './page-document.ts';
import { openRelay, type PageRelay } from './page-relay.ts';
import type { WayOut } from './way-out.ts';

/** How the browser identifies itself. All values must be consistent. */
export type BrowserIdentity = {
  userAgent: string;
  /** The client hints and `navigator.userAgentData`. */
  hints: Protocol.Emulation.UserAgentMetadata;
  /** `navigator.platform`. */
  platform: string;
  /** The preferred one first. For `accept-language`, `navigator.languages` and the locale. */
  languages: string[];
  timeZone: string;
  viewport: { width: number; height: number; deviceScaleFactor: number };
};

/** An answer that is invented instead of fetched. Null breaks the connection. */
export type InventedAnswer = { status: number; headers: Record<string, string>; body: string } | null;

export type RenderRequest = WayOut & {
  url: string;
  /** A body in JSON: the page is requested by POST. */
  body?: string | undefined;
  identity: BrowserIdentity;
  /** Headers of the requests for documents of the page's origin. They replace the browser's own. Names in lower case. */
  headers?: Record<string, string>;
  /** From the empty tab to the last reading of the page. */
  deadlineMs: number;
  /** From the call to the last work on the page: waiting for a browser, its start, a second try. The end of the browser is not in it. */
  totalMs: number;
  /** How long to wait for this page to change or be replaced; 0 takes it at once. */
  patienceMs: (page: Rendered) => number;
  /** Work on the page before it is closed, and its time limit. If the work fails, the page is still returned. */
  whileOpen?: { work: (page: Rendered, ask: AskLink) => Promise<void>; deadlineMs: number };
  /** Answers for the documents of the page's origin. With it, nothing is fetched from the network. */
  invent?: (request: { url: string; cookie: string }) => Promise<InventedAnswer>;
};

export type Rendered = { status: number; url: string; body: string };

/**
 * `reason` is a stable word, a colon and a sentence. `unreachable`, `timeout`: the page or the network. `throttled`: no browser was free.
 * `unavailable`: there is no browser for this platform. `machinery`: there should be a browser, and there is none.
 */
export type RenderedHtml = ({ ok: true } & Rendered) | { ok: false; reason: string };

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

const pollMs = 100;

/** How long to wait for the `load` event of a parsed document, which hanging scripts can delay without end. */
const maxLoadingMs = 4000;

const userAgentOf = ({ userAgent, hints, platform, languages }: BrowserIdentity) => ({
  userAgent,
  userAgentMetadata: hints,
  platform,
  acceptLanguage: languages.join(','),
});

const emulate = async (session: CDPSession, identity: BrowserIdentity): Promise<void> => {
  const { hints, languages, timeZone, viewport } = identity;
  const { mobile } = hints;
  const { width, height } = viewport;
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', userAgentOf(identity)),
    session.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      mobile,
      screenWidth: width,
      screenHeight: height,
      screenOrientation: mobile
        ? { type: 'portraitPrimary', angle: 0 }
        : { type: 'landscapePrimary', angle: 0 },
    }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile, maxTouchPoints: 5 }),
    session.send('Emulation.setTimezoneOverride', { timezoneId: timeZone }),
    session.send('Emulation.setLocaleOverride', { locale: languages[0] }),
  ]);
};

/** Workers have their own `navigator`. A worker starts only after it has the identity of its page. */
const emulateInWorkers = async (session: CDPSession, identity: BrowserIdentity): Promise<void> => {
  session.on('sessionattached', (worker) => {
    void Promise.allSettled([
      worker.send('Emulation.setUserAgentOverride', userAgentOf(identity)),
      // Emulation does not change this one value in workers.
      worker.send('Runtime.evaluate', {
        expression: `Object.defineProperty(WorkerNavigator.prototype, 'platform', { get: () => ${JSON.stringify(identity.platform)} })`,
      }),
      worker.send('Runtime.runIfWaitingForDebugger'),
    ]);
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
  });
};

const inventAnswer = async (
  session: CDPSession,
  { request, requestId }: Protocol.Fetch.RequestPausedEvent,
  invent: NonNullable<RenderRequest['invent']>,
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
 * Decides for each request of the page: block it, invent its answer, fetch it outside the browser, or send it to the proxy. `failed` gets
 * the failure of a main document that was fetched outside the browser.
 */
const intercept = async (
  session: CDPSession,
  { url, body, headers, invent }: RenderRequest,
  relay: PageRelay | undefined,
  failed: (error: unknown) => void,
): Promise<void> => {
  const { frame: main } = (await session.send('Page.getFrameTree')).frameTree;
  const { origin, href } = new URL(url);
  /** The request as it is sent: that of the page itself may be a POST. A redirect of it is a GET, and so is any other request. */
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

/** Whether a proxy ends the page's TLS with an authority that Chromium does not know. */
const needsRelay = ({ proxyUrl, proxyCa }: WayOut): boolean => Boolean(proxyUrl && proxyCa);

const rendered = ({ status, url, html }: DocumentState): Rendered => ({ status, url, body: html });

/** Polls the page until the wait for it is over. The wait counts from when the current document was first seen. */
const settle = async (
  read: () => Promise<DocumentState | null>,
  patienceMs: RenderRequest['patienceMs'],
  signal: AbortSignal,
): Promise<Rendered> => {
  let seen = { loaderId: '', html: '', sinceMs: 0, patienceMs: 0 };
  while (!signal.aborted) {
    const page = await read();
    if (page && page.loaderId !== seen.loaderId) {
      seen = { loaderId: page.loaderId, html: '', sinceMs: stopwatch(), patienceMs: 0 };
    }
    const ageMs = stopwatch() - seen.sinceMs;
    if (page && (page.isLoaded || ageMs > maxLoadingMs)) {
      if (page.html !== seen.html) {
        seen = { ...seen, html: page.html, patienceMs: patienceMs(rendered(page)) };
      }
      if (ageMs >= seen.patienceMs) return rendered(page);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw signal.reason;
};

const readPage = async (page: Page, request: RenderRequest, signal: AbortSignal): Promise<Rendered> => {
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const session = await page.createCDPSession();
  const { read, failed } = await watchDocument(session);
  await emulate(session, request.identity);
  await emulateInWorkers(session, request.identity);
  const relay = needsRelay(request) ? openRelay(session, request, signal) : undefined;
  const unrelayed = Promise.withResolvers<never>();
  // The failure of a document after the page was read changes nothing.
  unrelayed.promise.catch(() => undefined);
  await intercept(session, request, relay, unrelayed.reject);
  await session.send('Network.setBypassServiceWorker', { bypass: true });

  const finished = new AbortController();
  const open = async (): Promise<Rendered> => {
    const { errorText } = await session.send('Page.navigate', { url: request.url });
    if (errorText) throw chromiumError(errorText);
    return settle(read, request.patienceMs, AbortSignal.any([signal, finished.signal]));
  };
  try {
    return await Promise.race([open(), failed, unrelayed.promise]);
  } finally {
    finished.abort();
    await relay?.close();
  }
};

const runWhileOpen = async (
  tab: Page,
  page: Rendered,
  { work, deadlineMs }: NonNullable<RenderRequest['whileOpen']>,
): Promise<void> => {
  try {
    await untilAborted(
      AbortSignal.timeout(deadlineMs),
      openAsker(tab).then((ask) => work(page, ask)),
    );
  } catch (error) {
    log.warn('open page not used', { error: String(error) });
  }
};

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** Logs and measures that a page found no browser although this machine should have one. Returns the reason. */
const withoutBrowser = (sentence: string, cause: string): RenderedHtml => {
  log.error('no browser', { reason: sentence, cause }, { BrowserFailed: 1 });
  return { ok: false, reason: `machinery: ${sentence}` };
};

const failureOf = (error: unknown): RenderedHtml => {
  if (error instanceof BrowserUnsupported) {
    log.warn('no browser for this platform', { platform: error.message });
    return { ok: false, reason: 'unavailable: there is no browser for this platform' };
  }
  if (error instanceof BrowserMissing)
    return withoutBrowser('the browser did not start', String(error.cause));
  if (error instanceof BrowserLost) {
    return withoutBrowser('the browser was ended while the page was open', error.message);
  }
  if (error instanceof BrowserCrash) return { ok: false, reason: error.message };
  if (isTimeout(error)) return { ok: false, reason: 'timeout: the page was not ready in time' };
  return { ok: false, reason: networkError(error) };
};

/**
 * Renders a page. If the browser is lost, renders it once more, in a fresh browser. Returns failures of the page, the network and the
 * browser. Throws only on a defect of this service.
 */
export const renderHtml = async (request: RenderRequest): Promise<RenderedHtml> => {
  const { url, exempt, proxyUrl, invent, deadlineMs, totalMs } = request;
  const isRelayed = needsRelay(request);
  // The relay has no route for lookups in the page: they are done without the browser, after the page.
  const whileOpen = isRelayed ? undefined : request.whileOpen;
  const visit = {
    url,
    exempt,
    proxyUrl,
    closed: invent !== undefined || isRelayed,
    deadlineMs: deadlineMs + (whileOpen?.deadlineMs ?? 0),
    total: AbortSignal.timeout(totalMs),
  };
  let read: Rendered | undefined;
  const work = async (tab: Page, end: AbortSignal): Promise<Rendered> => {
    const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), end]);
    read = await untilAborted(signal, readPage(tab, request, signal));
    if (whileOpen) await runWhileOpen(tab, read, whileOpen);
    return read;
  };
  try {
    const page = await withPage(visit, work).catch((error: unknown) => {
      if (read || !(error instanceof BrowserLost)) throw error;
      log.warn('browser replaced', { cause: error.message });
      return withPage({ ...visit, fresh: true }, work);
    });
    return page ? { ok: true, ...page } : { ok: false, reason: 'throttled: no browser was free in time' };
  } catch (error) {
    return read ? { ok: true, ...read } : failureOf(error);
  }
};
