/**
 * Starts and ends Chromium. Lambda needs it in a single process, which has only one browser context and
 * crashes if a second one is created.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { programEnvironment } from '../runtime/env.ts';
import { log } from '../runtime/log.ts';
import { browserArguments } from './browser-arguments.ts';
import { launchWith } from './chromium-program.ts';
import { untilAborted } from './deadline.ts';
import { type PageProxy, startPageProxy } from './page-proxy.ts';

const launchAttempts = 4;

const timeoutMs = { launch: 15_000, command: 60_000 };

/**
 * How long closing a tab, clearing its data, closing the browser, and the exit of its process take at most,
 * each.
 */
export const closeMs = 2000;

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

export type Chromium = {
  browser: Browser;
  /** The session of the first tab, which stays open and empty. */
  session: CDPSession;
  proxy: PageProxy;
  watchdog: ChildProcess;
  pages: number;
  ended: AbortController;
};

export const withTimeout = <Result>(ms: number, work: Promise<Result>): Promise<Result> =>
  untilAborted(AbortSignal.timeout(ms), work);

/** The package contains Chromium for this platform only. */
const isSupportedPlatform = (): boolean => process.platform === 'linux' && process.arch === 'x64';

const launchOnce = (proxyServer: string, signal: AbortSignal): Promise<Browser> =>
  launchWith((executablePath) =>
    puppeteer.launch({
      executablePath,
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
    }),
  );

/**
 * Launches Chromium, or ends it when the signal aborts. A browser that has started does not depend on the
 * signal any more.
 */
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

/** Tries again until the signal aborts: a busy machine may start no process, or too slowly. */
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
 * Starts a shell that ends the browser and removes its folder if this process is killed. Chromium itself does
 * not notice the end of this process while a page keeps it busy.
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

export const startChromium = async (signal: AbortSignal): Promise<Chromium> => {
  // A page without time left is late. It says nothing about the browser.
  signal.throwIfAborted();
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

/**
 * Ends a browser and all its processes, by force if it does not close in time. `isStuck`: its page may keep
 * it busy, so it is ended by force at once.
 */
export const endBrowser = async (
  { browser, proxy, watchdog }: Omit<Chromium, 'session'>,
  isStuck = false,
): Promise<void> => {
  proxy.close();
  const child = browser.process();
  const isGone = () => !child?.pid || child.exitCode !== null || child.signalCode !== null;
  const gone = new Promise<void>((resolve) => {
    if (isGone()) resolve();
    else child?.once('exit', () => resolve());
  });
  try {
    if (isStuck) throw new Error('The page of the browser may be busy');
    await withTimeout(closeMs, browser.close());
  } catch {
    try {
      // Chromium leads a process group, so this ends its other processes too.
      if (child?.pid && !isGone()) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      log.warn('browser not killed', { error: String(error) });
    }
  }
  await withTimeout(closeMs, gone).catch(() => log.warn('browser not gone', { pid: child?.pid }));
  watchdog.kill('SIGKILL');
};
