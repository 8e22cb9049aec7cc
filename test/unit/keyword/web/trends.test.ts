/**
 * Trends: calls in sequence, each with a turn, within the time of one request; and the cookie of a first
 * refusal.
 */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { trends } from '../../../../lib/keyword/web/trends.ts';
import { HttpError } from '../../../../lib/model/http-error.ts';
import type { Provider, Read, TrendsSource } from '../../../../lib/provider/contract.ts';
import { trendsSources } from '../../../../lib/provider/sources/trends.ts';
import { accountOf } from '../../../integration/account.ts';
import { serve } from '../../../integration/net/loopback.ts';
import { elapsed, realTimers, settled, start } from '../fake-time.ts';
import { begin, fault, tables } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

/** The paths and times of calls, and the answers that come next; without an answer, a call gives its path. */
const asked: [string, number][] = [];
const answers: (Read<string> | undefined)[] = [];

const provider: Provider<string, string> = {
  data: 'echo',
  request: (path) => {
    last = path;
    return { method: 'GET', url: `https://trends.example/${path}`, headers: {} };
  },
  read: () => {
    asked.push([last, elapsed()]);
    return answers.shift() ?? { ok: true, value: last };
  },
};
let last = '';

/** How many calls the inquiry for a keyword makes. */
let calls = 3;

const source: TrendsSource = {
  name: 'scripted',
  ofKeyword: ({ keyword, iso_code, language_code }) => ({
    key: `${keyword} ${iso_code} ${language_code}`,
    ask: async (call) => {
      const values: string[] = [];
      for (let left = calls; left > 0; left--) values.push(await call(provider, `${keyword}${left}`, left));
      return {
        interest_over_time: values.map((date) => ({ date, value: 1 })),
        related_queries: { top: [], rising: [] },
      };
    },
  }),
  ofCountry: (country) => ({
    key: country,
    ask: async (call) => [{ title: await call(provider, country, 1), traffic: '1+', related_queries: [] }],
  }),
};

beforeEach(() => {
  begin();
  asked.length = 0;
  answers.length = 0;
  calls = 3;
  trendsSources.scripted = source;
  process.env.TRENDS_SOURCE = 'scripted';
});

const user = accountOf(1);
const ofKeyword = (keyword: string, more: object = {}) =>
  trends(user, {
    keyword,
    iso_code: 'DE',
    language_code: 'de',
    location_name: '',
    engine_name: 'google',
    ...more,
  });
const ofCountry = (request: object) => settled(trends(user, { language_code: 'en', ...request }));

const errorOf = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw new Error(`It is not an HttpError: ${error}`);
  return [error.statusCode, error.headers['Retry-After'], error.detail];
};

test('the trends of a keyword are what the inquiry gives, and are shared by its key', async () => {
  const first = await settled(ofKeyword('tea'));

  expect(first).toMatchObject({
    value: { interest_over_time: [{ date: 'tea3' }, { date: 'tea2' }, { date: 'tea1' }] },
    age: { 'x-cache': 'miss' },
  });
  expect((await settled(ofKeyword('tea', { location_name: 'Berlin' }))).age['x-cache']).toBe('hit');
  expect((await settled(ofKeyword('tea', { language_code: 'en' }))).age['x-cache']).toBe('miss');
});

test.each([
  [{ location_code: 2276 }, 'DE', 2276],
  [{ iso_code: 'uk' }, 'GB', 2826],
  [{ iso_code: 'FR', location_code: 2276 }, 'DE', 2276],
  [{}, 'US', 2840],
])('the trends of %j are those of %s', async (request, country, location_code) => {
  expect((await ofCountry(request)).value).toEqual({
    status: 'success',
    location_code,
    result: [{ title: country, traffic: '1+', related_queries: [] }],
  });
});

describe('turns', () => {
  beforeEach(() => {
    process.env.TRENDS_RATE = '0.55';
  });

  test('are taken together, and each call waits for its own', async () => {
    await settled(ofKeyword('tea'));

    expect(asked).toEqual([
      ['tea3', 0],
      ['tea2', 2],
      ['tea1', 4],
    ]);
    expect(tables.items('PACE_TABLE')).toMatchObject([{ line: 'trends', free_at: start + 6 }]);
  });

  test('of the next request come after all of them', async () => {
    process.env.TRENDS_RATE = '1.1';
    await settled(Promise.all([ofKeyword('a'), ofKeyword('b')]));

    expect(asked.map(([path]) => path)).toEqual(['a3', 'a2', 'a1', 'b3', 'b2', 'b1']);
    expect(asked.at(-1)).toEqual(['b1', 5]);
  });

  test.each([
    ['0.11', '10', [0, 10, 20]],
    ['0.044', '25', [0]],
  ])('that do not fit in the time of the request end it, at a rate of %s', async (rate, wait, times) => {
    process.env.TRENDS_RATE = rate;
    calls = times.length + 1;

    expect(await errorOf(settled(ofKeyword('tea')))).toEqual([
      503,
      wait,
      'The source takes no more calls now: send the request again later',
    ]);
    expect(asked.map(([, at]) => at)).toEqual(times);
  });

  test('are taken anew if more calls follow than were left', async () => {
    trendsSources.scripted = {
      ...source,
      ofCountry: (country) => ({
        key: country,
        ask: async (call) => {
          await call(provider, 'first', 1);
          return [{ title: await call(provider, 'second', 1), traffic: '1+', related_queries: [] }];
        },
      }),
    };
    await ofCountry({});

    expect(asked).toEqual([
      ['first', 0],
      ['second', 2],
    ]);
    expect(tables.items('PACE_TABLE')).toMatchObject([{ free_at: start + 4 }]);
  });

  test('take no time without a rate', async () => {
    process.env.TRENDS_RATE = '0';
    await settled(ofKeyword('tea'));

    expect(elapsed()).toBe(0);
    expect(tables.items('PACE_TABLE')).toEqual([]);
  });
});

describe('a call that fails', () => {
  test('ends the request with its own data', async () => {
    answers.push(undefined, fault('malformed'));

    expect(await errorOf(settled(ofKeyword('tea')))).toEqual([
      502,
      undefined,
      'No echo: malformed: it is malformed',
    ]);
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['blocked', 1],
    ['throttled', 1],
    ['malformed', 0],
  ] as const)('because the source is %s counts %i refusals', async (problem, walls) => {
    process.env.TRENDS_RATE = '10';
    answers.push(fault(problem));
    await errorOf(settled(ofKeyword('tea')));

    expect(tables.items('PACE_TABLE')).toMatchObject([{ walls }]);
    expect(asked).toHaveLength(1);
  });
});

describe('the time of a call', () => {
  test('is ten seconds', async () => {
    process.env.TRENDS_SOURCE = 'google-trends';

    expect(await settled(ofKeyword('slow: tea'))).toMatchObject({ age: { 'x-cache': 'miss' } });
    // The first call of a process is refused, and repeated with its cookie: the double is slow twice.
    expect(elapsed()).toBe(16);
  });

  test('is what is left of 25 seconds', async () => {
    process.env.TRENDS_SOURCE = 'google-trends';
    process.env.SANDBOX_MISFORTUNE = 'slow';
    const dead = ofCountry({}).catch(String);
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    Object.assign(tables.items('SNAPSHOTS_TABLE')[0] ?? {}, { claim: 'dead', claim_until: start + 18 });

    expect(await errorOf(ofCountry({}))).toEqual([
      502,
      undefined,
      'No trending searches: timeout: the answer did not arrive in time',
    ]);
    expect(elapsed()).toBe(25);
    await dead;
  });
});

describe('over the network', () => {
  const secrets = mockClient(SecretsManagerClient);
  const parameters = mockClient(SSMClient);

  const answering = async () => {
    realTimers();
    secrets.on(GetSecretValueCommand).resolves({ SecretString: '' });
    parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{}' } });
    const languages: (string | undefined)[] = [];
    process.env.TRENDS_ORIGIN = await serve((request, response) => {
      languages.push(request.headers['accept-language']);
      response.setHeader('set-cookie', `visit=${languages.length}`);
      response.end('data');
    });
    return languages;
  };

  test('a call is repeated for a new cookie only if it was throttled', async () => {
    const languages = await answering();
    await trends(user, { iso_code: 'DE', language_code: 'de' });
    answers.push(fault('blocked'));
    await errorOf(trends(user, { iso_code: 'AT', language_code: 'de' }));
    expect(languages).toHaveLength(2);
    answers.push(fault('throttled'));
    await trends(user, { iso_code: 'CH', language_code: 'de' });

    expect(languages).toHaveLength(4);
  });

  test('the language of the request is in the headers', async () => {
    const languages = await answering();
    await trends(user, { iso_code: 'FR', language_code: 'fr' });
    await trends(user, { iso_code: 'US', language_code: null });

    expect(languages).toEqual(['fr-FR,fr;q=0.9,en;q=0.8', 'en-US,en;q=0.9']);
  });
});

describe('a cookie', () => {
  beforeEach(() => {
    process.env.TRENDS_SOURCE = 'google-trends';
    process.env.TRENDS_RATE = '2.2';
  });

  test('is sent with the repeated call, which has a turn of its own; later requests have it', async () => {
    // Each misfortune is a place of its own, whose cookies this process has not got yet.
    process.env.SANDBOX_MISFORTUNE = 'opaque_links';
    await settled(ofKeyword('tea'));

    expect(tables.items('PACE_TABLE')).toMatchObject([{ free_at: start + 2, walls: 0 }]);
    expect(elapsed()).toBe(1.5);
    const turns = tables.client
      .commandCalls(UpdateCommand)
      .filter(({ args: [{ input }] }) => input.UpdateExpression?.includes('free_at'));
    expect(turns).toHaveLength(1);
    await settled(ofKeyword('milk'));
    expect(tables.items('PACE_TABLE')).toMatchObject([{ free_at: start + 3.5 }]);
  });

  test('is not waited for twice: a source that refuses with it is throttled', async () => {
    process.env.SANDBOX_MISFORTUNE = 'http_429';

    expect(await errorOf(settled(ofKeyword('tea')))).toEqual([
      503,
      '60',
      'No trends: throttled: the source answers 429, too many requests',
    ]);
    expect(tables.items('PACE_TABLE')).toMatchObject([{ walls: 1 }]);
  });

  test('of another source is not sent', async () => {
    process.env.SANDBOX_MISFORTUNE = 'canned';
    await settled(ofKeyword('tea'));
    trendsSources.copy = { ...(trendsSources['google-trends'] ?? source), name: 'copy' };
    process.env.TRENDS_SOURCE = 'copy';
    tables.clear();
    await settled(ofKeyword('tea'));

    expect(tables.items('PACE_TABLE')).toMatchObject([{ free_at: start + 1.5 + 2 }]);
    delete trendsSources.copy;
  });
});
