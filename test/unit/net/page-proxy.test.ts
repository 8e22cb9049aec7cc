/** The SOCKS proxy of a browser, as a browser talks to it. All servers are on loopback. */
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PageProxy, startPageProxy } from '../../../lib/net/page-proxy.ts';
import { serve, serveProxy, serveSockets, serveTls } from '../../integration/net/loopback.ts';
import { certificate } from '../../integration/net/loopback-certificate.ts';

const granted = 0;
const refused = 2;
const unreachable = 4;

let proxy: PageProxy;
const clients: net.Socket[] = [];

beforeEach(async () => {
  proxy = await startPageProxy();
});
afterEach(() => {
  proxy.close();
  for (const client of clients.splice(0)) client.destroy();
});

const portOf = (url: string): number => Number(new URL(url).port);

/** Collects what a socket receives. */
const open = async (port = portOf(proxy.url)) => {
  const socket = net.connect(port, '127.0.0.1');
  clients.push(socket);
  const chunks: Buffer[] = [];
  let length = 0;
  let error: string | undefined;
  let wake = () => {};
  const changed = () => new Promise<void>((resolve) => (wake = resolve));
  socket.on('data', (data) => {
    chunks.push(data);
    length += data.length;
    wake();
  });
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('close', () => wake());
  await once(socket, 'connect');
  return {
    socket,
    closed,
    error: () => error,
    /** The next bytes; fewer if the connection ends before. */
    read: async (bytes: number): Promise<Buffer> => {
      while (length < bytes && !socket.destroyed && !socket.readableEnded) await changed();
      const received = Buffer.concat(chunks.splice(0));
      chunks.push(received.subarray(bytes));
      length = Math.max(0, length - bytes);
      return received.subarray(0, bytes);
    },
  };
};

const request = (host: string, port: number, { command = 1, type = 3 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from([5, command, 0, type, host.length]),
    Buffer.from(host, 'latin1'),
    Buffer.from([port >> 8, port & 255]),
  ]);

/** Asks the proxy for a connection to a target, as Chromium does. */
const connect = async (host: string, port: number, more = {}) => {
  const client = await open();
  client.socket.write(Buffer.from([5, 1, 0]));
  expect([...(await client.read(2))]).toEqual([5, 0]);
  client.socket.write(request(host, port, more));
  const reply = [...(await client.read(10))];
  expect([reply[0], ...reply.slice(2)]).toEqual([5, 0, 1, 0, 0, 0, 0, 0, 0]);
  return { ...client, code: reply[1] };
};

const hosts = (origin: string) => [new URL(origin).hostname, portOf(origin)] as const;

/** The body of the answer to one request on a connection. */
const get = async (client: Awaited<ReturnType<typeof connect>>, host = 'x'): Promise<string> => {
  client.socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await client.read(1_000_000)).toString().split('\r\n\r\n')[1] ?? '';
};

const page = (body = 'here') =>
  serve((_, response) => response.writeHead(200, { 'content-length': body.length }).end(body));

describe('a page', () => {
  test('reaches the exempt origin, and nothing else on this machine', async () => {
    const [origin, other] = [await page(), await page()];
    proxy.startPage({ exempt: origin });

    const client = await connect(...hosts(origin));
    expect(client.code).toBe(granted);
    expect(await get(client)).toBe('here');
    expect((await connect(...hosts(other))).code).toBe(refused);
    expect((await connect('localhost', portOf(origin))).code).toBe(refused);
    expect((await connect('10.0.0.1', 80)).code).toBe(refused);
  });

  test.each<[string | undefined, string, number, number]>([
    [undefined, '127.0.0.1', 1, refused],
    ['http://127.0.0.1:1', '127.0.0.1', 1, unreachable],
    ['http://127.0.0.1:1', '127.0.0.1', 2, refused],
    ['http://127.0.0.1:1', '127.0.0.2', 1, refused],
    ['http://127.0.0.9', '127.0.0.9', 80, unreachable],
    ['http://127.0.0.9', '127.0.0.9', 443, refused],
    ['https://127.0.0.9', '127.0.0.9', 443, unreachable],
    ['https://127.0.0.9', '127.0.0.9', 80, refused],
    ['http://[::1]:1', '::1', 1, unreachable],
  ])('with the exempt origin %s gets for %s:%i the code %i', async (exempt, host, port, code) => {
    proxy.startPage({ ...(exempt && { exempt }) });

    expect((await connect(host, port)).code).toBe(code);
  });

  test('reaches nothing if all its answers are invented', async () => {
    const origin = await page();
    proxy.startPage({ exempt: origin, closed: true });

    expect((await connect(...hosts(origin))).code).toBe(refused);
  });

  test('reaches nothing before its begin and after its end', async () => {
    const origin = await page();
    expect((await connect(...hosts(origin))).code).toBe(refused);
    expect((await connect('engine.invalid', 80)).code).toBe(refused);
    proxy.startPage({ exempt: origin });
    proxy.endPage();

    expect((await connect(...hosts(origin))).code).toBe(refused);
    expect((await connect('engine.invalid', 80)).code).toBe(refused);
  });

  test('is told the origins that it asked for, once', async () => {
    proxy.startPage({ closed: true });
    await connect('engine.invalid', 80);
    await connect('engine.invalid', 80);
    await connect('::1', 443);
    await connect('a b', 1);

    expect(proxy.endPage()).toEqual([
      'http://engine.invalid',
      'https://engine.invalid:80',
      'http://[::1]:443',
      'https://[::1]',
    ]);
    expect(proxy.endPage()).toEqual([]);
  });

  test('loses its connections at its end', async () => {
    const origin = await serveSockets(() => {});
    proxy.startPage({ exempt: origin });
    const client = await connect(...hosts(origin));
    proxy.endPage();

    await client.closed;
  });
});

describe('a connection', () => {
  const given = async (onConnection: (socket: net.Socket) => void) => {
    const upstream = Promise.withResolvers<net.Socket>();
    const origin = await serveSockets((socket) => {
      upstream.resolve(socket);
      onConnection(socket);
    });
    proxy.startPage({ exempt: origin });
    const client = await connect(...hosts(origin));
    expect(client.code).toBe(granted);
    return { client, upstream: await upstream.promise, origin };
  };

  test('ends as the server ends it', async () => {
    const { client } = await given((socket) => socket.end('bye'));

    expect(String(await client.read(100))).toBe('bye');
    client.socket.end();
    await client.closed;
    expect(client.error()).toBeUndefined();
  });

  test('that the server resets is reset for the page', async () => {
    const { client, upstream } = await given(() => {});
    upstream.resetAndDestroy();
    await client.closed;

    expect(client.error()).toBe('ECONNRESET');
  });

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'that the page closes (%s) is closed at the server',
    async (end) => {
      const { client, upstream } = await given((socket) => socket.on('error', () => {}));
      client.socket[end]();

      await once(upstream, 'close');
    },
  );

  test('may load 25 MB for a page', async () => {
    const limit = 25 * 1024 * 1024;
    const { client, upstream, origin } = await given((socket) => socket.write(Buffer.alloc(limit)));
    expect(await client.read(limit)).toHaveLength(limit);
    upstream.write('x');
    await client.closed;

    proxy.startPage({ exempt: origin });
    const next = await connect(...hosts(origin));
    expect(await next.read(1000)).toHaveLength(1000);
  });
});

describe('a request for a connection', () => {
  test.each([
    [{ command: 2 }, 7],
    [{ command: 3 }, 7],
    [{ type: 1 }, 8],
    [{ type: 4 }, 8],
    [{ command: 2, type: 1 }, 7],
  ])('%j is refused with the code %i, and is no origin of the page', async (more, code) => {
    proxy.startPage({});

    const client = await connect('engine.invalid', 80, more);
    expect(client.code).toBe(code);
    await client.closed;
    expect(proxy.endPage()).toEqual([]);
  });

  test('may arrive byte by byte, with any number of methods', async () => {
    const client = await open();
    const send = async (bytes: Buffer) => {
      for (const byte of bytes) {
        client.socket.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
    };
    await send(Buffer.from([5, 3, 0, 1, 2]));
    expect([...(await client.read(2))]).toEqual([5, 0]);
    await send(request('127.0.0.1', 1));

    expect((await client.read(10))[1]).toBe(refused);
  });

  test('may have no methods', async () => {
    const client = await open();
    client.socket.write(Buffer.concat([Buffer.from([5, 0]), request('127.0.0.1', 1)]));
    await client.read(2);

    expect((await client.read(10))[1]).toBe(refused);
  });

  test('that is cut off closes its connection, and the next one is served', async () => {
    const client = await open();
    client.socket.end(Buffer.from([5]));
    await client.closed;

    expect((await connect('127.0.0.1', 1)).code).toBe(refused);
  });
});

describe("the operator's proxy", () => {
  test('gets a tunnel for each target, which it resolves itself', async () => {
    const origin = await page('behind');
    const operator = await serveProxy(origin);
    proxy.startPage({ proxyUrl: operator.origin.replace('//', '//me:p%3Aw@') });

    const client = await connect('engine.example', 443);
    expect(client.code).toBe(granted);
    expect(await get(client)).toBe('behind');
    await connect('2606:4700::1', 80);
    expect(operator.tunnels).toEqual([
      { target: 'engine.example:443', authorization: `Basic ${btoa('me:p:w')}` },
      { target: '[2606:4700::1]:80', authorization: `Basic ${btoa('me:p:w')}` },
    ]);
  });

  test('gets no credentials if it has none', async () => {
    const operator = await serveProxy(await page());
    proxy.startPage({ proxyUrl: operator.origin });
    await connect('engine.example', 443);

    expect(operator.tunnels).toEqual([{ target: 'engine.example:443', authorization: undefined }]);
  });

  test.each([
    ['us%er:p%C3', 'us%er:p%C3'],
    ['user:p%C3%A4ss%E6%97%A5', 'user:päss日'],
  ])('gets the credentials %s', async (written, sent) => {
    const operator = await serveProxy(await page());
    proxy.startPage({ proxyUrl: operator.origin.replace('//', `//${written}@`) });

    expect((await connect('engine.example', 443)).code).toBe(granted);
    expect(operator.tunnels.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from(sent).toString('base64')}`,
    ]);
  });

  // The certificate is one for both, and not for the target.
  test.each([
    ['127.0.0.1', false],
    ['localhost', 'localhost'],
  ])('may be one over TLS, at %s', async (host, name) => {
    const operator = await serveProxy(await page('behind'), undefined, 'https');
    proxy.startPage({ proxyUrl: operator.origin.replace('//127.0.0.1', `//me:pw@${host}`) });
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate]);
    try {
      const client = await connect('engine.example', 443);

      expect(await get(client)).toBe('behind');
      expect(operator.tunnels).toEqual([
        { target: 'engine.example:443', authorization: `Basic ${btoa('me:pw')}` },
      ]);
      expect(operator.names).toEqual([name]);
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  test('is asked at its own address only', async () => {
    const operator = await serveProxy(await page());
    proxy.startPage({ proxyUrl: operator.origin.replace('127.0.0.1', '127.0.0.2') });

    expect((await connect('engine.example', 443)).code).toBe(unreachable);
  });

  test('is not asked for an address of this machine, except for the exempt origin', async () => {
    const operator = await serveProxy(await page());
    proxy.startPage({ proxyUrl: operator.origin, exempt: 'http://127.0.0.1:1' });

    expect((await connect('127.0.0.1', 2)).code).toBe(refused);
    expect((await connect('127.0.0.1', 1)).code).toBe(granted);
    expect(operator.tunnels.map(({ target }) => target)).toEqual(['127.0.0.1:1']);
  });

  test('that refuses loses its connection', async () => {
    const isClosed = Promise.withResolvers<void>();
    const operator = await serveSockets((socket) => {
      socket.on('close', () => isClosed.resolve());
      socket.once('data', () => socket.write('HTTP/1.1 403 Forbidden\r\n\r\n'));
    });
    proxy.startPage({ proxyUrl: operator });

    expect((await connect('engine.example', 443)).code).toBe(unreachable);
    await isClosed.promise;
  });

  test('may refuse', async () => {
    const operator = await serveProxy(await page(), '403 Forbidden');
    proxy.startPage({ proxyUrl: operator.origin });

    expect((await connect('engine.example', 443)).code).toBe(unreachable);
  });

  test.each<[string, () => Promise<string>]>([
    ['knows no tunnels', () => serve((request, response) => request.socket.write('') && response.end())],
    ['closes the connection', () => serveSockets((socket) => socket.end())],
    ['is not there', async () => 'http://127.0.0.1:1'],
    ['has a certificate that is not trusted', () => serveTls((_, response) => response.end())],
    ['is not a proxy over HTTP', async () => 'ftp://127.0.0.1:1'],
    ['is not an address', async () => 'proxy.example'],
  ])('that %s gives no connection', async (_, start) => {
    proxy.startPage({ proxyUrl: await start() });

    expect((await connect('engine.example', 443)).code).toBe(unreachable);
  });

  test('that answers a tunnel with an error that has a body gives no connection', async () => {
    const origin = await serveSockets((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 407 Authenticate\r\ncontent-length: 2\r\n\r\nno')),
    );
    proxy.startPage({ proxyUrl: origin });

    expect((await connect('engine.example', 443)).code).toBe(unreachable);
  });

  test.each([
    ['the page ends', () => proxy.endPage()],
    ['the browser hangs up', (client: net.Socket) => client.destroy()],
  ])('that answers slowly without end loses its connection when %s', async (_, end) => {
    const [isAsked, isClosed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const origin = await serveSockets((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => socket.write('x: y\r\n'), 20);
        socket.on('close', () => {
          clearInterval(drip);
          isClosed.resolve();
        });
        isAsked.resolve();
      });
    });
    proxy.startPage({ proxyUrl: origin });
    const client = await open();
    client.socket.write(Buffer.concat([Buffer.from([5, 1, 0]), request('engine.example', 443)]));
    await isAsked.promise;

    end(client.socket);
    await isClosed.promise;
  });

  test('that answers a tunnel with a page of its own gives no connection', async () => {
    const origin = await serveSockets((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno')),
    );
    proxy.startPage({ proxyUrl: origin });

    expect((await connect('engine.example', 443)).code).toBe(unreachable);
  });
});

test('a proxy listens at one address of this machine', async () => {
  const other = net.connect(portOf(proxy.url), '127.0.0.2');
  const [error] = await once(other, 'error');
  expect(error).toBeInstanceOf(Error);
});

test('a proxy that is closed takes no connections', async () => {
  const port = portOf(proxy.url);
  expect(proxy.url).toBe(`socks5://127.0.0.1:${port}`);
  const client = await open();
  proxy.close();
  await client.closed;

  const late = net.connect(port, '127.0.0.1');
  const [error] = await once(late, 'error');
  expect(error.code).toBe('ECONNREFUSED');
});
