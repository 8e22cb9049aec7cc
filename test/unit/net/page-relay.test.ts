/** The requests of a page that are fetched outside the browser, from a server on loopback. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { openRelay, type PageRelay } from '../../../lib/net/page-relay.ts';
import { serve } from '../../integration/net/loopback.ts';
import { fakeSession } from './session.ts';

const relays: PageRelay[] = [];
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.close();
});

type Paused = {
  resourceType?: string;
  request?: { url?: string; method?: string; headers?: Record<string, string>; postData?: string };
};

/** Opens the relay of a page whose server answers so. */
const open = async (listener: RequestListener, cookies: object[] = []) => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const origin = await serve(async (request, response) => {
    seen.push({ request, body: await text(request) });
    listener(request, response);
  });
  const fake = fakeSession({ 'Network.getCookies': { cookies } });
  const relay = openRelay(fake.session, { exempt: origin }, AbortSignal.timeout(20_000));
  relays.push(relay);
  const ask = ({ request, resourceType = 'Document' }: Paused = {}) =>
    relay.answer({
      requestId: 'r1',
      resourceType,
      request: { url: `${origin}/search?q=tea#top`, method: 'GET', headers: {}, ...request },
    } as never);
  return { ...fake, ask, seen, origin };
};

test('an answer is given to the browser decoded, with the headers that describe it', async () => {
  const { ask, sent } = await open((_, response) =>
    response
      .writeHead(203, {
        'content-type': 'text/html',
        'content-encoding': 'gzip',
        'set-cookie': ['a=1', 'b=2'],
        connection: 'keep-alive',
        'keep-alive': 'timeout=5',
        'transfer-encoding': 'chunked',
      })
      .end(gzipSync('Grüße')),
  );
  await ask();

  const [answer] = sent('Fetch.fulfillRequest') as [
    { responseHeaders: { name: string; value: string }[]; body: string },
  ];
  expect(answer).toMatchObject({ requestId: 'r1', responseCode: 203 });
  expect(Buffer.from(answer.body, 'base64').toString()).toBe('Grüße');
  expect(answer.responseHeaders.filter(({ name }) => name !== 'date')).toEqual([
    { name: 'content-type', value: 'text/html' },
    { name: 'set-cookie', value: 'a=1' },
    { name: 'set-cookie', value: 'b=2' },
  ]);
});

test('an answer has no length of another coding', async () => {
  const { ask, sent } = await open((_, response) =>
    response.writeHead(200, { 'content-length': 2 }).end('ok'),
  );
  await ask();

  const [{ responseHeaders }] = sent('Fetch.fulfillRequest') as [{ responseHeaders: { name: string }[] }];
  expect(responseHeaders.map(({ name }) => name)).not.toContain('content-length');
});

test('a redirect is an answer', async () => {
  const { ask, sent, seen } = await open((_, response) =>
    response.writeHead(302, { location: '/next' }).end(),
  );
  await ask();

  expect(sent('Fetch.fulfillRequest')).toEqual([
    expect.objectContaining({
      responseCode: 302,
      responseHeaders: expect.arrayContaining([{ name: 'location', value: '/next' }]),
    }),
  ]);
  expect(seen).toHaveLength(1);
});

test('a document is requested as a navigation, with the cookies of the browser', async () => {
  const { ask, seen, sent, origin } = await open(
    (_, response) => response.end(),
    [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  );
  await ask({ request: { headers: { 'User-Agent': 'x' } } });

  expect(sent('Network.getCookies')).toEqual([{ urls: [`${origin}/search?q=tea#top`] }]);
  const [{ request } = { request: undefined }] = seen;
  expect([request?.method, request?.url]).toEqual(['GET', '/search?q=tea']);
  expect(request?.headers).toMatchObject({
    'user-agent': 'x',
    cookie: 'a=1; b=2',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-user': '?1',
    'sec-fetch-dest': 'document',
  });
});

test('a document that a page opened says so', async () => {
  const { ask, seen } = await open((_, response) => response.end());
  await ask({ request: { headers: { Referer: 'https://engine.example/' } } });

  expect(seen[0]?.request.headers).toMatchObject({
    referer: 'https://engine.example/',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
  });
  expect(seen[0]?.request.headers).not.toHaveProperty('sec-fetch-user');
});

test('a script is requested without the headers of a navigation, and without empty cookies', async () => {
  const { ask, seen } = await open((_, response) => response.end());
  await ask({ resourceType: 'Script' });

  expect(seen[0]?.request.headers).not.toHaveProperty('sec-fetch-mode');
  expect(seen[0]?.request.headers).not.toHaveProperty('cookie');
});

test('a body is sent with the method of the request', async () => {
  const { ask, seen } = await open((_, response) => response.end());
  await ask({ request: { method: 'POST', postData: '{"q":1}' } });

  expect([seen[0]?.request.method, seen[0]?.body]).toEqual(['POST', '{"q":1}']);
});

test('a page may load 25 MB in all', async () => {
  const { ask, sent, origin } = await open((request, response) => {
    const bytes = Buffer.alloc(Number(request.url?.slice(1)));
    if (request.headers.accept === 'packed') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
    } else response.end(bytes);
  });
  const load = (bytes: number, accept = 'plain') =>
    ask({ request: { url: `${origin}/${bytes}`, headers: { accept } } });
  await load(15 * 1024 ** 2);
  await expect(load(11 * 1024 ** 2)).rejects.toThrow('the page is too large');
  await expect(load(11 * 1024 ** 2, 'packed')).rejects.toThrow('the page is too large');
  await load(10 * 1024 ** 2, 'packed');

  await load(0);
  await expect(load(1)).rejects.toThrow('the page is too large');
  expect(sent('Fetch.fulfillRequest')).toHaveLength(3);
});

test('requests at the same time may load 25 MB together', async () => {
  const { ask } = await open((_, response) => response.end(Buffer.alloc(13 * 1024 ** 2)));
  const loads = await Promise.allSettled([ask(), ask()]);

  expect(loads.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const reason = expect.objectContaining({ message: 'the page is too large' });
  expect(loads).toContainEqual({ status: 'rejected', reason });
});

test('6 requests are sent at once, the others in their order, and documents do not wait for scripts', async () => {
  const arrived: string[] = [];
  const held: (() => void)[] = [];
  const { ask, sent, origin } = await open((request, response) => {
    arrived.push(request.url ?? '');
    if (request.url?.startsWith('/script')) held.push(() => response.end());
    else response.end();
  });
  const scripts = Array.from({ length: 15 }, (_, n) =>
    ask({ resourceType: 'Script', request: { url: `${origin}/script${n}` } }),
  );
  await vi.waitFor(() => expect(held).toHaveLength(6), { timeout: 20_000 });
  await ask({ request: { url: `${origin}/next` } });

  expect(arrived).toHaveLength(7);
  expect(arrived.at(-1)).toBe('/next');
  let most = 0;
  while (arrived.length < 16 || held.length > 0) {
    most = Math.max(most, held.length);
    held.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(scripts);
  expect(most).toBe(6);
  expect(sent('Fetch.fulfillRequest')).toHaveLength(16);
  expect(new Set(arrived.slice(0, 6))).toEqual(new Set([0, 1, 2, 3, 4, 5].map((n) => `/script${n}`)));
});

test('a request that fails makes room for the next one', async () => {
  const { ask, origin } = await open((_, response) => response.end());
  const failed = Array.from({ length: 6 }, () =>
    ask({ resourceType: 'Script', request: { url: 'http://127.0.0.1:1/' } }),
  );
  const next = ask({ resourceType: 'Script', request: { url: `${origin}/` } });

  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
  await expect(next).resolves.toBeUndefined();
});

test('an answer may name its codings in several headers', async () => {
  const { ask, sent } = await open((_, response) =>
    response.setHeader('content-encoding', ['gzip', 'gzip']).end(gzipSync(gzipSync('tea'))),
  );
  await ask();

  const [{ body }] = sent('Fetch.fulfillRequest') as [{ body: string }];
  expect(Buffer.from(body, 'base64').toString()).toBe('tea');
});

test('a forbidden address is not reached', async () => {
  const { ask, seen, origin } = await open((_, response) => response.end());
  const other = await serve((_, response) => response.end());

  await expect(ask({ request: { url: other } })).rejects.toThrow('address is loopback');
  expect(origin).not.toBe(other);
  expect(seen).toEqual([]);
});

test('the end of the page ends its requests', async () => {
  const origin = await serve(() => undefined);
  const stop = new AbortController();
  const relay = openRelay(
    fakeSession({ 'Network.getCookies': { cookies: [] } }).session,
    { exempt: origin },
    stop.signal,
  );
  relays.push(relay);
  const asked = relay.answer({
    requestId: 'r1',
    request: { url: origin, method: 'GET', headers: {} },
  } as never);
  stop.abort(new Error('the page was closed'));

  await expect(asked).rejects.toThrow('the page was closed');
});
