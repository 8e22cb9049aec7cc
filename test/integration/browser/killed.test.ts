/**
 * A browser that ends under a page: the page is tried again in a fresh browser, and what is not the page's
 * fault is `machinery`.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve } from '../net/loopback.ts';
import { linesOf } from './log-lines.ts';
import { browsers } from './processes.ts';
import { good, render } from './render.ts';

let lines: ReturnType<typeof linesOf>;
beforeEach(async () => {
  await closeBrowsers();
  lines = linesOf();
});
afterEach(() => vi.restoreAllMocks());
afterAll(closeBrowsers);

const signalBrowsers = (signal: NodeJS.Signals): void => {
  for (const pid of browsers()) process.kill(pid, signal);
};

/**
 * A page that holds its first `times` requests open and sends the signal to the browser meanwhile. Then it
 * answers.
 */
const serveSignalling = async (signal: NodeJS.Signals, times: number) => {
  const requests: number[][] = [];
  const origin = await serve((request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url !== '/search') {
      response.end(good);
      return;
    }
    requests.push(browsers());
    if (requests.length > times) response.end(good);
    else signalBrowsers(signal);
  });
  return { origin, requests };
};

describe('a browser that is killed while a page is open', () => {
  test('is replaced by a fresh one, which opens the page', async () => {
    const { origin, requests } = await serveSignalling('SIGKILL', 1);

    expect(await render(`${origin}/search`)).toMatchObject({ ok: true, status: 200, body: good });

    expect(requests).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    expect(requests[0]).not.toEqual(requests[1]);
    expect(browsers()).toEqual(requests[1]);
  });

  test('is a fault of the service if the fresh one ends too, and is measured', async () => {
    const { origin, requests } = await serveSignalling('SIGKILL', 2);

    expect(await render(`${origin}/search`)).toEqual({
      ok: false,
      reason: 'machinery: the browser was ended while the page was open',
    });

    expect(requests).toHaveLength(2);
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'WARN', message: 'browser replaced', cause: 'SIGKILL' }),
      expect.objectContaining({ level: 'ERROR', message: 'no browser', BrowserFailed: 1 }),
    ]);
    expect(browsers()).toEqual([]);
    expect(await render(`${origin}/search`)).toMatchObject({ ok: true });
  });
});

test('a page that was read before its browser was killed is returned', async () => {
  const { origin, requests } = await serveSignalling('SIGKILL', 0);
  const work = async () => {
    signalBrowsers('SIGKILL');
    await new Promise(() => undefined);
  };

  const page = await render(`${origin}/search`, { whileOpen: { work, deadlineMs: 600_000 } });

  expect(page).toMatchObject({ ok: true, body: good });
  expect(requests).toHaveLength(1);
  expect(lines()).toMatchObject([{ level: 'WARN', message: 'open page not used' }]);
});

describe('a browser that crashes under a page', () => {
  test('has met a page that ends browsers, if it opened no page before', async () => {
    const { origin, requests } = await serveSignalling('SIGABRT', 1);

    expect(await render(`${origin}/search`)).toEqual({
      ok: false,
      reason: 'unreachable: the page ended the browser that opened it',
    });

    expect(requests).toHaveLength(1);
    expect(lines()).toEqual([]);
  });

  test('is replaced by a fresh one, if it opened other pages before', async () => {
    const { origin, requests } = await serveSignalling('SIGABRT', 1);
    expect(await render(`${origin}/before`)).toMatchObject({ ok: true });

    expect(await render(`${origin}/search`)).toMatchObject({ ok: true, body: good });

    expect(requests).toHaveLength(2);
  });
});

test('a browser that is killed between two pages is replaced, and the next page is asked for once', async () => {
  const { origin, requests } = await serveSignalling('SIGKILL', 0);
  expect(await render(`${origin}/search`)).toMatchObject({ ok: true });
  signalBrowsers('SIGKILL');

  expect(await render(`${origin}/search`)).toMatchObject({ ok: true });

  expect(requests).toHaveLength(2);
  expect(requests[0]).not.toEqual(requests[1]);
});
