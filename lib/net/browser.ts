/**
 * The lifecycle of Chromium. A browser opens many pages, one at a time. It is discarded after a number of pages, or when anything
 * unexpected happens, so that a page cannot affect the pages after it. Lambda needs Chromium in a single process, which has only one
 * browser context and crashes if a second one is created. So each page gets a new tab, and its stored data is cleared afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser, type CDPSession, type Page, ProtocolError } from 'puppeteer-core';
import { programEnvironment } from '../runtime/env.ts';
import { log } from '../runtime/log.ts';
import { browserArguments } from './browser-arguments.ts';
import { untilAborted } from './deadline.ts';
import { type PageProxy, type PageWayOut, startPageProxy } from './page-proxy.ts';

/** Each page leaks a few megabytes. */
const maxPagesPerBrowser = 40;

/** How many pages may be open at a time. A Lambda function needs one. On a laptop, pages mostly wait for the network. */
const maxOpenPages = 4;

const launchAttempts = 4;

const timeoutMs = { launch: 15_000, command: 60_000, close: 2000, slot: 20_000 };

/** How long the end of a page takes at most: closing its tab, clearing its data, closing the browser, and the exit of its process. */
export const endMs = 4 * timeoutMs.close;

const memoryCheckMs = 100;

/** An idle Chromium uses 150 MB, a large result page another 150 MB. */
const memoryLimitBytes = 1024 ** 3;

/** A page ended its browser. The message is a stable word and a sentence. */
export class BrowserCrash extends Error {
  override name = 'BrowserCrash';
}

/** The browser ended while a page was open, and the page is not the cause. */
export class BrowserLost extends Error {
  override name = 'BrowserLost';
}

/** Chromium should start on this machine, and did not. */
export class BrowserMissing extends Error {
  override name = 'BrowserMissing';
}

/** There is no Chromium for the platform of this machine. */
export class BrowserUnsupported extends Error {
  override name = 'BrowserUnsupported';
}

type Chromium = {
  browser: Browser;
  /** The session of the first tab, which stays open and empty. */
  session: CDPSession;
  proxy: PageProxy;
  watchdog: ChildProcess;
  pages: number;
  ended: AbortController;
};

const idle: Chromium[] = [];
const waiting: (() => void)[] = [];
let openPages = 0;

const withTimeout = <Result>(ms: number, work: Promise<Result>): Promise<Result> =>
  untilAborted(AbortSignal.timeout(ms), work);

/** The folder of the packaged Chromium: in the installed package, or beside the Lambda bundle. */
const packageFolder = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');

/** The package contains Chromium for this platform only. */
const isSupportedPlatform = (): boolean => process.platform === 'linux' && process.arch === 'x64';

let unpacking: Promise<string> | undefined;

const executablePath = (): Promise<string> => {
  // Once per process: a second caller would find the half-written file of the first. A failure is not kept.
  unpacking ??= chromium.executablePath(packageFolder()).catch((error) => {
    unpacking = undefined;
    throw error;
  });
  return unpacking;
};

const launchOnce = async (proxyServer: string, signal: AbortSignal): Promise<Browser> =>
  puppeteer.launch({
    executablePath: await executablePath(),
    signal,
    args: browserArguments(proxyServer),
    // Chromium gets none of this process's credentials, so no page can read them.
    env: programEnvironment(),
    headless: 'shell',
    // A pipe instead of a port, because a page might reach a port. Chromium also ends when the pipe closes.
    pipe: true,
    defaultViewport: null,
    downloadBehavior: { policy: 'deny' },
    timeout: timeoutMs.launch,
    protocolTimeout: timeoutMs.command,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });

/** Launches Chromium, or ends it when the signal aborts. A browser that has started does not depend on the signal any more. */
const launchBefore = async (proxyServer: string, signal: AbortSignal): Promise<Browser> => {
  const launch = new AbortController();
  const abort = () => launch.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await untilAborted(signal, launchOnce(proxyServer, launch.signal));
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Retries until the signal aborts, because another process may be unpacking the same file at the moment. */
const launchBrowser = async (
  proxyServer: string,
  signal: AbortSignal,
  attemptsLeft = launchAttempts,
): Promise<Browser> => {
  try {
    return await launchBefore(proxyServer, signal);
  } catch (error) {
    if (attemptsLeft === 1 || signal.aborted) {
      throw new BrowserMissing('Chromium does not start', { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return launchBrowser(proxyServer, signal, attemptsLeft - 1);
  }
};

/**
 * Starts a shell that ends the browser and removes its folder if this process is killed. Chromium itself does not notice the end of
 * this process while a page keeps it busy.
 */
const startWatchdog = (browser: Browser): ChildProcess => {
  const { pid, spawnargs = [] } = browser.process() ?? {};
  const folder = spawnargs.find((each) => each.startsWith('--user-data-dir='))?.split('=')[1];
  const script = 'read _; kill -s KILL -- -$0; rm -rf "$1"';
  const watchdog = spawn('/bin/sh', ['-c', script, String(pid), folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: programEnvironment(),
    detached: true,
  });
  watchdog.on('error', (error) => log.warn('browser not watched over', { error: error.message }));
  watchdog.unref();
  return watchdog;
};

const startChromium = async (signal: AbortSignal): Promise<Chromium> => {
  if (!isSupportedPlatform()) throw new BrowserUnsupported(`${process.platform} ${process.arch}`);
  const proxy = await startPageProxy();
  try {
    const browser = await launchBrowser(proxy.url, signal);
    const watchdog = startWatchdog(browser);
    const ended = new AbortController();
    browser.once('disconnected', () => ended.abort(new BrowserLost('the browser disconnected')));
    const chromium = { browser, proxy, watchdog, pages: 0, ended };
    try {
      const [tab] = await untilAborted(AbortSignal.any([signal, ended.signal]), browser.pages());
      if (!tab) throw new Error('Chromium started without a tab');
      return { ...chromium, session: await tab.createCDPSession() };
    } catch (error) {
      await endBrowser(chromium);
      throw new BrowserMissing('Chromium ends as soon as it has started', { cause: error });
    }
  } catch (error) {
    proxy.close();
    throw error;
  }
};

/** Ends a browser and all its processes, by force if it does not close in time. */
const endBrowser = async ({ browser, proxy, watchdog }: Omit<Chromium, 'session'>): Promise<void> => {
  proxy.close();
  const child = browser.process();
  const isGone = () => !child?.pid || child.exitCode !== null || child.signalCode !== null;
  const gone = new Promise<void>((resolve) => {
    if (isGone()) resolve();
    else child?.once('exit', () => resolve());
  });
  try {
    await withTimeout(timeoutMs.close, browser.close());
  } catch {
    try {
      // Chromium is the leader of its own process group.
      if (child?.pid && !isGone()) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      log.warn('browser not killed', { error: String(error) });
    }
  }
  await withTimeout(timeoutMs.close, gone).catch(() => log.warn('browser not gone', { pid: child?.pid }));
  watchdog.kill('SIGKILL');
};

/** Waits for a free slot. Returns whether there was one in time. */
const acquireSlot = async (total: AbortSignal): Promise<boolean> => {
  if (openPages < maxOpenPages) {
    openPages++;
    return true;
  }
  const turn = Promise.withResolvers<void>();
  waiting.push(turn.resolve);
  try {
    await untilAborted(AbortSignal.any([AbortSignal.timeout(timeoutMs.slot), total]), turn.promise);
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
    // The second number is the resident memory, in pages of 4 KB. Without this file (not on Linux), nothing is checked.
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
    await withTimeout(timeoutMs.close, page.close());
    const hasNoWorkers = browser
      .targets()
      .every((target) => ['browser', 'tab', 'page'].includes(target.type()));
    await withTimeout(
      timeoutMs.close,
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

/** The signals of a process that fails by itself. Chromium raises them too, for example when a page has used up all objects. */
const crashSignals = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

/** How the process of a browser ended: the signal or the exit code. Waits a moment for it; a process that goes on is `running`. */
const exitOf = async ({ browser }: Chromium): Promise<string> => {
  const child = browser.process();
  if (!child) return 'unknown';
  if (child.exitCode === null && child.signalCode === null) {
    await withTimeout(timeoutMs.close, once(child, 'exit')).catch(() => undefined);
  }
  return child.signalCode ?? (child.exitCode === null ? 'running' : `code ${child.exitCode}`);
};

/**
 * Decides why a browser ended under a page. The page is the cause if a fresh browser crashed by itself, or went on without the page.
 * Otherwise something else ended the browser, or earlier pages damaged it.
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
export type Visit = PageWayOut & {
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
  let isOpen = false;
  try {
    proxy.startPage(wayOut);
    const end = AbortSignal.any([AbortSignal.timeout(deadlineMs), total, ended.signal]);
    const page = await untilAborted(end, browser.newPage());
    isOpen = true;
    const result = await untilAborted(end, work(page, end));
    chromium.pages++;
    isReusable = (await cleanUp(chromium, page, url)) && chromium.pages < maxPagesPerBrowser;
    return result;
  } catch (error) {
    // A dying browser rejects commands with ProtocolError shortly before the `disconnected` event.
    throw ended.signal.aborted || error instanceof ProtocolError ? await lossOf(chromium, isOpen) : error;
  } finally {
    clearInterval(memoryWatch);
    if (isReusable && !ended.signal.aborted) idle.push(chromium);
    else await endBrowser(chromium);
  }
};

/**
 * Opens a new tab for `work`. Returns null if no browser is free in time. Throws what `work` throws, BrowserMissing or
 * BrowserUnsupported if no browser starts, BrowserCrash if the page ended its browser, BrowserLost if something else did, and a
 * TimeoutError at the deadline. After any of these, the browser is discarded.
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
  await Promise.all(idle.splice(0).map(endBrowser));
};
