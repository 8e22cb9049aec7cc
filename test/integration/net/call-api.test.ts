/** One call of an HTTP API, against servers that answer well, late, too much or not at all. */
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { callApi } from '../../../lib/net/call-api.ts';
import { serve, serveBytes } from './loopback.ts';

const call = (origin: string, more: Partial<Parameters<typeof callApi>[0]> = {}) =>
  callApi({
    method: 'GET',
    url: `${origin}/v3/things?n=1`,
    headers: { authorization: 'Basic x' },
    exempt: origin,
    deadlineMs: 5000,
    maxBytes: 1000,
    ...more,
  });

test('sends method, path, headers and body, and returns the status and the unpacked text', async () => {
  const seen: unknown[] = [];
  const origin = await serve(async (request, response) => {
    seen.push([request.method, request.url, request.headers.authorization, await text(request)]);
    response.writeHead(402, { 'content-encoding': 'gzip' }).end(gzipSync('{"crème": 1}'));
  });

  const answer = await call(origin, { method: 'POST', body: '[{"brûlée": 2}]' });

  expect(answer).toMatchObject({ ok: true, status: 402, body: '{"crème": 1}' });
  expect(seen).toEqual([['POST', '/v3/things?n=1', 'Basic x', '[{"brûlée": 2}]']]);
});

test('says which answers it reads, and returns each header, and each cookie on its own', async () => {
  const seen: unknown[] = [];
  const origin = await serve((request, response) => {
    seen.push([request.headers.accept, request.headers['accept-encoding']]);
    response.writeHead(200, { 'x-limit': ['1', '2'], 'set-cookie': ['a=1', 'b=2'] }).end('{}');
  });

  expect(await call(origin)).toMatchObject({
    headers: { 'x-limit': '1, 2' },
    setCookies: ['a=1', 'b=2'],
  });
  expect(seen).toEqual([['application/json', 'gzip']]);
});

const malformed = { ok: false, reason: 'malformed: the answer is not text in its charset' };

test.each([
  ['UTF-8', 'application/json', 'utf8', { ok: true, body: '"é"' }],
  ['Latin-1 without a name', 'application/json', 'latin1', { ok: true, body: '"é"' }],
  ['Latin-1 by its name', 'application/json; charset=iso-8859-1', 'latin1', { ok: true, body: '"é"' }],
  ['Latin-1 by the name of UTF-8', 'application/json; charset=utf-8', 'latin1', malformed],
] as const)('an answer in %s', async (_, type, encoding, expected) => {
  const origin = await serve((__, response) => {
    response.writeHead(200, { 'content-type': type }).end(Buffer.from('"é"', encoding));
  });

  expect(await call(origin)).toMatchObject(expected);
});

test('a refusal is readable although its bytes do not fit its charset', async () => {
  const origin = await serve((_, response) => {
    response
      .writeHead(403, { 'content-type': 'text/html; charset=utf-8' })
      .end(Buffer.from('refus\xe9', 'latin1'));
  });

  expect(await call(origin)).toMatchObject({ ok: true, status: 403, body: 'refus\ufffd' });
});

test('does not follow a redirect, so the credentials stay at the origin', async () => {
  let asked = 0;
  const origin = await serve((_, response) => {
    asked++;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });

  expect(await call(origin)).toMatchObject({ ok: true, status: 302, body: '' });
  expect(asked).toBe(1);
});

test('an answer that hangs ends at the deadline', async () => {
  const origin = await serve((_, response) => void response.write('{'));

  expect(await call(origin, { deadlineMs: 300 })).toEqual({
    ok: false,
    reason: 'timeout: the answer did not arrive in time',
  });
});

test.each([
  ['plain', Buffer.alloc(1001, 'x'), {}],
  ['packed', gzipSync(Buffer.alloc(100_000, 'x')), { 'content-encoding': 'gzip' }],
])('an answer that is too large (%s) is refused', async (_, body, headers) => {
  const origin = await serve((_request, response) => response.writeHead(200, headers).end(body));

  expect(await call(origin)).toMatchObject({ ok: false, reason: expect.stringMatching(/^unreachable: /) });
});

test.each<[name: string, status: number, headers: Record<string, string>]>([
  ['by its status', 206, {}],
  ['by its range', 200, { 'content-range': 'bytes 0-1/500' }],
])('an answer that is a part %s is a failure', async (_, status, headers) => {
  const origin = await serve((_request, response) => response.writeHead(status, headers).end('{}'));

  expect(await call(origin)).toMatchObject({ ok: false, reason: expect.stringMatching(/^unreachable: /) });
});

test.each([
  ['in an unknown way', 'transfer-encoding: gzip'],
  ['with a coding that is unknown', 'content-encoding: compress'],
])('an answer that is sent %s is a failure', async (_, header) => {
  const origin = await serveBytes((socket) => socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n{}`));

  expect(await call(origin)).toMatchObject({ ok: false, reason: expect.stringMatching(/unknown way$/) });
});

test('an answer that is refused before its body gives up its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const origin = await serveBytes((socket) => {
    socket.on('close', () => closed.resolve());
    socket.write('HTTP/1.1 206 Partial Content\r\n\r\n{');
  });

  expect(await call(origin, { deadlineMs: 600_000 })).toMatchObject({ ok: false });
  await closed.promise;
});

test('a connection that is reset is a failure, also if only its end would end the answer', async () => {
  const origin = await serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n{}', () => setTimeout(() => socket.resetAndDestroy(), 20));
  });

  expect(await call(origin)).toEqual({ ok: false, reason: 'unreachable: the connection was reset' });
});

test('a connection that is cut off is a failure', async () => {
  const origin = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'));

  expect(await call(origin)).toMatchObject({ ok: false });
});

test('an address that is not public is refused, unless the operator has set it', async () => {
  let asked = 0;
  const origin = await serve((_, response) => {
    asked++;
    response.end();
  });

  expect(await call(origin, { exempt: 'http://127.0.0.1:1' })).toMatchObject({ ok: false });
  expect(asked).toBe(0);
});
