/** Suggestions from a source on loopback: bytes, failures, sharing of answers, and pace. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Hold } from '../../../lib/keyword/web/share-answer.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { accountOf } from '../account.ts';
import { serve, serveBytes, serveProxy } from '../net/loopback.ts';
import { answering, json, startSource } from './source.ts';

const tables = await startSource();
const { suggest } = await import('../../../lib/keyword/web/suggest.ts');
const { shareAnswer } = await import('../../../lib/keyword/web/share-answer.ts');
const { takeCallTurns } = await import('../../../lib/pace/source-turn.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { claimAnswer, readAnswer } = await import('../../../lib/store/answers.ts');
afterAll(() => tables.stop());

afterEach(() => {
  for (const name of ['SUGGEST_ORIGIN', 'TRENDS_ORIGIN', 'SUGGEST_RATE', 'SUGGEST_CACHE', 'SEARCH_SOURCE'])
    delete process.env[name];
});

let keyword: string;
beforeEach(({ task }) => {
  keyword = `tea ${task.id}`;
});

const hold: Hold = (run) => run();

const ask = (more: Partial<Parameters<typeof suggest>[1]> = {}) =>
  suggest(accountOf(1), {
    keyword,
    location_name: 'Germany',
    iso_code: 'DE',
    language_code: 'de',
    engine_name: 'google',
    location_code: 2276,
    ...more,
  });

/**
 * Makes requests at the same time. `waiting` is the number of those that have read the claim of the one that
 * asks. A row of another test is not read, because each test has a keyword of its own.
 */
const askTogether = (count: number) => {
  const request = new AsyncLocalStorage<number>();
  const waiting = new Set<number>();
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { output } = answer;
      const n = request.getStore();
      if (n !== undefined && 'Item' in output && output.Item && 'claim' in output.Item) waiting.add(n);
      return answer;
    },
    { step: 'initialize', name: 'see-claims' },
  );
  onTestFinished(() => {
    dynamo.middlewareStack.remove('see-claims');
  });
  const asking = Array.from({ length: count }, (_, n) => request.run(n, () => ask()));
  return { asking, waiting: () => waiting.size };
};

/** Status, headers and detail of the error. */
const failureOf = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw new Error(`no HttpError: ${error}`);
  return [error.statusCode, error.headers['Retry-After'], String(error.detail)];
};

describe('an answer', () => {
  test('is decoded by the charset of its header', async () => {
    await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript; charset=ISO-8859-1' });
      response.end(Buffer.from('["x",["\\u0159\xedzek"],[],{}]', 'latin1'));
    });

    expect((await ask()).value).toEqual(['řízek']);
  });

  test('is decompressed', async () => {
    await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('["x",["tea pot"]]'));
    });

    expect((await ask()).value).toEqual(['tea pot']);
  });

  test('may be an empty list', async () => {
    await answering((_, response) => json(response, '{"AS":{"Query":"x","FullResults":0}}'));

    expect((await ask({ engine_name: 'bing' })).value).toEqual([]);
  });

  test('is asked for with the path and the query of the real source, as a script asks', async () => {
    const calls = await answering((_, response) => json(response, ['x', ['tea pot']]));
    await ask({ engine_name: 'yahoo' });

    expect(calls[0]?.url.pathname).toBe('/sugg/gossip/gossip-de-ura/');
    expect(calls[0]?.url.searchParams.get('command')).toBe(keyword);
    expect(calls[0]?.headers).toMatchObject({
      'user-agent': expect.stringContaining('Chrome/'),
      'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
    });
    expect(calls[0]?.headers).not.toHaveProperty('cookie');
  });
});

describe('a source that gives no list', () => {
  test('redirects to a challenge, which is not followed', async () => {
    const calls = await answering((call, response) =>
      call.url.pathname.startsWith('/sorry')
        ? json(response, ['x', ['never']])
        : response.writeHead(302, { location: '/sorry/index?continue=x' }).end(),
    );

    expect(await failureOf(ask())).toEqual([
      503,
      '300',
      expect.stringMatching(/^No suggestions of Google: captcha: /),
    ]);
    expect(calls).toHaveLength(1);
  });

  test('is throttled, and names its wait', async () => {
    await answering((_, response) =>
      response.writeHead(429, { 'retry-after': '17' }).end('<html>429</html>'),
    );

    expect(await failureOf(ask())).toEqual([503, '17', expect.stringContaining('throttled: ')]);
  });

  test('answers a page', async () => {
    await answering((_, response) => json(response, '<!DOCTYPE html><title>Tea</title>', 'text/html'));

    expect(await failureOf(ask())).toEqual([502, undefined, expect.stringContaining('malformed: ')]);
  });

  test.each([
    ['in the middle of its length', 'content-length: 100\r\n\r\n["x",["tea"'],
    ['in the middle of a chunk', 'transfer-encoding: chunked\r\n\r\nff\r\n["x",["tea"'],
  ])('ends %s', async (_, rest) => {
    process.env.SUGGEST_ORIGIN = await serveBytes((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${rest}`),
    );

    expect(await failureOf(ask())).toEqual([502, undefined, expect.stringContaining('unreachable: ')]);
  });

  test('ends in the middle of an answer without a length', async () => {
    process.env.SUGGEST_ORIGIN = await serveBytes((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n["x",["tea"'),
    );

    expect(await failureOf(ask())).toEqual([502, undefined, expect.stringContaining('malformed: ')]);
  });

  test('ends in the middle of a compressed stream', async () => {
    const whole = gzipSync('["x",["tea pot"]]');
    await answering((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole.subarray(0, whole.length - 9)),
    );

    expect(await failureOf(ask())).toEqual([502, undefined, expect.stringContaining('unreachable: ')]);
  });

  test('accepts no connection', async () => {
    process.env.SUGGEST_ORIGIN = 'http://127.0.0.1:1';

    expect(await failureOf(ask())).toEqual([
      502,
      undefined,
      'No suggestions of Google: unreachable: the connection was refused',
    ]);
  });
});

describe('an earlier answer', () => {
  test('is used again, with its age', async () => {
    const calls = await answering((_, response, count) => json(response, ['x', [`tea ${count}`]]));

    expect(await ask()).toEqual({ value: ['tea 1'], age: { 'x-cache': 'miss', age: '0' } });
    expect(await ask({ location_name: 'Berlin', location_code: 2840 })).toEqual({
      value: ['tea 1'],
      age: { 'x-cache': 'hit', age: expect.stringMatching(/^\d$/) },
    });
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['another country', { iso_code: 'AT' }],
    ['another language', { language_code: 'en' }],
    ['another engine', { engine_name: 'youtube' as const }],
  ])('is not used for %s', async (_, more) => {
    const calls = await answering((_call, response, count) => json(response, ['x', [`tea ${count}`]]));
    await ask();

    expect((await ask(more)).value).toEqual(['tea 2']);
    expect(calls).toHaveLength(2);
  });

  test('is not used for another source', async () => {
    await answering((_, response) => json(response, ['x', ['first']]));
    await ask();
    await answering((_, response) => json(response, ['x', ['second']]));

    expect((await ask()).value).toEqual(['second']);
  });

  test('is not used after its time', async () => {
    const calls = await answering((_, response, count) => json(response, ['x', [`tea ${count}`]]));
    await ask();
    process.env.SUGGEST_CACHE = '0';

    expect((await ask()).age['x-cache']).toBe('miss');
    expect(calls).toHaveLength(2);
  });

  test('is never a failure', async () => {
    const calls = await answering((_, response, count) =>
      count === 1 ? response.writeHead(500).end() : json(response, ['x', ['tea pot']]),
    );

    expect((await failureOf(ask()))[0]).toBe(502);
    expect((await ask()).value).toEqual(['tea pot']);
    expect(calls).toHaveLength(2);
  });
});

describe('identical requests in flight', () => {
  test('ask once', async () => {
    const open: (() => void)[] = [];
    const calls = await answering((_, response) => {
      open.push(() => json(response, ['x', ['tea pot']]));
    });
    const asking = Array.from({ length: 5 }, () => ask());
    await expect.poll(() => open.length).toBe(1);
    open[0]?.();
    const answers = await Promise.all(asking);

    expect(answers.map(({ value }) => value)).toEqual(answers.map(() => ['tea pot']));
    expect(answers.filter(({ age }) => age['x-cache'] === 'miss')).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });

  test('ask once although answers are not kept', async () => {
    process.env.SUGGEST_CACHE = '0';
    const open: (() => void)[] = [];
    const calls = await answering((_, response) => {
      open.push(() => json(response, ['x', ['tea pot']]));
    });
    const { asking, waiting } = askTogether(2);
    await expect.poll(() => open.length).toBe(1);
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
    open[0]?.();
    await Promise.all(asking);

    expect(calls).toHaveLength(1);
  });

  test('share a failure', async () => {
    const open: (() => void)[] = [];
    const calls = await answering((_, response) => {
      open.push(() => response.writeHead(429).end());
    });
    const { asking, waiting } = askTogether(3);
    const failures = asking.map(failureOf);
    await expect.poll(() => open.length).toBe(1);
    await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
    open[0]?.();

    expect((await Promise.all(failures)).map(([status]) => status)).toEqual([503, 503, 503]);
    expect(calls).toHaveLength(1);
  });

  test('ask again if the request that asks has died', async () => {
    const source = { name: 'suggest', from: 'engines', engine: 'google' } as const;
    const calls = await answering((_, response) => json(response, ['x', ['tea pot']]));
    const dead = new Promise<string[]>(() => {});
    // This request claims the answer and never ends. The time of its claim is then over.
    void shareAnswer(source, keyword, () => dead, hold);
    const { createHash } = await import('node:crypto');
    const key = {
      snapshot_hash: createHash('sha256')
        .update(JSON.stringify([source, keyword]))
        .digest('hex'),
      source: `suggest ${process.env.SUGGEST_ORIGIN}`,
    };
    await expect.poll(() => readAnswer(key)).toBeDefined();
    const later = Date.now() / 1000 + 60;
    await expect
      .poll(async () => claimAnswer(key, 'next', { now: later, until: later - 59, staleAt: 0 }))
      .toBe(true);

    const { value } = await shareAnswer(source, keyword, async () => ['asked again'], hold);
    expect(value).toEqual(['asked again']);
    expect(calls).toHaveLength(0);
  });
});

describe('the pace', () => {
  test('is the rate, for any number of concurrent requests', async () => {
    const now = 1_800_000_000;
    const turns = await Promise.allSettled(
      Array.from({ length: 16 }, () => takeCallTurns('suggest/test', 2, 1, now)),
    );
    const taken = turns.flatMap((turn) => (turn.status === 'fulfilled' ? [turn.value.at - now] : []));
    const refused = turns.flatMap((turn) => (turn.status === 'rejected' ? [turn.reason] : []));

    // Nobody waits longer than five seconds.
    expect(taken.sort((a, b) => a - b).map((at) => Number(at.toFixed(2)))).toEqual([
      0, 0.55, 1.1, 1.65, 2.2, 2.75, 3.3, 3.85, 4.4, 4.95,
    ]);
    expect(refused).toHaveLength(6);
    for (const { statusCode, headers } of refused)
      expect([statusCode, headers['Retry-After']]).toEqual([503, '6']);
  });

  test('refuses a request over the rate', async () => {
    process.env.SUGGEST_RATE = '0.01';
    const calls = await answering((_, response) => json(response, ['x', ['tea pot']]));
    await ask();

    expect(await failureOf(ask({ keyword: `${keyword} more` }))).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      'The source takes no more calls now: send the request again later',
    ]);
    expect(calls).toHaveLength(1);
  });

  test('is each engine its own', async () => {
    process.env.SUGGEST_RATE = '0.01';
    await answering((_, response) => json(response, ['x', ['tea pot']]));
    await ask({ engine_name: 'bing' });

    expect((await ask({ engine_name: 'yahoo' })).value).toEqual(['tea pot']);
    expect((await failureOf(ask({ engine_name: 'bing', keyword: `${keyword} more` })))[0]).toBe(503);
  });

  test('rests a source that refuses again and again', async () => {
    process.env.SUGGEST_RATE = '1000';
    const calls = await answering((_, response) => response.writeHead(302, { location: '/sorry/' }).end());
    for (let n = 0; n < 25; n += 1)
      await failureOf(ask({ engine_name: 'youtube', keyword: `${keyword} ${n}` }));

    expect(calls).toHaveLength(20);
    expect(await failureOf(ask({ engine_name: 'youtube' }))).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      'The source takes no more calls now: send the request again later',
    ]);
  });
});

const call = { method: 'GET', headers: {}, deadlineMs: 5000, maxBytes: 1000 } as const;

test('no request leaves for an address that is not the origin of the operator', async () => {
  process.env.SEARCH_SOURCE = 'live';
  const hidden = await serve((_, response) => json(response, ['x', ['never']]));
  const { callApi } = await import('../../../lib/net/call-api.ts');

  expect(await callApi({ ...call, url: hidden })).toEqual({
    ok: false,
    reason: 'unreachable: address is loopback',
  });
});

test('the proxy is used', async () => {
  const destination = await serve((_, response) => json(response, ['x', ['tea pot']]));
  const proxy = await serveProxy(destination);
  const { callApi } = await import('../../../lib/net/call-api.ts');
  const answer = await callApi({ ...call, url: 'http://source.example/', proxyUrl: proxy.origin });

  expect(answer).toMatchObject({ ok: true, body: '["x",["tea pot"]]' });
  expect(proxy.tunnels.map(({ target }) => target)).toEqual(['source.example:80']);
});
