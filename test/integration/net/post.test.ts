/** One POST to a receiver: what counts as accepted, and the limits for receivers that misbehave. */
import type http from 'node:http';
import type net from 'node:net';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { version } from '../../../lib/model/version.ts';
import { webhookPolicy } from '../../../lib/net/guard.ts';
import { defaultLimits, type PostLimits, postJson } from '../../../lib/net/post.ts';
import { serve, serveBytes, serveSockets, serveTls } from './loopback.ts';
import { certificate } from './loopback-certificate.ts';

/** For receivers that answer: long enough for a busy machine. */
const patient: PostLimits = { connectMs: 30_000, answerMs: 30_000, bodyMs: 100, bodyBytes: 64 * 1024 };
/** For receivers that do not answer. Without these limits an attempt does not end, or it succeeds. */
const hurried = { toAnswer: { ...patient, answerMs: 400 }, toConnect: { ...patient, connectMs: 300 } };

const policy = webhookPolicy('local');

const post = (
  url: string,
  headers: Record<string, string> = {},
  body = '{"id":1}',
  limits: PostLimits = patient,
) => postJson({ url, headers, body }, { limits, policy });

const postHurried = (url: string, body?: string) => post(url, {}, body, hurried.toAnswer);

const closed = (socket: net.Socket) =>
  new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

describe('a receiver that behaves', () => {
  test('gets the body, the headers and the path unchanged', async () => {
    let seen: { method?: string; url?: string; headers: http.IncomingHttpHeaders; body: string } | undefined;
    const origin = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      response.writeHead(204).end();
    });

    const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };
    const answer = await post(`${origin}/hook/a%2Fb?x=1&y=%20`, headers, '{"keyword":"Grüße"}');

    expect(answer).toEqual({ ok: true, status: 204 });
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/hook/a%2Fb?x=1&y=%20',
      body: '{"keyword":"Grüße"}',
      headers: { ...headers, 'content-length': String(Buffer.byteLength('{"keyword":"Grüße"}')) },
    });
    expect(seen?.headers['user-agent']).toBe(`search-ranking-service/${version}`);
    expect(seen?.headers.authorization).toBeUndefined();
  });

  test('gets a GET without a body', async () => {
    let seen: { method?: string | undefined; headers: http.IncomingHttpHeaders } | undefined;
    const origin = await serve(({ method, headers }, response) => {
      seen = { method, headers };
      response.end();
    });
    const get = { url: `${origin}/ping?id=1`, headers: {}, body: '{"id":1}', method: 'GET' as const };

    expect(await postJson(get, { limits: patient, policy })).toEqual({ ok: true, status: 200 });
    expect(seen?.method).toBe('GET');
    expect(seen?.headers).not.toHaveProperty('content-length');
    expect(seen?.headers).not.toHaveProperty('transfer-encoding');
  });

  test.each([
    ['me:p%3Aw', 'me:p:w'],
    ['me', 'me:'],
    [':word', ':word'],
    ['a%zz:50%', 'a%zz:50%'],
  ])('gets the user and the password of its URL (%s) as basic authentication', async (inUrl, credentials) => {
    let authorization: string | undefined;
    const origin = await serve((request, response) => {
      authorization = request.headers.authorization;
      response.end();
    });
    await post(`${origin.replace('//', `//${inUrl}@`)}/`);
    expect(authorization).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
  });

  test.each([200, 201, 202, 204, 299])('acknowledges with %d', async (status) => {
    const origin = await serve((_, response) => response.writeHead(status).end());
    expect(await post(origin)).toEqual({ ok: true, status });
  });

  test.each([300, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'fails with %d, and no redirect is followed',
    async (status) => {
      let requests = 0;
      const origin = await serve((_, response) => {
        requests++;
        response.writeHead(status, { location: '/elsewhere' }).end('{}');
      });
      expect(await post(origin)).toEqual({ ok: false, status, reason: `the receiver answered ${status}` });
      expect(requests).toBe(1);
    },
  );

  test('has no open connection afterwards', async () => {
    const sockets: net.Socket[] = [];
    const origin = await serve((request, response) => {
      sockets.push(request.socket);
      response.end('thanks');
    });
    await post(origin);
    await post(origin);
    expect(sockets).toHaveLength(2);
    await Promise.all(sockets.map(closed));
  });

  test('may answer slowly', async () => {
    const origin = await serve((_, response) => {
      setTimeout(() => response.end(), 1000);
    });
    expect(await post(origin)).toEqual({ ok: true, status: 200 });
  });

  test('may send 8 informational answers before the final one', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(8);
    const origin = await serveBytes((socket) => socket.end(`${hints}HTTP/1.1 204 No Content\r\n\r\n`));
    expect(await post(origin)).toEqual({ ok: true, status: 204 });
  });

  test('may send all that it may before its answer, and a long body at once', async () => {
    const padding = `x-pad: ${'a'.repeat(15_000)}\r\n\r\n`;
    const hints = `HTTP/1.1 103 Early Hints\r\n${padding}`.repeat(8);
    const origin = await serveBytes((socket) => {
      socket.end(`${hints}HTTP/1.1 200 OK\r\n${padding}${'a'.repeat(1_000_000)}`);
    });
    expect(await post(origin)).toEqual({ ok: true, status: 200 });
  });

  test('sends a short body in parts, and all of it is read', async () => {
    const isSent = Promise.withResolvers<boolean>();
    const origin = await serve((_, response) => {
      response.on('close', () => isSent.resolve(response.writableFinished));
      response.write('thank');
      setTimeout(() => response.end('s'), 50);
    });
    await post(origin, {}, '{}', { ...defaultLimits, bodyMs: 600_000 });
    expect(await isSent.promise).toBe(true);
  });

  test('is accepted over TLS with a trusted certificate', async () => {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate]);
    try {
      const origin = await serveTls((_, response) => response.end());
      expect(await post(origin)).toEqual({ ok: true, status: 200 });
      expect(await post(origin.replace('127.0.0.1', 'localhost'))).toEqual({ ok: true, status: 200 });
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });
});

describe('a receiver that misbehaves costs one attempt, which ends', () => {
  const drip = (socket: net.Socket, text: string) => {
    const bytes = [...text];
    const timer = setInterval(() => socket.write(bytes.shift() ?? 'a'), 10);
    socket.on('close', () => clearInterval(timer));
  };
  const flood = (socket: net.Socket, head: string, chunk: string) => {
    socket.write(head);
    const more = () => {
      let room = true;
      while (room && !socket.destroyed) room = socket.write(chunk);
    };
    socket.on('drain', more);
    more();
  };
  const ok = 'HTTP/1.1 200 OK\r\n';
  const late = 'timeout: the receiver did not answer in time';

  const receivers: [
    name: string,
    answerOn: (socket: net.Socket) => void,
    outcome: string | 'acknowledged',
  ][] = [
    ['never answers', () => {}, late],
    ['hangs in the status line', (socket) => socket.write('HTTP/1.1 2'), late],
    ['hangs in the headers', (socket) => socket.write(`${ok}x-a: 1\r\n`), late],
    ['hangs before the body', (socket) => socket.write(`${ok}content-length: 10\r\n\r\n`), 'acknowledged'],
    ['hangs in the body', (socket) => socket.write(`${ok}content-length: 10\r\n\r\n{"ok"`), 'acknowledged'],
    ['sends its headers slowly without end', (socket) => drip(socket, `${ok}x-a: `), late],
    [
      'sends its body slowly',
      (socket) => {
        socket.write(`${ok}content-length: 100000\r\n\r\n`);
        drip(socket, '');
      },
      'acknowledged',
    ],
    [
      'sends a body without end',
      (socket) =>
        flood(socket, `${ok}transfer-encoding: chunked\r\n\r\n`, `8000\r\n${'a'.repeat(0x8000)}\r\n`),
      'acknowledged',
    ],
    [
      'sends headers without end',
      (socket) => flood(socket, ok, `x-pad: ${'a'.repeat(1000)}\r\n`),
      'unreachable: the headers of the answer are too large',
    ],
    [
      'sends 1xx without end',
      (socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)),
      'unreachable: the receiver sent 1xx without end',
    ],
    [
      'sends a status line without end',
      (socket) => flood(socket, 'HTTP/1.1 200 ', 'a'.repeat(0x8000)),
      'unreachable: the receiver sent data without end before its answer',
    ],
    [
      'sends empty lines without end',
      (socket) => flood(socket, '', '\r\n'.repeat(0x4000)),
      'unreachable: the receiver sent data without end before its answer',
    ],
    ['answers too late', (socket) => void setTimeout(() => socket.end(`${ok}\r\n`), 3000), late],
    ['closes the connection', (socket) => socket.end(), 'unreachable: the connection ended too early'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'unreachable: the connection was reset'],
    [
      'closes the connection in the headers',
      (socket) => socket.end(`${ok}x-a: 1\r\n`),
      'unreachable: the connection ended too early',
    ],
    [
      'resets the connection in the body',
      (socket) => {
        socket.write(`${ok}content-length: 10\r\n\r\n{"ok"`);
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
      'acknowledged',
    ],
    [
      'does not speak HTTP',
      (socket) => socket.end('220 smtp.example ESMTP\r\n'),
      'unreachable: the answer is not HTTP',
    ],
    [
      'switches protocols',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'unreachable: the connection ended too early',
    ],
  ];

  test.each(receivers)('%s', async (_, answerOn, outcome) => {
    let requests = 0;
    let connection: net.Socket | undefined;
    const origin = await serveBytes((socket) => {
      requests++;
      connection = socket;
      answerOn(socket);
    });

    const answer = await (outcome === late ? postHurried(origin) : post(origin));

    expect(answer).toEqual(
      outcome === 'acknowledged' ? { ok: true, status: 200 } : { ok: false, reason: outcome },
    );
    expect(requests).toBe(1);
    if (connection) await closed(connection);
  });

  test('sends a body without end, which is cut off by its size', async () => {
    const head = `${ok}transfer-encoding: chunked\r\n\r\n`;
    const origin = await serveBytes((socket) => flood(socket, head, `8000\r\n${'a'.repeat(0x8000)}\r\n`));
    const answer = await post(origin, {}, '{}', { ...patient, bodyMs: 600_000 });
    expect(answer).toEqual({ ok: true, status: 200 });
  });

  test('refuses the connection', async () => {
    expect(await post('http://127.0.0.1:1/')).toEqual({
      ok: false,
      reason: 'unreachable: the connection was refused',
    });
  });

  test.each<[name: string, onConnection: (socket: net.Socket) => void]>([
    ['accepts and closes', (socket) => socket.end()],
    ['accepts and resets', (socket) => socket.resetAndDestroy()],
  ])('%s, which costs one connection', async (_, onConnection) => {
    let connections = 0;
    const origin = await serveSockets((socket) => {
      connections++;
      onConnection(socket);
    });
    const answer = await post(origin);
    expect(answer).toMatchObject({ ok: false, reason: expect.stringMatching(/^unreachable: /) });
    expect(connections).toBe(1);
  });

  test('does not read the request', async () => {
    const origin = await serveSockets((socket) => socket.pause());
    const answer = await postHurried(origin, 'a'.repeat(8 * 1024 * 1024));
    expect(answer).toEqual({ ok: false, reason: late });
  });

  test('hangs in the TLS handshake', async () => {
    const origin = await serveSockets(() => {});
    const answer = await post(origin.replace('http:', 'https:'), {}, undefined, hurried.toConnect);
    expect(answer).toEqual({ ok: false, reason: 'timeout: could not connect in time' });
  });

  test('has an untrusted certificate', async () => {
    let requests = 0;
    const origin = await serveTls((_, response) => {
      requests++;
      response.end();
    });
    expect(await post(origin)).toEqual({
      ok: false,
      reason: 'unreachable: could not connect; the TLS certificate is not trusted',
    });
    expect(requests).toBe(0);
  });

  test('speaks plain HTTP on an https URL', async () => {
    const origin = await serve((_, response) => response.end());
    expect(await post(origin.replace('http:', 'https:'))).toEqual({
      ok: false,
      reason: 'unreachable: could not connect; the TLS handshake failed',
    });
  });
});

describe('the guard', () => {
  test.each([
    ['https://10.0.0.1/', 'address is private'],
    ['https://169.254.169.254/', 'address is a metadata address'],
    ['http://169.254.169.254/', 'address is a metadata address'],
    ['https://[fd00:ec2::254]/', 'address is a metadata address'],
    ['http://93.184.215.14/', 'address is public, which needs HTTPS'],
  ])('refuses %s on a laptop', async (url, reason) => {
    expect(await post(url)).toEqual({ ok: false, reason: `unreachable: ${reason}` });
  });

  test('refuses loopback on a deployed stage', async () => {
    let requests = 0;
    const origin = await serve((_, response) => {
      requests++;
      response.end();
    });
    const deployed = { limits: patient, policy: webhookPolicy('prod') };
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      for (const scheme of ['http:', 'https:']) {
        const url = origin.replace('http:', scheme).replace('127.0.0.1', host);
        expect(await postJson({ url, headers: {}, body: '{}' }, deployed)).toEqual({
          ok: false,
          reason: 'unreachable: address is loopback',
        });
      }
    }
    expect(requests).toBe(0);
  });
});

test('fifty hanging deliveries do not delay others, to the same host or another', async () => {
  const held: http.ServerResponse[] = [];
  const hanging = await serve((request, response) => {
    if (request.url === '/fine') response.end();
    else held.push(response);
  });
  const other = await serve((_, response) => response.end());
  let ended = 0;
  const unlimited = { ...patient, answerMs: 600_000 };
  const stuck = Array.from({ length: 50 }, () =>
    post(`${hanging}/hang`, {}, '{}', unlimited).finally(() => {
      ended += 1;
    }),
  );
  await vi.waitFor(() => expect(held).toHaveLength(50), 120_000);

  const answers = await Promise.all([post(`${hanging}/fine`), post(other)]);

  expect(ended).toBe(0);
  expect(answers).toEqual([
    { ok: true, status: 200 },
    { ok: true, status: 200 },
  ]);
  for (const response of held) response.destroy();
  const outcomes = await Promise.all(stuck);
  expect(outcomes.every((outcome) => !outcome.ok)).toBe(true);
});

describe('a delivery leaves no timer', () => {
  const limits = { ...patient, connectMs: 60_001, answerMs: 60_002, bodyMs: 60_003 };
  const timers = () => {
    const begun = vi.spyOn(globalThis, 'setTimeout');
    const ended = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    return (wait: number) => {
      const n = begun.mock.calls.findIndex(([, ms]) => ms === wait);
      const end = ended.mock.calls.findIndex(([timer]) => timer === begun.mock.results[n]?.value);
      return { begun: begun.mock.invocationCallOrder[n], ended: ended.mock.invocationCallOrder[end] };
    };
  };

  test('that is accepted; the time of the answer ends before that of its body', async () => {
    const origin = await serve((_, response) => response.end('thanks'));
    const timerOf = timers();
    await post(origin, {}, '{}', limits);

    expect(timerOf(60_001).ended).toBeLessThan(timerOf(60_002).begun ?? 0);
    expect(timerOf(60_002).ended).toBeLessThan(timerOf(60_003).begun ?? 0);
    expect(timerOf(60_003).ended).toBeDefined();
  });

  test('that is refused', async () => {
    const timerOf = timers();
    await post('http://127.0.0.1:1/', {}, '{}', limits);

    expect(timerOf(60_001).ended).toBeDefined();
  });
});

test('all limits of one delivery together are under 15.5 seconds', () => {
  const { connectMs, answerMs, bodyMs } = defaultLimits;
  expect(connectMs + answerMs + bodyMs).toBeLessThan(15_500);
});

test('throws for an invalid header, which is a defect of the caller', async () => {
  const origin = await serve((_, response) => response.end());
  await expect(post(origin, { 'x-a': 'line\nbreak' })).rejects.toThrow();
});
