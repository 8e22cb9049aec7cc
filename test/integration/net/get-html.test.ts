/** Pages over HTTP: complete, compressed, too large, forbidden. */
import type http from 'node:http';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { getHtml } from '../../../lib/net/get-html.ts';
import { fetchFrom, html } from './fetch-from.ts';
import { serve, serveBytes, serveTls } from './loopback.ts';
import { certificate } from './loopback-certificate.ts';

describe('a page', () => {
  test('is returned with its status, URL, headers and text', async () => {
    const origin = await serve((request, response) => {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8', 'x-seen': request.url });
      response.end(html);
    });

    expect(await fetchFrom(origin, '/search?q=caf%C3%A9')).toEqual({
      ok: true,
      status: 404,
      url: `${origin}/search?q=caf%C3%A9`,
      headers: expect.objectContaining({ 'x-seen': '/search?q=caf%C3%A9' }),
      body: html,
      bytes: Buffer.byteLength(html),
    });
  });

  test('is requested with the given headers and no others except host and connection', async () => {
    let seen: http.IncomingHttpHeaders = {};
    const origin = await serve((request, response) => {
      seen = request.headers;
      response.end();
    });

    await fetchFrom(origin, '/', { headers: { 'user-agent': 'Somebody', 'accept-language': 'de' } });

    const { host, connection, ...rest } = seen;
    expect(rest).toEqual({ 'user-agent': 'Somebody', 'accept-language': 'de' });
  });

  test('is requested by POST if the request has a body, and by GET after a redirect', async () => {
    const seen: string[] = [];
    const origin = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
      if (request.url === '/search') response.writeHead(302, { location: '/sorry' });
      response.end(html);
    });

    expect(await fetchFrom(origin, '/search', { body: '{"ü":1}' })).toMatchObject({ url: `${origin}/sorry` });

    expect(seen).toEqual(['POST /search application/json {"ü":1}', 'GET /sorry undefined ']);
  });

  test('is requested with the same headers after a redirect', async () => {
    const seen: unknown[] = [];
    const origin = await serve((request, response) => {
      const { 'user-agent': agent, 'accept-language': language } = request.headers;
      seen.push([request.url, agent, language]);
      if (request.url === '/') response.writeHead(302, { location: '/next' });
      response.end(html);
    });

    await fetchFrom(origin, '/', { headers: { 'user-agent': 'Somebody', 'accept-language': 'de' } });

    expect(seen).toEqual([
      ['/', 'Somebody', 'de'],
      ['/next', 'Somebody', 'de'],
    ]);
  });

  test('with a header that comes twice has both values, in order', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(
        200,
        [
          ['x-seen', 'one'],
          ['x-seen', 'two'],
        ].flat(),
      );
      response.end(html);
    });

    expect(await fetchFrom(origin)).toMatchObject({ headers: { 'x-seen': 'one, two' } });
  });

  test('reuses the connection if the engine keeps it open', async () => {
    const ports = new Set<number | undefined>();
    const origin = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(html);
    });

    for (let n = 0; n < 5; n++) {
      await fetchFrom(origin);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }

    expect(ports.size).toBe(1);
  });

  test('in another charset is decoded', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' });
      response.end(Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]));
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: 'Привет' });
  });

  test('in chunks of single bytes is joined', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      for (const byte of Buffer.from(html)) response.write(Buffer.from([byte]));
      response.end();
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: html });
  });

  test('may follow a 1xx answer', async () => {
    const origin = await serveBytes((socket) => {
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi',
      );
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, status: 200, body: 'hi' });
  });
});

describe('compression', () => {
  test.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const)('%s is decompressed', async (coding, pack) => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding, 'content-type': 'text/html; charset=utf-8' });
      response.end(pack(html));
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: html, bytes: Buffer.byteLength(html) });
  });

  test('to a page over the size limit is a failure', async () => {
    const packed = zlib.gzipSync(Buffer.alloc(6 * 1024 * 1024));
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(packed);
    });
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: 'unreachable: the page is too large' });
  });

  test('truncated in an otherwise complete answer is a failure', async () => {
    const packed = zlib.gzipSync(html);
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(packed.subarray(0, packed.length - 3));
    });
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the compressed page is cut or broken',
    });
  });
});

describe('size', () => {
  const maxBytes = 5 * 1024 * 1024;

  test.each([
    [maxBytes, true],
    [maxBytes + 1, false],
  ])('of %d bytes is accepted: %j', async (bytes, ok) => {
    const origin = await serve((_, response) => response.end(Buffer.alloc(bytes, 'a')));
    expect(await fetchFrom(origin)).toMatchObject({ ok });
  });

  test('without end is cut off at the limit', async () => {
    let sent = 0;
    const origin = await serve((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a');
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: 'unreachable: the page is too large' });
    expect(sent).toBeLessThan(4 * maxBytes);
  });

  test('of the headers is limited too', async () => {
    const origin = await serveBytes((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x-pad: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`);
    });
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the headers of the answer are too large',
    });
  });
});

describe('an address of the local network', () => {
  test.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'https://10.0.0.1/', 'http://[::1]:1/'])(
    '%s is refused unless it is exempt',
    async (url) => {
      expect(
        await getHtml({ url, headers: {}, deadlineMs: 1000, exempt: 'http://127.0.0.1:2' }),
      ).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^unreachable: address is (loopback|private)$/),
      });
    },
  );

  test('is exempt by host and port, also if the default port is omitted', async () => {
    const request = {
      url: 'http://127.0.0.1/',
      headers: {},
      deadlineMs: 1000,
      exempt: 'http://127.0.0.1:80',
    };
    expect(await getHtml(request)).toMatchObject({ reason: 'unreachable: the connection was refused' });
  });
});

describe('TLS', () => {
  test('with an untrusted certificate gives no page', async () => {
    const origin = await serveTls((_, response) => response.end(html));
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: could not connect; the TLS certificate is not trusted',
    });
  });

  test('with a server that speaks plain HTTP gives no page', async () => {
    const origin = await serve((_, response) => response.end(html));
    expect(await fetchFrom(origin.replace('http:', 'https:'))).toEqual({
      ok: false,
      reason: 'unreachable: could not connect; the TLS handshake failed',
    });
  });

  test('with a trusted certificate gives a page', async () => {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate]);
    try {
      const origin = await serveTls((_, response) => response.end(html));
      expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: html });
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });
});
