/**
 * The pages of browsers. A browser opens many pages, one at a time. It is discarded after a number of pages,
 * or when anything unexpected happens, so that a page cannot affect the pages after it. A browser has one
 * context only, so each page gets a new tab, and its stored data is cleared afterwards.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type CDPSession, type Page, ProtocolError } from 'puppeteer-core';
import { BrowserLost, type Chromium, closeMs, endBrowser, startChromium, withTimeout } from './chromium.ts';
import { untilAborted } from './deadline.ts';
import type { PageWayOut } from './page-proxy.ts';

/** Each page leaks a few megabytes. */
const maxPagesPerBrowser = 40;

/**
 * How many pages may be open at a time. A Lambda function needs one. On a laptop, pages mostly wait for the
 * network.
 */
const maxOpenPages = 4;

/** How long a page waits for a slot. */
const slotMs = 20_000;

/**
 * How long the end of a page takes at most: closing its tab, clearing its data, closing the browser, and the
 * exit of its process.
 */
export const endMs = 4 * closeMs;

const memoryCheckMs = 100;

/** An idle Chromium uses 150 MB, a large result page another 150 MB. */
const memoryLimitBytes = 1024 ** 3;

/** A page ended its browser. The message is a stable word and a sentence. */
export class BrowserCrash extends Error {
  override name = 'BrowserCrash';
}

const idle: Chromium[] = [];
const waiting: (() => void)[] = [];
let openPages = 0;

/** Waits for a free slot. Returns whether there was one in time. */
const acquireSlot = async (total: AbortSignal): Promise<boolean> => {
  if (openPages < maxOpenPages) {
    openPages++;
    return true;
  }
  const turn = Promise.withResolvers<void>();
  waiting.push(turn.resolve);
  try {
    await untilAborted(AbortSignal.any([AbortSignal.timeout(slotMs), total]), turn.promise);
    return true;
  } catch {
    const index = waiting.indexOf(turn.resolve);
    // If the slot was granted at the last moment, pass it on.
    if (index < 0) releaseSlot();
    else waiting.splice(index, 1);
    return false;
  }
};

const releaseSlot = (): void => {
  const next = waiting.shift();
  if (next) next();
  else openPages--;
};

/** Kills a browser that uses more memory than any result page needs. */
const watchMemory = ({ browser, ended }: Chromium): NodeJS.Timeout =>
  setInterval(async () => {
    // The second number is the resident memory, in pages of 4 KB. Without this file (not on Linux), nothing
    // is checked.
    const statm = await readFile(`/proc/${browser.process()?.pid}/statm`, 'utf8').catch(() => '');
    if (Number(statm.split(' ')[1] ?? 0) * 4096 < memoryLimitBytes) return;
    ended.abort(new BrowserCrash('unreachable: the page takes too much memory'));
    browser.process()?.kill('SIGKILL');
  }, memoryCheckMs);

/** Clears cookies, cache and the data that the origins stored. */
const clearBrowsingData = async (session: CDPSession, origins: string[]): Promise<void> => {
  await Promise.all([
    session.send('Network.clearBrowserCookies'),
    session.send('Network.clearBrowserCache'),
    ...origins.map((origin) => session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })),
  ]);
};

/** Closes a page. Returns whether nothing is left of it: no tab, no worker, no data. */
const cleanUp = async (
  { browser, session, proxy }: Chromium,
  page: Page,
  visited: string,
): Promise<boolean> => {
  try {
    const origins = proxy.endPage();
    await withTimeout(closeMs, page.close());
    const hasNoWorkers = browser
      .targets()
      .every((target) => ['browser', 'tab', 'page'].includes(target.type()));
    await withTimeout(
      closeMs,
      clearBrowsingData(session, [...new Set([...origins, new URL(visited).origin])]),
    );
    return hasNoWorkers && (await browser.pages()).length === 1;
  } catch {
    return false;
  }
};

/** Returns an idle browser, or a new one. Ends idle browsers that have died in the meantime. */
const acquireBrowser = async (total: AbortSignal): Promise<Chromium> => {
  const chromium = idle.pop();
  if (!chromium) return startChromium(total);
  if (!chromium.ended.signal.aborted) return chromium;
  await endBrowser(chromium);
  return acquireBrowser(total);
};

/**
 * The signals of a process that fails by itself. Chromium raises them too, for example when a page has used
 * up all objects.
 */
const crashSignals = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

/**
 * How the process of a browser ended: the signal or the exit code. Waits a moment for it; a process that goes
 * on is `running`.
 */
const exitOf = async ({ browser }: Chromium): Promise<string> => {
  const child = browser.process();
  if (!child) return 'unknown';
  if (child.exitCode === null && child.signalCode === null) {
    await withTimeout(closeMs, once(child, 'exit')).catch(() => undefined);
  }
  return child.signalCode ?? (child.exitCode === null ? 'running' : `code ${child.exitCode}`);
};

/**
 * Decides why a browser ended under a page. The page is the cause if a fresh browser crashed by itself, or
 * went on without the page. Otherwise something else ended the browser, or earlier pages damaged it.
 */
const lossOf = async (chromium: Chromium, isOpen: boolean): Promise<BrowserCrash | BrowserLost> => {
  const { reason } = chromium.ended.signal;
  if (reason instanceof BrowserCrash) return reason;
  const exit = await exitOf(chromium);
  const crashed = exit === 'running' || crashSignals.includes(exit);
  return isOpen && crashed && chromium.pages === 0
    ? new BrowserCrash('unreachable: the page ended the browser that opened it')
    : new BrowserLost(exit);
};

/** A page to open, its way out and its time limits. */
type Visit = PageWayOut & {
  url: string;
  /** From the empty tab to the end of the work on the page. */
  deadlineMs: number;
  /** Limits everything together: waiting for a browser, its start and the page. */
  total: AbortSignal;
  /** Whether to open the page in a browser that has opened no other page. */
  fresh?: boolean;
};

const useBrowser = async <Result>(
  chromium: Chromium,
  { url, deadlineMs, total, fresh: _, ...wayOut }: Visit,
  work: (page: Page, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const { browser, proxy, ended } = chromium;
  const memoryWatch = watchMemory(chromium);
  let isReusable = false;
  /** A failed page may still be busy. Then the browser does not close by itself. */
  let isStuck = true;
  let isOpen = false;
  try {
    proxy.startPage(wayOut);
    const end = AbortSignal.any([AbortSignal.timeout(deadlineMs), total, ended.signal]);
    const page = await untilAborted(end, browser.newPage());
    isOpen = true;
    const result = await untilAborted(end, work(page, end));
    isStuck = false;
    chromium.pages++;
    isReusable = (await cleanUp(chromium, page, url)) && chromium.pages < maxPagesPerBrowser;
    return result;
  } catch (error) {
    // A dying browser rejects commands with ProtocolError shortly before the `disconnected` event.
    throw ended.signal.aborted || error instanceof ProtocolError ? await lossOf(chromium, isOpen) : error;
  } finally {
    clearInterval(memoryWatch);
    if (isReusable && !ended.signal.aborted) idle.push(chromium);
    else await endBrowser(chromium, isStuck);
  }
};

/**
 * Opens a new tab for `work`. Returns null if no browser is free in time. Throws what `work` throws,
 * BrowserMissing or BrowserUnsupported if no browser starts, BrowserCrash if the page ended its browser,
 * BrowserLost if something else did, and a TimeoutError at the deadline. After any of these, the browser is
 * discarded.
 */
export const withPage = async <Result>(
  visit: Visit,
  work: (page: Page, signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> => {
  const { total, fresh } = visit;
  if (!(await acquireSlot(total))) return null;
  try {
    return await useBrowser(await (fresh ? startChromium : acquireBrowser)(total), visit, work);
  } finally {
    releaseSlot();
  }
};

/** Ends the idle browsers. */
export const closeBrowsers = async (): Promise<void> => {
  await Promise.all(idle.splice(0).map((chromium) => endBrowser(chromium)));
};
