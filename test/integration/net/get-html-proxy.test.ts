/** Pages over HTTP through a proxy. */
import type http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, test } from 'vitest';
import { getHtml, type PageRequest } from '../../../lib/net/get-html.ts';
import { html } from './fetch-from.ts';
import { serve, serveBytes, serveProxy, serveSockets, serveTls } from './loopback.ts';
import { certificate } from './loopback-certificate.ts';

describe('through a proxy', () => {
  const through = (proxyUrl: string, more: Partial<PageRequest> = {}) =>
    getHtml({
      url: 'http://www.engine.example/search?q=a',
      headers: {},
      deadlineMs: 2000,
      proxyUrl,
      ...more,
    });

  test('a page is fetched, and only the proxy gets the credentials', async () => {
    let seen: http.IncomingHttpHeaders = {};
    const engine = await serve((request, response) => {
      seen = request.headers;
      response.end(`${request.url}`);
    });
    const proxy = await serveProxy(engine);

    const answer = await through(proxy.origin.replace('//', '//user-de:p%40ss@'), {
      headers: { 'x-mine': '1' },
    });

    expect(answer).toMatchObject({
      ok: true,
      body: '/search?q=a',
      url: 'http://www.engine.example/search?q=a',
    });
    expect(proxy.tunnels).toEqual([
      {
        target: 'www.engine.example:80',
        authorization: `Basic ${Buffer.from('user-de:p@ss').toString('base64')}`,
      },
    ]);
    const { host, connection, ...rest } = seen;
    expect(host).toBe('www.engine.example');
    expect(rest).toEqual({ 'x-mine': '1' });
  });

  test('each fetch has its own tunnels', async () => {
    const proxy = await serveProxy(await serve((_, response) => response.end(html)));
    await through(proxy.origin);
    await through(proxy.origin);
    expect(proxy.tunnels).toHaveLength(2);
  });

  test('a proxy over TLS is trusted for its own name, not for that of the page', async () => {
    const proxy = await serveProxy(await serve((_, response) => response.end(html)), undefined, 'https');
    const untrusted = await through(proxy.origin, { url: 'http://www.other.example/' });
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate]);
    try {
      expect(untrusted).toMatchObject({ ok: false });
      expect(await through(proxy.origin, { url: 'http://www.other.example/' })).toMatchObject({
        ok: true,
        body: html,
      });
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  test('without TLS, whose address says that it has TLS, gives no page', async () => {
    const proxy = await serveProxy(await serve((_, response) => response.end(html)));
    expect(await through(proxy.origin.replace('http:', 'https:'))).toEqual({
      ok: false,
      reason: 'unreachable: could not connect; the TLS handshake failed',
    });
  });

  test('the certificate of an HTTPS page is verified for the name of the page', async () => {
    const engine = await serveTls((_, response) => response.end(html));
    const proxy = await serveProxy(engine);
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate]);
    try {
      const right = await through(proxy.origin, { url: 'https://www.engine.example/' });
      const wrong = await through(proxy.origin, { url: 'https://www.other.example/' });
      expect(right).toMatchObject({ ok: true, body: html });
      expect(wrong).toEqual({
        ok: false,
        reason: 'unreachable: could not connect; the TLS certificate is not trusted',
      });
      expect(proxy.tunnels.map(({ target }) => target)).toEqual([
        'www.engine.example:443',
        'www.other.example:443',
      ]);
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  test('a page whose TLS the proxy ends is fetched if the authority of the proxy is given, for its own name only', async () => {
    const engine = await serveTls((_, response) => response.end(html));
    const proxy = await serveProxy(engine);

    const untrusted = await through(proxy.origin, { url: 'https://www.engine.example/' });
    const trusted = await through(proxy.origin, {
      url: 'https://www.engine.example/',
      proxyCa: certificate,
    });
    const wrongName = await through(proxy.origin, {
      url: 'https://www.other.example/',
      proxyCa: certificate,
    });
    const direct = await getHtml({
      url: engine,
      exempt: engine,
      headers: {},
      deadlineMs: 2000,
      proxyCa: certificate,
    });

    expect(trusted).toMatchObject({ ok: true, body: html });
    for (const page of [untrusted, wrongName, direct]) {
      expect(page).toEqual({
        ok: false,
        reason: 'unreachable: could not connect; the TLS certificate is not trusted',
      });
    }
  });

  test.each([
    ['407 Proxy Authentication Required', 'the proxy refused the credentials'],
    ['403 Forbidden', 'the proxy refused the connection'],
    ['502 Bad Gateway', 'the proxy refused the connection'],
  ])('that answers %s gives no page: %s', async (refusal, sentence) => {
    const proxy = await serveProxy('http://127.0.0.1:1', refusal);
    expect(await through(proxy.origin)).toEqual({ ok: false, reason: `unreachable: ${sentence}` });
  });

  test.each(['user:secret@proxy', 'http://user:secret@:1', 'socks5://user:secret@127.0.0.1:1'])(
    'with the invalid URL %s throws an error without the credentials',
    async (proxyUrl) => {
      const error = await through(proxyUrl).catch((thrown: unknown) => thrown);
      expect(error).toEqual(new Error('PROXY_URL is not an http(s) URL'));
    },
  );

  test.each([
    ['http://www.engine.example/', 'at once', 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n<html/>'],
    ['https://www.engine.example/', 'at once', 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n<html/>'],
    [
      'http://www.engine.example/',
      'as of the engine',
      `HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${html}`,
    ],
  ])('that answers %s %s with a page of its own gives no page, and is asked once', async (url, _, answer) => {
    let connections = 0;
    const proxy = await serveBytes((socket) => {
      connections += 1;
      socket.end(answer);
    });

    expect(await through(proxy, { url })).toEqual({
      ok: false,
      reason: 'unreachable: the proxy opened no tunnel',
    });
    expect(connections).toBe(1);
  });

  test.each([
    ['us%er:p%C3@', 'us%er:p%C3'],
    ['user:p%C3%A4ss%E6%97%A5@', 'user:päss日'],
    [':only@', ':only'],
    ['user@', 'user:'],
  ])('gets the credentials %s', async (written, sent) => {
    const proxy = await serveProxy(await serve((_, response) => response.end(html)));

    expect(await through(proxy.origin.replace('//', `//${written}`))).toMatchObject({ ok: true });
    expect(proxy.tunnels.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from(sent).toString('base64')}`,
    ]);
  });

  test('whose address has a path is asked at its origin', async () => {
    const proxy = await serveProxy(await serve((_, response) => response.end(html)));
    expect(await through(`${proxy.origin}/path?query`)).toMatchObject({ ok: true, body: html });
  });

  test('that closes the connection gives no page', async () => {
    const proxy = await serveSockets((socket) => setTimeout(() => socket.destroy(), 10));
    expect(await through(proxy)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });

  test.each(['http', 'https'] as const)('a page over %s that the proxy resets is cut', async (scheme) => {
    const unfinished: http.RequestListener = (_, response) => {
      response.useChunkedEncodingByDefault = false;
      response.write(html);
    };
    const engine = await (scheme === 'https' ? serveTls : serve)(unfinished);
    const reset = await serveSockets((socket) => {
      const upstream = net.connect(Number(new URL(engine).port), '127.0.0.1');
      upstream.on('error', () => socket.destroy());
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(upstream).on('data', (data: Buffer) => {
          const isPage = scheme === 'http' ? data.includes('</html>') : data[0] === 23;
          socket.write(data, () => isPage && setTimeout(() => socket.resetAndDestroy(), 100));
        });
      });
    });

    expect(await through(reset, { url: `${scheme}://www.engine.example/`, proxyCa: certificate })).toEqual({
      ok: false,
      reason: 'unreachable: the connection was reset',
    });
  });

  test('that hangs gives no page at the deadline', async () => {
    const proxy = await serveSockets(() => {});
    expect(await through(proxy, { deadlineMs: 300 })).toEqual({
      ok: false,
      reason: 'timeout: the page did not arrive in time',
    });
  });

  test.each(['http://169.254.169.254/', 'http://[::1]/', 'http://127.0.0.1/', 'http://10.1/'])(
    'the forbidden address %s is refused before the proxy is asked',
    async (url) => {
      const proxy = await serveProxy('http://127.0.0.1:1');
      expect(await through(proxy.origin, { url })).toMatchObject({
        reason: expect.stringMatching(/address is/),
      });
      expect(proxy.tunnels).toEqual([]);
    },
  );
});
