/** Suggestions: the turn of a call, its time limit, and the errors of a source that gives none. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { suggest } from '../../../../lib/keyword/web/suggest.ts';
import type { EngineName } from '../../../../lib/model/engine.ts';
import { HttpError } from '../../../../lib/model/http-error.ts';
import type { Fault, Read, SuggestSource } from '../../../../lib/provider/contract.ts';
import { suggestSources } from '../../../../lib/provider/sources/suggestions.ts';
import { accountOf } from '../../../integration/account.ts';
import { serve } from '../../../integration/net/loopback.ts';
import { elapsed, realTimers, settled, start } from '../fake-time.ts';
import { begin, fault, linesOf, tables } from '../given.ts';

const secrets = mockClient(SecretsManagerClient);
const parameters = mockClient(SSMClient);

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

/**
 * The times at which the source was asked, and what it answers next; without an answer, it suggests one
 * thing.
 */
const asked: number[] = [];
const answers: Read<string[]>[] = [];

const source: SuggestSource = {
  name: 'scripted',
  data: 'suggestions',
  asksEngines: true,
  request: ({ keyword, engine_name }) => {
    return { method: 'GET', url: `https://${engine_name}.example/${keyword}`, headers: {} };
  },
  read: () => {
    asked.push(elapsed());
    return answers.shift() ?? { ok: true, value: ['tea pot'] };
  },
};

beforeEach(() => {
  begin();
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '' });
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{}' } });
  asked.length = 0;
  answers.length = 0;
  suggestSources.scripted = source;
  process.env.SUGGEST_SOURCE = 'scripted';
});

const find = (keyword: string, engine_name: EngineName = 'bing') =>
  suggest(accountOf(1), {
    keyword,
    engine_name,
    iso_code: 'DE',
    language_code: 'de',
    location_name: '',
    location_code: 2276,
  });
const ask = (keyword: string, engine_name?: EngineName) => settled(find(keyword, engine_name));

const errorOf = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw new Error(`It is not an HttpError: ${error}`);
  return [error.statusCode, error.headers['Retry-After'], error.detail];
};

test('an answer is shared by requests with the same address', async () => {
  expect(await ask('tea')).toEqual({ value: ['tea pot'], age: { 'x-cache': 'miss', age: '0' } });
  expect((await ask('tea')).age['x-cache']).toBe('hit');
  expect((await ask('tea', 'google')).age['x-cache']).toBe('miss');
});

test('requests with the same address and another body have different answers', async () => {
  suggestSources.scripted = {
    ...source,
    request: ({ keyword }) => ({ method: 'POST', url: 'https://one.example/', headers: {}, body: keyword }),
  };
  await ask('tea');

  expect((await ask('milk')).age['x-cache']).toBe('miss');
  expect((await ask('milk')).age['x-cache']).toBe('hit');
});

describe('the turn', () => {
  beforeEach(() => {
    process.env.SUGGEST_RATE = '0.55';
  });

  test('is waited for', async () => {
    await settled(Promise.all([find('a'), find('b'), find('c')]));

    expect(asked).toEqual([0, 2, 4]);
  });

  test('that comes after five seconds is refused', async () => {
    const all = settled(Promise.all([find('a'), find('b'), find('c'), errorOf(find('d'))]));

    expect((await all)[3]).toEqual([
      503,
      '6',
      'The source takes no more calls now: send the request again later',
    ]);
  });

  test('of another engine is another one', async () => {
    await settled(Promise.all([find('a'), find('a', 'google')]));

    expect(asked).toEqual([0, 0]);
  });
});

describe('a source that gives no list', () => {
  test.each<[Fault, number, string | undefined]>([
    [fault('blocked', { retryAfterSeconds: 300 }), 503, '300'],
    [fault('throttled', { retryAfterSeconds: 17 }), 503, '17'],
    [fault('throttled'), 503, '60'],
    [fault('malformed'), 502, undefined],
    [fault('rejected'), 502, undefined],
    [fault('down', { retryAfterSeconds: 9 }), 502, undefined],
  ])('%j', async (given, status, wait) => {
    answers.push(given);

    expect(await errorOf(ask('tea'))).toEqual([
      status,
      wait,
      `No suggestions of Bing: ${given.word}: ${given.reason}`,
    ]);
    expect(linesOf('source gave no data')).toMatchObject([
      {
        level: 'WARN',
        data: 'suggestions of Bing',
        outcome: given.problem,
        reason: `${given.word}: ${given.reason}`,
        NoSourceData: 1,
      },
    ]);
  });

  test('an empty list is an answer', async () => {
    answers.push({ ok: true, value: [] });

    expect((await ask('tea')).value).toEqual([]);
  });

  test.each([
    ['blocked', true],
    ['throttled', true],
    ['malformed', false],
    ['down', false],
  ] as const)('because it is %s counts as a refusal: %s', async (problem, isCounted) => {
    process.env.SUGGEST_RATE = '1';
    answers.push(fault(problem));
    await errorOf(ask('tea'));

    expect(tables.items('PACE_TABLE')).toMatchObject([{ line: 'suggest/bing', walls: isCounted ? 1 : 0 }]);
  });
});

test.each([
  ['de', 'de-DE,de;q=0.9,en;q=0.8'],
  [null, 'en-US,en;q=0.9'],
])('the language %s is in the headers', async (language_code, header) => {
  realTimers();
  const headers: (string | undefined)[] = [];
  process.env.SUGGEST_ORIGIN = await serve((request, response) => {
    headers.push(request.headers['accept-language']);
    response.end('[]');
  });
  await suggest(accountOf(1), {
    keyword: 'tea',
    engine_name: 'bing',
    iso_code: 'DE',
    language_code,
    location_name: '',
    location_code: 2276,
  });

  expect(headers).toEqual([header]);
});

describe('the time limit', () => {
  test('of a call is ten seconds', async () => {
    // The double of the engine answers after eight seconds, or never if the time is shorter.
    process.env.SUGGEST_SOURCE = 'engines';
    expect((await ask('slow: tea')).value).not.toEqual([]);
    expect(elapsed()).toBe(8);
  });

  test('of a call is what is left of 25 seconds', async () => {
    process.env.SUGGEST_SOURCE = 'engines';
    const dead = find('slow: tea');
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    Object.assign(tables.items('SNAPSHOTS_TABLE')[0] ?? {}, { claim: 'dead', claim_until: start + 18 });

    expect(await errorOf(ask('slow: tea'))).toEqual([
      502,
      undefined,
      'No suggestions of Bing: timeout: the answer did not arrive in time',
    ]);
    expect(elapsed()).toBe(25);
    await dead;
  });

  test('of a call is what its turn leaves of 25 seconds', async () => {
    process.env.SUGGEST_SOURCE = 'engines';
    process.env.SUGGEST_RATE = '0.25';
    const dead = find('slow: tea');
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    Object.assign(tables.items('SNAPSHOTS_TABLE')[0] ?? {}, { claim: 'dead', claim_until: start + 18 });
    Object.assign(tables.items('PACE_TABLE')[0] ?? {}, { free_at: start + 21 });

    expect((await errorOf(ask('slow: tea')))[0]).toBe(502);
    expect(elapsed()).toBe(25);
    await dead;
  });

  test('with the turn is 25 seconds', async () => {
    process.env.SUGGEST_SOURCE = 'engines';
    process.env.SUGGEST_RATE = '0.33';
    const all = await settled(Promise.all([find('slow: a'), find('slow: b')]));

    expect(all).toHaveLength(2);
    expect(elapsed()).toBeCloseTo(8 + 1 / 0.3, 1);
    expect(Date.now() / 1000).toBeGreaterThan(start);
  });
});
