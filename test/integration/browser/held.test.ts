/** Pages that hold their connection open: the time limit of all work on a page ends each of its phases. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve } from '../net/loopback.ts';
import { linesOf } from './log-lines.ts';
import { browsers } from './processes.ts';
import { good, render } from './render.ts';

// The browser of the first try runs already, however slow the machine starts one.
beforeEach(async () => {
  const origin = await serveHolding();
  expect(await render(`${origin}/before`)).toMatchObject({ ok: true });
});
afterEach(() => vi.restoreAllMocks());
afterAll(closeBrowsers);

const late = { ok: false, reason: 'timeout: the page was not ready in time' };

/** Holds every request to `/held` open, calls `seen` for it, and answers all others. */
const serveHolding = (seen = () => {}) =>
  serve((request, response) => {
    if (request.url === '/held') seen();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(good);
  });

test('ends a page that holds its connection, before the deadline of the try', async () => {
  const origin = await serveHolding();

  expect(await render(`${origin}/held`, { totalMs: 2000 })).toEqual(late);

  expect(await render(`${origin}/next`)).toMatchObject({ ok: true });
});

test('ends the second try of a page as well', async () => {
  const seen: number[][] = [];
  const origin = await serveHolding(() => {
    seen.push(browsers());
    if (seen.length === 1) for (const pid of browsers()) process.kill(pid, 'SIGKILL');
  });
  const lines = linesOf();

  expect(await render(`${origin}/held`, { totalMs: 10_000 })).toEqual(late);

  expect(seen).toHaveLength(2);
  expect(lines()).toMatchObject([{ message: 'browser replaced' }]);
});

test('ends work on an open page, and returns the page', async () => {
  const origin = await serveHolding();
  const work = () => new Promise<void>(() => undefined);
  const lines = linesOf();

  const page = await render(`${origin}/page`, { totalMs: 5000, whileOpen: { work, deadlineMs: 600_000 } });

  expect(page).toMatchObject({ ok: true, body: good });
  expect(lines()).toMatchObject([{ level: 'WARN', message: 'open page not used' }]);
});
