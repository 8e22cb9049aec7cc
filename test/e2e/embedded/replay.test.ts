/**
 * The crawl over plain HTTP, against an engine on loopback with the answers of engines on bad days: pages of
 * the sandbox that are complete, cut off, compressed, redirected or in another charset.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import type { Client } from '../client.ts';
import type { startService } from '../service.ts';
import { pageFor, startWithEngine } from './engine.ts';

type Answer = (page: string, response: ServerResponse, request: IncomingMessage) => void;

const html = { 'content-type': 'text/html; charset=utf-8' };

/** The engine's answer, by the first word of the query. */
const answers: Record<string, Answer> = {
  whole: (page, response) => response.writeHead(200, html).end(page),
  gzip: (page, response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(page)),
  brotli: (page, response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'br' }).end(brotliCompressSync(page)),
  redirected: (page, response, request) =>
    request.url?.startsWith('/search') && !request.url.includes('&again=1')
      ? response.writeHead(302, { location: `${request.url}&again=1` }).end()
      : response.writeHead(200, html).end(page),
  latin: (page, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' })
      .end(Buffer.from(page.replaceAll('</h3>', ' été</h3>'), 'latin1')),
  short: (page, response) => {
    response.writeHead(200, { ...html, 'content-length': Buffer.byteLength(page) });
    response.write(page.slice(0, page.length / 2), () => response.destroy());
  },
  chunks: (page, response) => {
    response.writeHead(200, html);
    response.write(page.slice(0, (page.length * 2) / 3), () => response.destroy());
  },
  half: (page, response) => response.writeHead(200, html).end(page.slice(0, page.length / 2)),
  broken: (_, response) => response.writeHead(500, html).end('<html><body>Server error</body></html>'),
  huge: (page, response) =>
    response.writeHead(200, html).end(`${page.slice(0, -14)}${' '.repeat(6_000_000)}</body></html>`),
  loop: (_, response, request) => response.writeHead(302, { location: request.url }).end(),
  sorry: (_, response, request) =>
    request.url?.startsWith('/sorry')
      ? response
          .writeHead(429, html)
          .end(
            '<html><body><form action="index" method="post"><div id="recaptcha" class="g-recaptcha"></div><input type="hidden" name="q" value="x"><input type="hidden" name="continue" value="y"></form></body></html>',
          )
      : response.writeHead(302, { location: '/sorry/index?continue=x' }).end(),
};

const seen: IncomingMessage[] = [];
const origin = createServer((request, response) => {
  seen.push(request);
  const address = new URL(request.url ?? '/', 'https://www.google.com');
  if (address.pathname === '/goto') {
    const link = answerRequest({ url: address.href, device: 'desktop', now: 0 });
    response.writeHead(link.status, link.headers).end(link.body);
    return;
  }
  const [word = ''] = (address.searchParams.get('q') ?? 'sorry').split(' ');
  address.searchParams.set('q', 'whole words');
  const page = pageFor(request, address);
  (answers[word] ?? answers.whole)?.(page.body.replaceAll('whole', word), response, request);
});

let client: Client;
let service: Awaited<ReturnType<typeof startService>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ client, service, stop } = await startWithEngine(origin));
});
afterAll(() => stop());

describe('a complete page', () => {
  test.each(['whole', 'gzip', 'brotli', 'redirected', 'latin'])('is read (%s)', async (word) => {
    const task = await client.searched({ keyword: `${word} words` });

    expect(task).toMatchObject({ status: 'success', pages: [{ status: 'parsed', retry_count: 0 }] });
    expect(task.top_10?.length).toBeGreaterThan(2);
    if (word === 'latin') expect(JSON.stringify(task.result)).toContain('été');
  });

  test('is requested with the device, the location and the language of the task', async () => {
    await client.searched({
      keyword: 'whole asked',
      device: 'mobile',
      location_name: 'Paris,France',
      iso_code: 'FR',
      language_code: 'fr',
    });

    const request = seen.find(({ url }) => url?.includes('asked'));
    const address = new URL(request?.url ?? '', 'http://origin');
    expect(address.pathname).toBe('/search');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      q: 'whole asked',
      gl: 'fr',
      hl: 'fr',
      uule: expect.stringMatching(/^w\+/),
    });
    expect(request?.headers).toMatchObject({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' });
    expect(request?.headers['user-agent']).toMatch(/Android.* Mobile /);
    expect(request?.headers['accept-language']).toMatch(/^fr/);
  });
});

describe('an incomplete page is never a ranking', () => {
  // A page that the engine refuses is fetched once more, in the browser. A page that does not arrive is not.
  test.each([
    ['short', /^unreachable: /, 1],
    ['chunks', /^unreachable: /, 1],
    ['half', /^unknown_layout: /, 2],
    ['broken', /^\w+: /, 1],
    ['huge', /^\w+: /, 1],
    ['loop', /^\w+: /, 1],
    ['sorry', /^captcha: /, 2],
  ])('%s', async (word, message, retries) => {
    const task = await client.searched({ keyword: `${word} words` });

    expect(task).toMatchObject({ status: 'error', result: null });
    expect(task.error_message).toMatch(message);
    expect(task.pages[0]).toMatchObject({ status: 'failed', retry_count: retries });
  });
});

/** More than the embedded stack has threads that fetch pages. */
const pagesWithoutProxy = 6;

test('without a proxy, pages are fetched directly, and each environment says so once', async () => {
  for (let n = 0; n < pagesWithoutProxy; n++) {
    const task = await client.searched({ keyword: 'whole words', frequency: 0 });
    expect(task.status).toBe('success');
  }

  const log = readFileSync(join(service.dataDir, 'service.log'), 'utf8');
  const lines = log.match(/the secret PROXY_URL is empty: pages are fetched without a proxy/g) ?? [];
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(pagesWithoutProxy);
});
