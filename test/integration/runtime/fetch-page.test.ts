import type http from 'node:http';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fetchPage, type PageRequest } from '../../../lib/runtime/fetch-page.ts';
import { serve, serveBytes, serveProxy, serveSockets, serveTls } from './loopback.ts';
import { certificate } from './loopback-certificate.ts';

/** Fetches from an exempt origin, in good time. */
const fetchFrom = (origin: string, path = '/', more: Partial<PageRequest> = {}) =>
  fetchPage({ url: origin + path, headers: {}, deadlineMs: 2000, exempt: origin, ...more });

const html = '<html><body>Grüße</body></html>';

describe('a page', () => {
  test('comes with its status, address, headers and text', async () => {
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

  test('is asked for with the headers given and no others of note', async () => {
    let seen: http.IncomingHttpHeaders = {};
    const origin = await serve((request, response) => {
      seen = request.headers;
      response.end();
    });

    await fetchFrom(origin, '/', { headers: { 'user-agent': 'Somebody', 'accept-language': 'de' } });

    const { host, connection, ...rest } = seen;
    expect(rest).toEqual({ 'user-agent': 'Somebody', 'accept-language': 'de' });
  });

  test('comes over one connection if the engine keeps it open', async () => {
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

  test('in chunks of single bytes is put together', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      for (const byte of Buffer.from(html)) response.write(Buffer.from([byte]));
      response.end();
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: html });
  });

  test('ahead of which 1xx come is the one after them', async () => {
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
  ] as const)('%s is undone', async (coding, pack) => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding, 'content-type': 'text/html; charset=utf-8' });
      response.end(pack(html));
    });
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, body: html, bytes: Buffer.byteLength(html) });
  });

  test('a bomb is a failure', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(6 * 1024 * 1024));
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: 'unreachable: the page is too large' });
  });

  test('cut short, in an answer that is whole otherwise, is a failure', async () => {
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
  const cap = 5 * 1024 * 1024;

  test.each([
    [cap, true],
    [cap + 1, false],
  ])('of %d bytes: a page is %j', async (bytes, ok) => {
    const origin = await serve((_, response) => response.end(Buffer.alloc(bytes, 'a')));
    expect(await fetchFrom(origin)).toMatchObject({ ok });
  });

  test('without end is cut off at the cap', async () => {
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
    expect(sent).toBeLessThan(4 * cap);
  });

  test('of the headers has a bound too', async () => {
    const origin = await serveBytes((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`x-pad: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`);
    });
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the headers of the answer are too large',
    });
  });
});

describe('a connection that is cut makes no page', () => {
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

  test.each(cuts)('%s', async (_, sent) => {
    const origin = await serveBytes((socket) => socket.end(sent));
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the connection ended too early',
    });
  });

  test.each(cuts)('%s, by a reset', async (_, sent) => {
    const origin = await serveBytes((socket) => {
      socket.write(sent, () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    expect(await fetchFrom(origin)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a body longer than it says in its chunks', `${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc`],
    ['two lengths', `${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`],
  ])('nor does %s', async (_, sent) => {
    const origin = await serveBytes((socket) => socket.end(sent));
    expect(await fetchFrom(origin)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });

  test('nor does a port where nobody listens', async () => {
    expect(await fetchFrom('http://127.0.0.1:1')).toEqual({
      ok: false,
      reason: 'unreachable: the connection was refused',
    });
  });
});

describe('the one deadline', () => {
  const late = { ok: false, reason: 'timeout: the page did not arrive in time' };
  const hurried = { deadlineMs: 300 };

  const timed = async (fetching: Promise<unknown>) => {
    const started = performance.now();
    return { answer: await fetching, tookMs: performance.now() - started };
  };

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
      'in redirects, each of them quick',
      (request, response) => {
        setTimeout(() => response.writeHead(302, { location: `${request.url}a` }).end(), 100);
      },
    ],
    [
      'in the body of a redirect',
      (_, response) => void response.writeHead(302, { location: '/next' }).write('moved'),
    ],
  ])('ends a server that hangs %s', async (_, handle) => {
    const origin = await serve(handle);
    const { answer, tookMs } = await timed(fetchFrom(origin, '/', hurried));
    expect(answer).toEqual(late);
    expect(tookMs).toBeLessThan(600);
  });

  test('ends one that accepts and says nothing', async () => {
    const origin = await serveSockets(() => {});
    const { answer, tookMs } = await timed(fetchFrom(origin, '/', hurried));
    expect(answer).toEqual(late);
    expect(tookMs).toBeLessThan(600);
  });

  test('ends one that sends 1xx without end', async () => {
    const origin = await serveBytes((socket) => {
      const flood = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(flood));
    });
    expect(await fetchFrom(origin, '/', hurried)).toEqual(late);
  });

  test('leaves the next fetch from there unharmed', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/fine') response.end(html);
    });
    await fetchFrom(origin, '/hang', hurried);
    expect(await fetchFrom(origin, '/fine')).toMatchObject({ ok: true });
  });
});

describe('redirects', () => {
  const redirecting = (status: number, location: string): http.RequestListener => {
    return (request, response) => {
      if (request.url === '/') response.writeHead(status, { location }).end('moved');
      else response.end(`${request.method} ${request.url}`);
    };
  };

  test.each([301, 302, 303, 307, 308])('%d is followed', async (status) => {
    const origin = await serve(redirecting(status, '/sorry/index?continue=x'));
    expect(await fetchFrom(origin)).toMatchObject({
      ok: true,
      url: `${origin}/sorry/index?continue=x`,
      body: 'GET /sorry/index?continue=x',
    });
  });

  test('to an address with letters beyond ASCII', async () => {
    const origin = await serve(redirecting(302, Buffer.from('/größe').toString('latin1')));
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, url: `${origin}/gr%C3%B6%C3%9Fe` });
  });

  test.each([300, 304])('%d is a page', async (status) => {
    const origin = await serve(redirecting(status, '/elsewhere'));
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, status, url: `${origin}/` });
  });

  test('without a location is a page', async () => {
    const origin = await serve((_, response) => response.writeHead(302).end('moved'));
    expect(await fetchFrom(origin)).toMatchObject({ ok: true, status: 302, body: 'moved' });
  });

  test.each([
    [5, true],
    [6, false],
  ])('%d in a row: a page is %j', async (count, ok) => {
    const origin = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end(html);
    });
    expect(await fetchFrom(origin, `/${count}`)).toMatchObject({ ok });
  });

  test('in a circle end', async () => {
    const origin = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: the page redirects without end',
    });
  });

  test.each([
    ['http://127.0.0.1:1/', 'address is loopback'],
    ['http://169.254.169.254/latest/meta-data/', 'address is a metadata address'],
    ['http://0xa9fea9fe/', 'address is a metadata address'],
    ['http://[::ffff:10.0.0.1]/', 'address is private'],
    ['https://metadata.google.internal/', 'address is private'],
    ['http://localhost:1/', 'address is loopback'],
    ['//10.0.0.1/', 'address is private'],
    ['file:///etc/passwd', 'URL scheme is neither http nor https'],
    ['data:text/html,hi', 'URL scheme is neither http nor https'],
    ['http://[nonsense', 'the page redirects to what is no address'],
  ])('to %s are refused', async (location, reason) => {
    const origin = await serve(redirecting(302, location));
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: `unreachable: ${reason}` });
  });

  test('to another port of the exempt host are refused', async () => {
    let reached = false;
    const other = await serve((_, response) => {
      reached = true;
      response.end();
    });
    const origin = await serve(redirecting(302, other));
    expect(await fetchFrom(origin)).toEqual({ ok: false, reason: 'unreachable: address is loopback' });
    expect(reached).toBe(false);
  });

  test('carry the cookies of this fetch, and no other fetch has them', async () => {
    const seen: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      seen.push(request.headers.cookie);
      if (request.url === '/') {
        response.writeHead(302, { location: '/next', 'set-cookie': ['a=1; Path=/', 'b=2; Secure'] }).end();
      } else response.end();
    });

    await fetchFrom(origin);
    await fetchFrom(origin);

    expect(seen).toEqual([undefined, 'a=1', undefined, 'a=1']);
  });
});

describe('an address of our own network', () => {
  test.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'https://10.0.0.1/', 'http://[::1]:1/'])(
    '%s is refused unless it is exempt',
    async (url) => {
      expect(
        await fetchPage({ url, headers: {}, deadlineMs: 1000, exempt: 'http://127.0.0.1:2' }),
      ).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^unreachable: address is (loopback|private)$/),
      });
    },
  );

  test('is exempt by host and port, whatever the spelling of the port', async () => {
    const request = {
      url: 'http://127.0.0.1/',
      headers: {},
      deadlineMs: 1000,
      exempt: 'http://127.0.0.1:80',
    };
    expect(await fetchPage(request)).toMatchObject({ reason: 'unreachable: the connection was refused' });
  });
});

describe('TLS', () => {
  test('that nobody vouches for makes no page', async () => {
    const origin = await serveTls((_, response) => response.end(html));
    expect(await fetchFrom(origin)).toEqual({
      ok: false,
      reason: 'unreachable: no trusted TLS connection came about',
    });
  });

  test('spoken to a plain server makes none either', async () => {
    const origin = await serve((_, response) => response.end(html));
    expect(await fetchFrom(origin.replace('http:', 'https:'))).toMatchObject({ ok: false });
  });

  test('that is trusted makes one', async () => {
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

describe('through a proxy', () => {
  const through = (proxyUrl: string, more: Partial<PageRequest> = {}) =>
    fetchPage({
      url: 'http://www.engine.example/search?q=a',
      headers: {},
      deadlineMs: 2000,
      proxyUrl,
      ...more,
    });

  test('a page comes, and the credentials stay with the proxy', async () => {
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

  test('each fetch has tunnels of its own', async () => {
    const proxy = await serveProxy(await serve((_, response) => response.end(html)));
    await through(proxy.origin);
    await through(proxy.origin);
    expect(proxy.tunnels).toHaveLength(2);
  });

  test('a page over HTTPS is verified by its own name', async () => {
    const engine = await serveTls((_, response) => response.end(html));
    const proxy = await serveProxy(engine);
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate]);
    try {
      const right = await through(proxy.origin, { url: 'https://www.engine.example/' });
      const wrong = await through(proxy.origin, { url: 'https://www.other.example/' });
      expect(right).toMatchObject({ ok: true, body: html });
      expect(wrong).toEqual({ ok: false, reason: 'unreachable: no trusted TLS connection came about' });
      expect(proxy.tunnels.map(({ target }) => target)).toEqual([
        'www.engine.example:443',
        'www.other.example:443',
      ]);
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  test.each(['407 Proxy Authentication Required', '403 Forbidden', '502 Bad Gateway'])(
    'that answers %s no page comes',
    async (refusal) => {
      const proxy = await serveProxy('http://127.0.0.1:1', refusal);
      expect(await through(proxy.origin)).toEqual({
        ok: false,
        reason: 'unreachable: the proxy refused the connection',
      });
    },
  );

  test.each(['user:secret@proxy', 'http://user:secret@:1', 'socks5://user:secret@127.0.0.1:1'])(
    'at %s: an error that does not tell the credentials',
    async (proxyUrl) => {
      const error = await through(proxyUrl).catch((thrown: unknown) => thrown);
      expect(error).toEqual(new Error('PROXY_URL is no http(s) URL'));
    },
  );

  test('that hangs up no page comes', async () => {
    const proxy = await serveSockets((socket) => setTimeout(() => socket.destroy(), 10));
    expect(await through(proxy)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^unreachable: /),
    });
  });

  test('that hangs the deadline holds', async () => {
    const proxy = await serveSockets(() => {});
    expect(await through(proxy, { deadlineMs: 300 })).toEqual({
      ok: false,
      reason: 'timeout: the page did not arrive in time',
    });
  });

  test.each(['http://169.254.169.254/', 'http://[::1]/', 'http://127.0.0.1/', 'http://10.1/'])(
    '%s is refused like everywhere',
    async (url) => {
      const proxy = await serveProxy('http://127.0.0.1:1');
      expect(await through(proxy.origin, { url })).toMatchObject({
        reason: expect.stringMatching(/address is/),
      });
      expect(proxy.tunnels).toEqual([]);
    },
  );
});
