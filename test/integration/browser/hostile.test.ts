/** Hostile pages: none reaches its target, each costs at most its own attempt, and the next page works. */
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { unpackChromium } from '../../../lib/net/chromium-program.ts';
import { serve } from '../net/loopback.ts';
import { failing, reaching } from './hostile-pages.ts';
import { browsers, folderOf } from './processes.ts';
import { good, html, render } from './render.ts';
import { setTraps, type Traps } from './traps.ts';

/** Short, because a page that never ends keeps the processor busy until then. */
const shortDeadlineMs = 600;

let traps: Traps;
beforeEach(async () => {
  traps = await setTraps();
});
afterEach(() => traps.close());
afterAll(closeBrowsers);

const answer = (body: string) => (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '/', 'http://host');
  if (url.pathname === '/redirect') {
    response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end();
  } else if (url.pathname === '/loop') {
    response.writeHead(302, { location: '/loop' }).end();
  } else if (url.pathname === '/download') {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    });
    response.end('x'.repeat(1000));
  } else if (url.pathname === '/worker.js') {
    response.setHeader('content-type', 'text/javascript');
    response.end(
      `fetch('http://127.0.0.1:${url.searchParams.get('port')}/sw', { mode: 'no-cors' }).catch(() => 0)`,
    );
  } else if (body.includes('<!--endless-->')) {
    response.writeHead(200, { 'content-type': 'text/html' });
    const more = () => {
      while (!response.destroyed && response.write('<p>more'.repeat(1000)));
    };
    response.on('drain', more);
    more();
  } else {
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  }
};

const expectNextPage = async () => {
  const origin = await serve(answer(good));
  expect(await render(`${origin}/`)).toMatchObject({ ok: true, status: 200 });
};

describe('an ordinary browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: await unpackChromium(),
      // WebRTC uses no loopback interface unless allowed, and a machine may have no other.
      args: ['--no-sandbox', '--disable-gpu', '--allow-loopback-in-peer-connection'],
      headless: 'shell',
    });
  });
  afterAll(() => browser.close());

  test.each([
    'fetch to loopback',
    'frames',
    'images, styles, scripts, fonts, media, objects',
    'prefetch, preconnect, prerender',
    'beacons and pings',
    'WebSocket',
    'WebRTC',
    'a worker that fetches',
    'a service worker that fetches',
    'a redirect to loopback',
    'windows',
  ])('reaches the target: %s', async (name) => {
    const origin = await serve(answer(html(reaching[name]?.(traps) ?? '')));
    const context = await browser.createBrowserContext();
    try {
      const page = await context.newPage();
      await page.goto(`${origin}/search`, { waitUntil: 'domcontentloaded' });
      await vi.waitFor(() => expect(traps.caught).not.toEqual([]), 120_000);
    } finally {
      await context.close();
    }
  });
});

describe('a page that tries to reach a target', () => {
  test.each(Object.entries(reaching))('%s: reaches nothing and is rendered', async (_, page) => {
    const origin = await serve(
      answer(
        html(`<p>start</p>${page(traps)}<script>setTimeout(() => {
        const p = document.createElement('p'); p.id = 'done'; document.body.append(p) }, 400)</script>`),
      ),
    );

    const rendered = await render(`${origin}/search?q=coffee`);

    expect(rendered).toMatchObject({ ok: true, url: `${origin}/search?q=coffee` });
    expect(traps.caught).toEqual([]);
    await expectNextPage();
    expect(traps.caught).toEqual([]);
  });
});

describe('a page that does not end, or navigates away', () => {
  test.each(Object.entries(failing))(
    '%s: fails at the deadline, and the next page works',
    async (_, page) => {
      let isSent = false;
      const answerPage = answer(html(page(traps)));
      const origin = await serve((request, response) => {
        response.once('close', () => {
          isSent = true;
        });
        answerPage(request, response);
      });

      // On a busy machine, the deadline may come before the page.
      for (let deadlineMs = shortDeadlineMs; !isSent; deadlineMs *= 2) {
        const rendered = await render(`${origin}/search?q=coffee`, {
          deadlineMs,
          patienceMs: ({ body }) => (body.includes('id="done"') ? 0 : 60_000),
        });

        expect(rendered).toMatchObject({
          ok: false,
          reason: expect.stringMatching(/^(timeout|unreachable): /),
        });
      }
      expect(traps.caught).toEqual([]);
      await expectNextPage();
      expect(traps.caught).toEqual([]);
    },
  );
});

test('closing leaves no browser and no profile folder', async () => {
  await expectNextPage();
  const left = browsers();
  expect(left).toHaveLength(1);
  const [folder = ''] = left.map(folderOf);
  expect(existsSync(folder)).toBe(true);

  await closeBrowsers();

  expect(browsers()).toEqual([]);
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false), 120_000);
});

test('a page that fails leaves no browser and no profile folder: its browser is killed, because it may be busy', async () => {
  const kill = vi.spyOn(process, 'kill');
  try {
    const origin = await serve(answer(html(failing['navigation to a download']?.(traps) ?? '')));
    const rendering = render(`${origin}/search`, { deadlineMs: 1000, patienceMs: () => 60_000 });
    await vi.waitFor(() => expect(browsers()).toHaveLength(1), 120_000);
    const [pid = 0] = browsers();
    const folder = folderOf(pid);

    expect(await rendering).toMatchObject({ ok: false });

    expect(kill).toHaveBeenCalledWith(-pid, 'SIGKILL');
    expect(browsers()).toEqual([]);
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), 120_000);
  } finally {
    kill.mockRestore();
  }
});
