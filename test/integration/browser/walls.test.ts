/** Script walls, which only a browser passes, and pages that are incomplete. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve } from '../net/loopback.ts';
import { good, html, render } from './render.ts';

afterAll(closeBrowsers);

const send = (response: ServerResponse, body: string, headers = {}) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);

const cookieOf = (request: IncomingMessage): string => request.headers.cookie ?? '';

/** A wall that returns the page to requests with the cookie that its script sets. */
const wall = (script: string) => (request: IncomingMessage, response: ServerResponse) =>
  send(response, cookieOf(request).includes('passed=1') ? good : html(`<script>${script}</script>`));

test.each([
  ['reloads at once', `document.cookie='passed=1'; location.reload()`],
  ['reloads after a second', `setTimeout(() => { document.cookie='passed=1'; location.reload() }, 1000)`],
  ['replaces its address', `document.cookie='passed=1'; location.replace(location.href + '&again=1')`],
  [
    'submits a form',
    `document.cookie='passed=1'; const f = document.createElement('form'); f.action='/search';
     document.documentElement.append(f); f.submit()`,
  ],
  [
    'fetches its own page',
    `document.cookie='passed=1';
     fetch(location.href).then((r) => r.text()).then((t) => { document.open(); document.write(t); document.close() })`,
  ],
  [
    'counts to three reloads',
    `const n = Number((document.cookie.match(/n=(\\d)/) ?? [])[1] ?? 0) + 1;
     document.cookie = 'n=' + n; if (n === 3) document.cookie='passed=1'; location.reload()`,
  ],
])('a wall that %s is passed', async (_, script) => {
  const origin = await serve(wall(script));

  const page = await render(`${origin}/search?q=coffee`);

  expect(page).toMatchObject({ ok: true, status: 200 });
  expect(page.ok && page.body).toContain('<p id="done">whole</p>');
  expect(page.ok && page.body).toMatch(/^<!DOCTYPE html><html>.*<\/html>$/s);
});

test('sends back cookies that headers set, until the page is closed', async () => {
  const cookies: string[] = [];
  const origin = await serve((request, response) => {
    cookies.push(cookieOf(request));
    if (cookieOf(request).includes('from=header')) send(response, good);
    else
      send(response, html('<script>location.reload()</script>'), { 'set-cookie': 'from=header; HttpOnly' });
  });

  for (const _ of [1, 2]) expect(await render(`${origin}/`)).toMatchObject({ ok: true });

  expect(cookies).toEqual(['', 'from=header', '', 'from=header']);
});

test('does not follow a redirect for browsers without scripts', async () => {
  const requests: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    requests.push(request.url);
    send(
      response,
      html(`<noscript><meta http-equiv="refresh" content="0;url=/enable-scripts"></noscript>
        <script>document.body.insertAdjacentHTML('beforeend', '<p id="done">whole</p>')</script>`),
    );
  });

  const page = await render(`${origin}/search`);

  expect(page.ok && page.body).toContain('<p id="done">whole</p>');
  expect(requests.filter((url) => url !== '/favicon.ico')).toEqual(['/search']);
});

describe('a page that does not arrive completely', () => {
  test.each([
    ['truncated within its length', { 'content-length': String(good.length + 1000) }],
    ['truncated between its chunks', { 'transfer-encoding': 'chunked' }],
  ])('is a failure if it is %s', async (_, headers) => {
    const origin = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      response.write(good, () => request.socket.destroy());
    });

    expect(await render(`${origin}/`)).toEqual({
      ok: false,
      reason: 'unreachable: the connection ended too early',
    });
  });

  test('is returned without the closing tags that it lacks', async () => {
    const origin = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' });
      response.end(good.slice(0, good.indexOf('</body>')));
      request.socket.end();
    });

    const page = await render(`${origin}/`);

    expect(page.ok && page.body).toMatch(/whole<\/p>$/);
  });

  test.each([
    ['sends no answer', (_: IncomingMessage, r: ServerResponse) => r.destroy()],
    [
      'redirects to itself',
      (_: IncomingMessage, r: ServerResponse) => r.writeHead(302, { location: '/' }).end(),
    ],
    [
      'reloads without end',
      (_: IncomingMessage, r: ServerResponse) => send(r, html('<script>location.reload()</script>')),
    ],
    ['is too large', (_: IncomingMessage, r: ServerResponse) => send(r, html('x'.repeat(6_000_000)))],
  ])('is a failure if it %s', async (_, answer) => {
    const origin = await serve(answer);

    expect(await render(`${origin}/`)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });
});

test('returns the status with the page', async () => {
  const origin = await serve((_, response) =>
    response.writeHead(429, { 'content-type': 'text/html' }).end(good),
  );

  expect(await render(`${origin}/`)).toMatchObject({ ok: true, status: 429 });
});
