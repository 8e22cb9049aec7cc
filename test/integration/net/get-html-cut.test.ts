/** Pages over HTTP that are truncated or too late. */
import type http from 'node:http';
import { describe, expect, test } from 'vitest';
import { fetchFrom, html } from './fetch-from.ts';
import { serve, serveBytes, serveSockets } from './loopback.ts';

describe('a truncated or invalid answer gives no page', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
  const cuts: [name: string, sent: string][] = [
    ['before anything', ''],
    ['in the status line', 'HTTP/1.1 20'],
    ['in the headers', head],
    ['before a body of known length', `${head}content-length: 100\r\n\r\n`],
    ['in a body of known length', `${head}content-length: 100\r\n\r\n<html><body></body></html>`],
    ['one byte short', `${head}content-length: 5\r\n\r\nfour`],
    ['before the first chunk', `${head}transfer-encoding: chunked\r\n\r\n`],
    ['in a chunk', `${head}transfer-encoding: chunked\r\n\r\n10\r\n<html>`],
    ['between chunks', `${head}transfer-encoding: chunked\r\n\r\n6\r\n<html>\r\n`],
    [
      'before the last CRLF of the last chunk',
      `${head}transfer-encoding: chunked\r\n\r\n6\r\n<html>\r\n0\r\n`,
    ],
  ];

  test.each(cuts)('ended %s', async (_, sent) => {
    const origin = await serveBytes((socket) => socket.end(sent));
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the connection ended too early',
    });
  });

  test.each(cuts)('reset %s', async (_, sent) => {
    const origin = await serveBytes((socket) => {
      socket.write(sent, () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    expect(await fetchFrom(origin)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['an invalid chunk size', `${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc`],
    ['two content lengths', `${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`],
  ])('with %s', async (_, sent) => {
    const origin = await serveBytes((socket) => socket.end(sent));
    expect(await fetchFrom(origin)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });

  test('that is a part of the page, which was not asked for', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-99/5000' }).end(html);
    });
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the answer is a part of the page',
    });
  });

  test('from a port without a listener', async () => {
    expect(await fetchFrom('http://127.0.0.1:1')).toEqual({
      ok: false,
      reason: 'unreachable: the connection was refused',
    });
  });
});

// These servers never end a connection themselves, so a fetch that ends was ended by its deadline.
describe('the one deadline', () => {
  const late = { ok: false, reason: 'timeout: the page did not arrive in time' };
  const hurried = { deadlineMs: 300 };

  test.each<[name: string, answer: http.RequestListener]>([
    ['before the headers', () => {}],
    ['in the body', (_, response) => void response.writeHead(200).write('<html>')],
    [
      'byte by byte',
      (_, response) => {
        const drip = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
    [
      'in a series of fast redirects',
      (request, response) => {
        setTimeout(() => response.writeHead(302, { location: `${request.url}a` }).end(), 100);
      },
    ],
    [
      'in the body of a redirect',
      (_, response) => void response.writeHead(302, { location: '/next' }).write('moved'),
    ],
  ])('ends the fetch from a server that hangs %s', async (_, handle) => {
    const origin = await serve(handle);
    expect(await fetchFrom(origin, '/', hurried)).toEqual(late);
  });

  test('ends the fetch from a server that accepts and sends nothing', async () => {
    const origin = await serveSockets(() => {});
    expect(await fetchFrom(origin, '/', hurried)).toEqual(late);
  });

  test('ends the fetch from a server that sends 1xx without end', async () => {
    const origin = await serveBytes((socket) => {
      const flood = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(flood));
    });
    expect(await fetchFrom(origin, '/', hurried)).toEqual(late);
  });

  test('does not affect the next fetch from the same server', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/fine') response.end(html);
    });
    await fetchFrom(origin, '/hang', hurried);
    expect(await fetchFrom(origin, '/fine')).toMatchObject({ ok: true });
  });
});
