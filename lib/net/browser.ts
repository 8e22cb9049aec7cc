/**
 * Chromium's life. One browser serves page after page, one at a time; it is thrown away after a number of pages, or at the first
 * oddity: what a page does to its browser must cost no other page anything. In a single process, which Lambda needs, Chromium
 * has one context and dies of a second; so each page gets a tab of its own, and finds nothing of what another one stored.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser, type CDPSession, type Page, ProtocolError } from 'puppeteer-core';
import { programEnvironment } from '../runtime/env.ts';
import { log } from '../runtime/log.ts';
import { browserArguments } from './browser-arguments.ts';
import { untilAborted } from './deadline.ts';
import { type PageProxy, type PageRoute, startPageProxy } from './page-proxy.ts';

/** Each page leaves a few megabytes behind. */
const maxPages = 40;

/** A function on Lambda needs one at a time. On a laptop, pages wait more than they work. */
const seats = 4;

const launchTries = 4;

const patienceMs = { launch: 15_000, command: 60_000, close: 2000, seat: 20_000, watch: 100 };

/** An idle Chromium takes 150 MB, a large result page as much again. */
const memoryLimitBytes = 1024 ** 3;

/** What a page did to its browser, in a stable word and a sentence. */
export class BrowserFault extends Error {
  override name = 'BrowserFault';
}

/** No browser has come up: this machine is none that the packed Chromium runs on, or lacks what it needs. */
export class BrowserMissing extends Error {
  override name = 'BrowserMissing';
}

const ending = 'unreachable: the page ended the browser that opened it';

type Chromium = {
  browser: Browser;
  /** Of the tab that is always there, and always empty. */
  session: CDPSession;
  proxy: PageProxy;
  keeper: ChildProcess;
  pages: number;
  ended: AbortController;
};

const idle: Chromium[] = [];
const waiting: (() => void)[] = [];
let taken = 0;

const within = <Result>(ms: number, work: Promise<Result>): Promise<Result> =>
  untilAborted(AbortSignal.timeout(ms), work);

/** Where the packed Chromium lies: in the installed package, or in its folder beside the bundle. */
const packedFolder = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');

/** What the package holds is Chromium for this platform alone. */
const runsHere = process.platform === 'linux' && process.arch === 'x64';

let unpacking: Promise<string> | undefined;

const executablePath = (): Promise<string> => {
  // Once a process: a second caller would find the first one's half-written file.
  unpacking ??= chromium.executablePath(packedFolder());
  return unpacking;
};

const startOnce = async (proxyServer: string): Promise<Browser> =>
  puppeteer.launch({
    executablePath: await executablePath(),
    args: browserArguments(proxyServer),
    // Chromium knows nothing of this process: no credentials to be read by what runs in it.
    env: programEnvironment(),
    headless: 'shell',
    // A pipe instead of a port, which a page might reach; and Chromium ends with whoever holds the other end.
    pipe: true,
    defaultViewport: null,
    downloadBehavior: { policy: 'deny' },
    timeout: patienceMs.launch,
    protocolTimeout: patienceMs.command,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });

/** Another process may be unpacking the same file just now: what does not start at once is tried again. */
const startBrowser = async (proxyServer: string, triesLeft = launchTries): Promise<Browser> => {
  try {
    return await startOnce(proxyServer);
  } catch (error) {
    if (triesLeft === 1 || !runsHere) throw new BrowserMissing('Chromium does not start', { cause: error });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return startBrowser(proxyServer, triesLeft - 1);
  }
};

/**
 * A shell that outlives this process, if it dies without a word, just long enough to end the browser and clear its folder away:
 * Chromium itself notices only when no page keeps it busy.
 */
const keepWatch = (browser: Browser): ChildProcess => {
  const { pid, spawnargs = [] } = browser.process() ?? {};
  const folder = spawnargs.find((each) => each.startsWith('--user-data-dir='))?.split('=')[1];
  const script = 'read _; kill -s KILL -- -$0; rm -rf "$1"';
  const keeper = spawn('/bin/sh', ['-c', script, String(pid), folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: programEnvironment(),
    detached: true,
  });
  keeper.on('error', (error) => log.warn('browser not watched over', { error: error.message }));
  keeper.unref();
  return keeper;
};

const launch = async (): Promise<Chromium> => {
  const proxy = await startPageProxy();
  try {
    const browser = await startBrowser(proxy.url);
    const keeper = keepWatch(browser);
    const ended = new AbortController();
    browser.once('disconnected', () => ended.abort(new BrowserFault(ending)));
    const [tab] = await browser.pages();
    if (!tab) throw new Error('Chromium has come without a tab');
    return { browser, session: await tab.createCDPSession(), proxy, keeper, pages: 0, ended };
  } catch (error) {
    proxy.close();
    throw error;
  }
};

/** Ends a browser and all its processes, however it feels about that. */
const endBrowser = async ({ browser, proxy, keeper }: Chromium): Promise<void> => {
  proxy.close();
  const child = browser.process();
  const isGone = () => !child?.pid || child.exitCode !== null || child.signalCode !== null;
  const gone = new Promise<void>((resolve) => {
    if (isGone()) resolve();
    else child?.once('exit', () => resolve());
  });
  try {
    await within(patienceMs.close, browser.close());
  } catch {
    try {
      // Chromium leads a process group of its own.
      if (child?.pid && !isGone()) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      log.warn('browser not killed', { error: String(error) });
    }
  }
  await within(patienceMs.close, gone).catch(() => log.warn('browser not gone', { pid: child?.pid }));
  keeper.kill('SIGKILL');
};

/** Whether a seat was free, or became free in time. */
const takeSeat = async (): Promise<boolean> => {
  if (taken < seats) {
    taken++;
    return true;
  }
  const turn = Promise.withResolvers<void>();
  waiting.push(turn.resolve);
  try {
    await within(patienceMs.seat, turn.promise);
    return true;
  } catch {
    const place = waiting.indexOf(turn.resolve);
    // The turn may have come at the last moment: it is handed on.
    if (place < 0) leaveSeat();
    else waiting.splice(place, 1);
    return false;
  }
};

const leaveSeat = (): void => {
  const next = waiting.shift();
  if (next) next();
  else taken--;
};

/** Aborts when the browser has taken more memory than any result page needs. */
const watchMemory = ({ browser, ended }: Chromium): NodeJS.Timeout =>
  setInterval(async () => {
    // Pages of 4 KB; the second number is what is resident. Where there is no such file, nothing is watched.
    const statm = await readFile(`/proc/${browser.process()?.pid}/statm`, 'utf8').catch(() => '');
    if (Number(statm.split(' ')[1] ?? 0) * 4096 < memoryLimitBytes) return;
    ended.abort(new BrowserFault('unreachable: the page takes too much memory'));
    browser.process()?.kill('SIGKILL');
  }, patienceMs.watch);

/** Forgets what a page left: cookies, cache, and all that its origins stored. */
const forget = async (session: CDPSession, origins: string[]): Promise<void> => {
  await Promise.all([
    session.send('Network.clearBrowserCookies'),
    session.send('Network.clearBrowserCache'),
    ...origins.map((origin) => session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })),
  ]);
};

/** Whether nothing is left of a page: no tab, no worker, no data. */
const tidy = async ({ browser, session, proxy }: Chromium, page: Page, visited: string): Promise<boolean> => {
  try {
    const origins = proxy.shut();
    await within(patienceMs.close, page.close());
    const isAlone = browser.targets().every((target) => ['browser', 'tab', 'page'].includes(target.type()));
    await within(patienceMs.close, forget(session, [...new Set([...origins, new URL(visited).origin])]));
    return isAlone && (await browser.pages()).length === 1;
  } catch {
    return false;
  }
};

/** A browser that waits for pages, or a new one. One that died while it waited counts for nothing. */
const takeBrowser = async (): Promise<Chromium> => {
  const alive = idle.pop();
  if (!alive) return launch();
  return alive.ended.signal.aborted ? takeBrowser() : alive;
};

/** What is to be visited, by which route, and how long the browser has for it. */
export type Visit = PageRoute & { url: string; deadlineMs: number };

const useBrowser = async <Result>(
  { url, deadlineMs, ...route }: Visit,
  work: (page: Page, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const chromium = await takeBrowser();
  const { browser, proxy, ended } = chromium;
  const watch = watchMemory(chromium);
  let isReusable = false;
  try {
    proxy.open(route);
    const end = AbortSignal.any([AbortSignal.timeout(deadlineMs), ended.signal]);
    const page = await untilAborted(end, browser.newPage());
    const result = await untilAborted(end, work(page, end));
    chromium.pages++;
    isReusable = (await tidy(chromium, page, url)) && chromium.pages < maxPages;
    return result;
  } catch (error) {
    if (ended.signal.aborted) throw ended.signal.reason;
    // What is said to a browser that dies is answered so, a moment before it is known to be dead.
    throw error instanceof ProtocolError ? new BrowserFault(ending) : error;
  } finally {
    clearInterval(watch);
    if (isReusable && !ended.signal.aborted) idle.push(chromium);
    else await endBrowser(chromium);
  }
};

/**
 * Opens a page of its own for `work`. Answers null where no browser is free in time. Throws what `work` throws, BrowserFault
 * for what the page did to its browser, and a TimeoutError at the deadline; after any of these the browser is not used again.
 */
export const withPage = async <Result>(
  visit: Visit,
  work: (page: Page, signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> => {
  if (!(await takeSeat())) return null;
  try {
    return await useBrowser(visit, work);
  } finally {
    leaveSeat();
  }
};

/** Ends the browsers that wait for pages. */
export const closeBrowsers = async (): Promise<void> => {
  await Promise.all(idle.splice(0).map(endBrowser));
};
