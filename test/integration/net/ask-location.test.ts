/**
 * Asking where a link redirects to, against local servers: the first answer counts, and no redirect is
 * followed.
 */
import type { RequestListener } from 'node:http';
import { expect, test, vi } from 'vitest';
import { openLocations } from '../../../lib/net/ask-location.ts';
import { fetchFrom } from './fetch-from.ts';
import { serve, serveBytes, serveProxy } from './loopback.ts';

const askAt = async (origin: string, { deadlineMs = 2000, proxyUrl = '' } = {}) => {
  const { ask, close } = openLocations({
    headers: { 'user-agent': 'reader' },
    deadlineMs,
    exempt: origin,
    ...(proxyUrl && { proxyUrl }),
  });
  try {
    return await ask(`${origin}/goto?url=CAES`);
  } finally {
    await close();
  }
};

const redirecting =
  (status: number, location: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { location: Buffer.from(location).toString('latin1') }).end();

test.each([
  [301, 'https://www.example.com/a?b=c#d', 'https://www.example.com/a?b=c#d'],
  [302, 'https://example.com', 'https://example.com'],
  [303, 'http://example.com/%e4%b8%ad', 'http://example.com/%e4%b8%ad'],
  [307, 'https://example.com/中', 'https://example.com/中'],
  [308, 'HTTPS://Example.com/Path', 'HTTPS://Example.com/Path'],
  [308, 'HTTP://Example.com/Path', 'HTTP://Example.com/Path'],
])('returns the location of a %i to %s unchanged', async (status, written, location) => {
  expect(await askAt(await serve(redirecting(status, written)))).toEqual({ ok: true, status, location });
});

test.each([
  ['a link', (origin: string, deadlineMs: number) => askAt(origin, { deadlineMs })],
  ['a page', (origin: string, deadlineMs: number) => fetchFrom(origin, '/', { deadlineMs })],
])('the timer of %s ends with its answer', async (_, ask) => {
  const origin = await serve((_request, response) => response.end());
  const [started, ended] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  try {
    await ask(origin, 12_345);

    const call = started.mock.calls.findIndex(([, milliseconds]) => milliseconds === 12_345);
    expect(ended.mock.calls.flat()).toContain(started.mock.results[call]?.value);
  } finally {
    started.mockRestore();
    ended.mockRestore();
  }
});

test('returns a relative location with an address in it as an absolute URL', async () => {
  const origin = await serve(redirecting(302, '/go?to=https://example.com'));

  expect(await askAt(origin)).toMatchObject({ location: `${origin}/go?to=https://example.com` });
});

test('returns a relative location as an absolute URL', async () => {
  const origin = await serve(redirecting(302, '/sorry/index?continue=x'));

  expect(await askAt(origin)).toMatchObject({ location: `${origin}/sorry/index?continue=x` });
});

test.each<[string, RequestListener]>([
  ['a page', (_, response) => response.writeHead(200).end('<html></html>')],
  ['a refusal', (_, response) => response.writeHead(429, { location: 'https://example.com/' }).end()],
  ['a redirect without a location', (_, response) => response.writeHead(302).end()],
  [
    'a redirect to an invalid address',
    (_, response) => response.writeHead(302, { location: 'https://' }).end(),
  ],
])('returns no location for %s', async (_, answer) => {
  expect(await askAt(await serve(answer))).toMatchObject({ ok: true, location: null });
});

test('sends one request, with the given headers and no cookies, and follows no redirect', async () => {
  const seen: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['user-agent']} ${request.headers.cookie}`);
    response.writeHead(302, { location: '/next', 'set-cookie': 'a=b' }).end();
  });

  await askAt(origin);

  expect(seen).toEqual(['GET /goto?url=CAES reader undefined']);
});

test('asks several links through the proxy', async () => {
  const origin = await serve(redirecting(302, 'https://example.com/'));
  const proxy = await serveProxy(origin);
  const { ask, close } = openLocations({
    headers: {},
    deadlineMs: 2000,
    exempt: 'http://engine.example',
    proxyUrl: proxy.origin,
  });

  const answers = [
    await ask('http://engine.example/goto?url=1'),
    await ask('http://engine.example/goto?url=2'),
  ];
  await close();

  expect(answers).toMatchObject([{ location: 'https://example.com/' }, { location: 'https://example.com/' }]);
  expect(new Set(proxy.tunnels.map(({ target }) => target))).toEqual(new Set(['engine.example:80']));
});

test('returns a reason for a network failure', async () => {
  const reset = await serveBytes((socket) => socket.resetAndDestroy());
  const hanging = await serveBytes(() => {});

  expect(await askAt(reset)).toEqual({ ok: false, reason: 'unreachable: the connection was reset' });
  expect(await askAt(hanging, { deadlineMs: 300 })).toEqual({
    ok: false,
    reason: 'timeout: the link was not answered in time',
  });
});

test('sends no request to a forbidden address', async () => {
  let requests = 0;
  const origin = await serve((_, response) => {
    requests++;
    response.end();
  });
  const { ask, close } = openLocations({ headers: {}, deadlineMs: 1000 });

  expect(await ask(`${origin}/goto?url=CAES`)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^unreachable: /),
  });
  await close();
  expect(requests).toBe(0);
});
