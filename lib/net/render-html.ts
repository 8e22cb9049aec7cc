/**
 * Renders a page in the browser: opens it as the given device, runs its scripts and takes it once it has
 * settled. Like a page over HTTP, it is returned complete or not at all.
 */
import type { Page } from 'puppeteer-core';
import { stopwatch } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { type AskLink, openAsker } from './ask-in-page.ts';
import { BrowserCrash, withPage } from './browser.ts';
import { BrowserLost, BrowserMissing, BrowserUnsupported } from './chromium.ts';
import { untilAborted } from './deadline.ts';
import { type BrowserIdentity, emulate, emulateInWorkers, emulatePosition } from './emulate.ts';
import { type InterceptedPage, intercept } from './intercept.ts';
import { networkError } from './network-error.ts';
import { chromiumError, type DocumentState, watchDocument } from './page-document.ts';
import { openRelay } from './page-relay.ts';
import type { WayOut } from './way-out.ts';

export type RenderRequest = WayOut &
  InterceptedPage & {
    identity: BrowserIdentity;
    /** From the empty tab to the last reading of the page. */
    deadlineMs: number;
    /**
     * From the call to the last work on the page: waiting for a browser, its start, a second try. The end of
     * the browser is not in it.
     */
    totalMs: number;
    /** How long to wait for this page to change or be replaced; 0 takes it at once. */
    patienceMs: (page: Rendered) => number;
    /**
     * Work on the page before it is closed, and its time limit. If the work fails, the page is still
     * returned.
     */
    whileOpen?: { work: (page: Rendered, ask: AskLink) => Promise<void>; deadlineMs: number };
  };

export type Rendered = { status: number; url: string; body: string };

/**
 * `reason` is a stable word, a colon and a sentence. `unreachable`, `timeout`: the page or the network.
 * `throttled`: no browser was free. `unavailable`: there is no browser for this platform. `machinery`: there
 * should be a browser, and there is none.
 */
type RenderedHtml = ({ ok: true } & Rendered) | { ok: false; reason: string };

const pollMs = 100;

/**
 * How long to wait for the `load` event of a parsed document, which hanging scripts can delay without end.
 */
const maxLoadingMs = 4000;

/** Whether a proxy ends the page's TLS with an authority that Chromium does not know. */
const needsRelay = ({ proxyUrl, proxyCa }: WayOut): boolean => Boolean(proxyUrl && proxyCa);

const rendered = ({ status, url, html }: DocumentState): Rendered => ({ status, url, body: html });

/**
 * Polls the page until the wait for it is over. The wait counts from when the current document was first
 * seen.
 */
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
  await emulatePosition(page, request.identity, new URL(request.url).origin);
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
  end: AbortSignal,
): Promise<void> => {
  try {
    await untilAborted(
      AbortSignal.any([AbortSignal.timeout(deadlineMs), end]),
      openAsker(tab).then((ask) => work(page, ask)),
    );
  } catch (error) {
    log.warn('open page not used', { error: String(error) });
  }
};

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Logs and measures that a page found no browser although this machine should have one. Returns the reason.
 */
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
 * Renders a page. If the browser is lost, renders it once more, in a fresh browser. Returns failures of the
 * page, the network and the browser. Throws only on a defect of this service.
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
    if (whileOpen) await runWhileOpen(tab, read, whileOpen, end);
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
