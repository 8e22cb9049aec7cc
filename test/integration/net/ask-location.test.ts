/** Asking a link where it leads, against servers of our own: told is what the first answer says, and nothing is followed. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { openLocations } from '../../../lib/net/ask-location.ts';
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
])('a %i to %s is told as it is written', async (status, written, location) => {
  expect(await askAt(await serve(redirecting(status, written)))).toEqual({ ok: true, status, location });
});

test('a relative address is told whole', async () => {
  const origin = await serve(redirecting(302, '/sorry/index?continue=x'));

  expect(await askAt(origin)).toMatchObject({ location: `${origin}/sorry/index?continue=x` });
});

test.each<[string, RequestListener]>([
  ['a page', (_, response) => response.writeHead(200).end('<html></html>')],
  ['a refusal', (_, response) => response.writeHead(429, { location: 'https://example.com/' }).end()],
  ['a redirect to nowhere', (_, response) => response.writeHead(302).end()],
  ['a redirect to no address', (_, response) => response.writeHead(302, { location: 'https://' }).end()],
])('%s leads nowhere else', async (_, answer) => {
  expect(await askAt(await serve(answer))).toMatchObject({ ok: true, location: null });
});

test('asks once, with the given headers and no cookies, and follows nothing', async () => {
  const seen: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['user-agent']} ${request.headers.cookie}`);
    response.writeHead(302, { location: '/next', 'set-cookie': 'a=b' }).end();
  });

  await askAt(origin);

  expect(seen).toEqual(['GET /goto?url=CAES reader undefined']);
});

test('goes by the proxy, link after link', async () => {
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

test('what the wire does is told in a word', async () => {
  const reset = await serveBytes((socket) => socket.resetAndDestroy());
  const silent = await serveBytes(() => {});

  expect(await askAt(reset)).toEqual({ ok: false, reason: 'unreachable: the connection was reset' });
  expect(await askAt(silent, { deadlineMs: 300 })).toMatchObject({
    reason: expect.stringMatching(/^timeout: /),
  });
});

test('an address that is not admitted is not asked', async () => {
  let asked = 0;
  const origin = await serve((_, response) => {
    asked++;
    response.end();
  });
  const { ask, close } = openLocations({ headers: {}, deadlineMs: 1000 });

  expect(await ask(`${origin}/goto?url=CAES`)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^unreachable: /),
  });
  await close();
  expect(asked).toBe(0);
});
