/** Connections go to the address that was checked: for names, for literal addresses and on a laptop. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { guardedConnector, selfCheck, unguardedConnector } from '../../../lib/net/connector.ts';
import { pagePolicy, RefusedAddress, webhookPolicy } from '../../../lib/net/guard.ts';
import { serve } from './loopback.ts';
import { certificate, key } from './loopback-certificate.ts';

const laptop = webhookPolicy('local');
const deployed = webhookPolicy('prod');

const get = async (url: string, connect: ReturnType<typeof guardedConnector>) => {
  const agent = new Agent({ connect, allowH2: false });
  try {
    const { origin, pathname } = new URL(url);
    const answer = await agent.request({ origin, path: pathname, method: 'GET' });
    return await answer.body.text();
  } finally {
    await agent.destroy();
  }
};

const portOf = (origin: string) => new URL(origin).port;

describe('a name', () => {
  test('is resolved once, and the connection goes to that address', async () => {
    const origin = await serve((request, response) => response.end(request.headers.host));
    const resolve = vi.fn(async () => ['127.0.0.1']);

    const host = `rebind.example:${portOf(origin)}`;
    const answer = await get(
      `http://${host}/`,
      guardedConnector(laptop, { connectTimeoutMs: 1000, resolve }),
    );

    expect(answer).toBe(host);
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['http', /private/],
    ['https', /loopback/],
  ])('has over %s the addresses of that scheme', async (scheme, reason) => {
    const address = scheme === 'http' ? '10.0.0.1' : '127.0.0.1';
    const connect = guardedConnector(
      { 'http:': ['loopback'], 'https:': ['private'] },
      { connectTimeoutMs: 1000, resolve: async () => [address] },
    );

    await expect(get(`${scheme}://name.example:1/`, connect)).rejects.toThrow(reason);
  });

  test('without addresses is unknown', async () => {
    const connect = guardedConnector(laptop, { connectTimeoutMs: 1000, resolve: async () => [] });

    await expect(get('http://name.example:1/', connect)).rejects.toMatchObject({
      name: 'UnknownName',
      message: 'the name does not resolve',
      code: 'ENOTFOUND',
    });
  });

  test('is refused at the second connection if it now resolves to a forbidden address', async () => {
    const origin = await serve((_, response) =>
      response.writeHead(200, { connection: 'close' }).end('outside'),
    );
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const connect = guardedConnector(laptop, {
      connectTimeoutMs: 1000,
      resolve: async () => answers.shift() ?? [],
    });

    const url = `http://rebind.example:${portOf(origin)}/`;
    expect(await get(url, connect)).toBe('outside');
    await expect(get(url, connect)).rejects.toThrow('address is a metadata address');
  });

  test.each([
    [['127.0.0.1', '10.0.0.1']],
    [['10.0.0.1', '127.0.0.1']],
    [['127.0.0.1', 'fe80::1']],
    [['::ffff:192.168.0.1']],
    [['64:ff9b::7f00:1']],
  ])('is refused if one of its addresses is forbidden: %j', async (addresses) => {
    let reached = false;
    const origin = await serve((_, response) => {
      reached = true;
      response.end();
    });
    const connect = guardedConnector(laptop, { connectTimeoutMs: 1000, resolve: async () => addresses });

    await expect(get(`http://rebind.example:${portOf(origin)}/`, connect)).rejects.toThrow(RefusedAddress);
    expect(reached).toBe(false);
  });

  test('without addresses gives ENOTFOUND', async () => {
    const connect = guardedConnector(deployed, { connectTimeoutMs: 1000, resolve: async () => [] });
    await expect(get('https://nowhere.example/', connect)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

test('of the addresses of a name, those after one that refuses the connection are tried, too', async () => {
  const origin = await serve((_, response) => response.end('here'));
  const connect = guardedConnector(laptop, {
    connectTimeoutMs: 10_000,
    resolve: async () => ['127.0.0.2', '127.0.0.1'],
  });

  expect(await get(`http://name.example:${portOf(origin)}/`, connect)).toBe('here');
});

test.each([
  ['with the guard', guardedConnector({ 'http:': [], 'https:': ['loopback'] }, { connectTimeoutMs: 10_000 })],
  ['without the guard', unguardedConnector({ connectTimeoutMs: 10_000 })],
])('over TLS, a connection %s offers HTTP/1.1 only', async (_, connect) => {
  const offered: string[][] = [];
  const server = tls.createServer({
    cert: certificate,
    key,
    ALPNCallback: ({ protocols }) => {
      offered.push(protocols);
      return 'http/1.1';
    },
  });
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  // Its certificate is that of no authority.
  const error = await new Promise((resolve) =>
    connect(
      { hostname: '127.0.0.1', host: '127.0.0.1', protocol: 'https:', port: String(port) },
      (error, socket) => {
        socket?.destroy();
        resolve(error);
      },
    ),
  );

  expect(error).toMatchObject({ code: expect.stringContaining('CERT') });
  expect(offered).toEqual([['http/1.1']]);
});

test('a name whose resolver hangs fails after the connect timeout', async () => {
  const connect = guardedConnector(deployed, { connectTimeoutMs: 200, resolve: () => new Promise(() => {}) });
  await expect(get('https://silent.example/', connect)).rejects.toMatchObject({
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });
});

describe('a literal address, for which Node calls no lookup hook', () => {
  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
    'is refused as %s',
    async (host) => {
      let reached = false;
      const origin = await serve((_, response) => {
        reached = true;
        response.end();
      });

      const connect = guardedConnector(pagePolicy, { connectTimeoutMs: 1000 });
      await expect(get(`http://${host}:${portOf(origin)}/`, connect)).rejects.toThrow('address is loopback');
      expect(reached).toBe(false);
    },
  );
});

test('on a laptop localhost is reached, whichever address family listens', async () => {
  const origin = await serve((_, response) => response.end('here'));
  const connect = guardedConnector(laptop, { connectTimeoutMs: 1000 });
  expect(await get(`http://localhost:${portOf(origin)}/`, connect)).toBe('here');
});

describe('the self-check at start', () => {
  test('passes with the guard', async () => {
    await expect(selfCheck()).resolves.toBeUndefined();
  });

  test.each([
    ['admits every address', () => unguardedConnector({ connectTimeoutMs: 500 })],
    [
      'admits loopback',
      (_: unknown, options: { connectTimeoutMs: number }) => guardedConnector(laptop, options),
    ],
    [
      'does not check names',
      (): ReturnType<typeof guardedConnector> => {
        const checkingLiterals = guardedConnector(pagePolicy, { connectTimeoutMs: 500 });
        return (options, callback) =>
          /[:.]\d|^::/.test(options.hostname)
            ? checkingLiterals(options, callback)
            : callback(new Error('connected'), null);
      },
    ],
  ])('throws if the guard %s', async (_, connectorOf) => {
    await expect(selfCheck(connectorOf)).rejects.toThrow('must not start');
  });
});
