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
    ['the end of the connection ends it', ''],
    ['it has no length, and the version has no chunks', 'connection: keep-alive\r\n'],
  ])('reset in a body without a length: %s', async (_, header) => {
    for (const version of ['1.0', '1.1']) {
      const origin = await serveBytes((socket) => {
        socket.write(`HTTP/${version} 200 OK\r\n${header}\r\n${html}`, () => {
          setTimeout(() => socket.resetAndDestroy(), 20);
        });
      });
      expect(await fetchFrom(origin)).toEqual({ ok: false, reason: 'unreachable: the connection was reset' });
    }
  });

  test.each(['gzip, chunked', 'chunked, gzip', 'gzip', 'chunked;a=b'])(
    'with the transfer coding %j, which stays in the text',
    async (coding) => {
      const origin = await serveBytes((socket) => {
        socket.end(`${head}transfer-encoding: ${coding}\r\n\r\n6\r\n<html>\r\n7\r\n</html>`);
      });
      expect(await fetchFrom(origin)).toEqual({
        ok: false,
        reason: 'unreachable: the answer is sent in an unknown way',
      });
    },
  );

  test.each(['chunked', 'CHUNKED'])('but not with the transfer coding %s', async (coding) => {
    const origin = await serveBytes((socket) => {
      socket.end(`${head}transfer-encoding: ${coding}\r\n\r\n6\r\n<html>\r\n0\r\n\r\n`);
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: '<html>' });
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

  test.each<[name: string, status: number, headers: Record<string, string>]>([
    ['its status', 206, {}],
    ['its status, whatever its range', 206, { 'content-range': 'bytes 0-99/100' }],
    ['the status of differences', 226, {}],
    ['its range', 200, { 'content-range': 'bytes 0-99/5000' }],
    ['the start of its range', 200, { 'content-range': 'bytes 1-99/100' }],
    ['a range of a page of unknown length', 203, { 'content-range': 'bytes 0-99/*' }],
    ['a range in other words', 200, { 'content-range': 'lines 0-99/100' }],
    ['its parts', 200, { 'content-type': 'multipart/byteranges; boundary=x' }],
  ])('that is a part of the page by %s', async (_, status, headers) => {
    const origin = await serve((_request, response) => {
      response.writeHead(status, headers).end(html);
    });
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the answer is a part of the page',
    });
  });

  test.each<[status: number, range: string]>([
    [200, 'bytes 0-99/100'],
    [416, 'bytes */100'],
  ])('but not a page with status %i and the range %s', async (status, range) => {
    const origin = await serve((_, response) => {
      response.writeHead(status, { 'content-range': range }).end(html);
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, status, body: html });
  });

  test.each([
    ['a part', 'HTTP/1.1 206 Partial Content\r\n'],
    ['a redirect to something else', 'HTTP/1.1 302 Found\r\nlocation: http://[\r\n'],
    ['sent in an unknown way', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n'],
  ])('that is %s, and whose body does not end: its connection is closed', async (_, start) => {
    const closed = Promise.withResolvers<void>();
    const origin = await serveBytes((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write(`${start}\r\n<html>`);
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: false });
    await closed.promise;
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
