/** One call of the source of volumes: its log, its repetition, and the renewal of its token. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callOnce, callSource, prepareCall } from '../../../../lib/keyword/ads/call-source.ts';
import { dropToken } from '../../../../lib/keyword/ads/token.ts';
import type { Fault } from '../../../../lib/provider/contract.ts';
import { volumeSources } from '../../../../lib/provider/sources/volumes.ts';
import { elapsed, settled, start } from '../fake-time.ts';
import { begin, fault, linesOf, script, scripted, tables } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(() => {
  begin();
  dropToken();
});

const asked = { keywords: ['tea'], market: { location: 2276, language: 'de' } };
const patience = { deadlineMs: 10_000, attempts: 3, latest: start + 20 };
const call = () => settled(callSource(7, scripted.volumes, asked, patience));
const failing = (...faults: Fault[]) => script.volumeAnswers.push(...faults.map((each) => () => each));

test('gives what the source answers, and logs it', async () => {
  const read = await call();

  expect(read.ok && [...read.value]).toMatchObject([['tea', { volume: 3 }]]);
  expect(script.volumes).toMatchObject([
    { ...asked, access: { credentials: '', token: '', version: 'v26' } },
  ]);
  expect(linesOf('source asked')).toMatchObject([
    {
      source: 'scripted',
      question: 'volumes',
      outcome: 'answered',
      reason: null,
      SourceFailed: 0,
      SourceThrottled: 0,
      SourceMilliseconds: expect.any(Number),
    },
  ]);
});

test('a call that the source takes, and one that fails, do not hold the line', async () => {
  failing(fault('malformed'));
  await call();
  await call();

  expect(tables.items('PACE_TABLE')).toEqual([]);
});

test.each([
  ['malformed', 1, 0],
  ['rejected', 1, 0],
  ['access', 1, 0],
  ['timeout', 1, 0],
  ['throttled', 0, 1],
] as const)('a call that is %s is not repeated', async (problem, SourceFailed, SourceThrottled) => {
  failing(fault(problem));

  expect(await call()).toMatchObject({ problem });
  expect(linesOf('source asked')).toMatchObject([
    { outcome: problem, reason: `it is ${problem}`, SourceFailed, SourceThrottled },
  ]);
});

describe('while the source is down', () => {
  test('the call is repeated after a pause that doubles', async () => {
    failing(fault('down'), fault('down'));

    expect((await call()).ok).toBe(true);
    expect(script.volumes.map(({ at }) => at)).toEqual([0, 1, 3]);
  });

  test('the pauses are not in the time of a call', async () => {
    failing(fault('down'), fault('down'));
    await call();

    expect(linesOf('source asked').map(({ SourceMilliseconds }) => SourceMilliseconds)).toEqual([0, 0, 0]);
  });

  test('it is given up after so many attempts', async () => {
    failing(fault('down'), fault('down'), fault('down', { reason: 'the last one' }), fault('malformed'));

    expect(await call()).toMatchObject({ reason: 'the last one' });
    expect(script.volumes).toHaveLength(3);
  });

  test('each repetition takes a turn of the user', async () => {
    process.env.ADS_RATE = '0.5';
    failing(fault('down'), fault('down'));
    await call();

    // The caller has taken the turn of the first call. Turns are 2.2 s apart.
    expect(script.volumes.map(({ at }) => at)).toEqual([0, 1, 3.2]);
    expect(tables.items('PACE_TABLE').map(({ line }) => line)).toContain('scripted#7');
  });

  test('it is given up if the turn comes too late', async () => {
    process.env.ADS_RATE = '0.01';
    failing(fault('down'), fault('down', { reason: 'the second one' }));

    expect(await call()).toMatchObject({ reason: 'the second one' });
    expect(elapsed()).toBe(3);
  });
});

test.each([
  [{ retryAfterSeconds: 30 }, 30],
  [{}, 0],
])('a source over quota holds the line: %j', async (more, seconds) => {
  failing(fault('throttled', more));
  await call();

  expect(tables.items('PACE_TABLE')).toMatchObject([{ line: 'scripted', free_at: start + seconds }]);
});

describe('with a token', () => {
  const tokens: string[] = [];
  beforeEach(() => {
    tokens.length = 0;
    const authorization = {
      secret: 'GOOGLE_ADS_CREDENTIALS' as const,
      isReadable: () => true,
      placeholder: 'nobody',
      token: {
        data: 'token',
        request: (credentials: string) => {
          tokens.push(credentials);
          return { method: 'POST' as const, url: 'https://source.example/token', headers: {} };
        },
        read: () => ({ ok: true as const, value: { token: `token ${tokens.length}`, seconds: 3600 } }),
      },
    };
    volumeSources.scripted = { ...scripted, authorization };
  });

  const used = () => script.volumes.map(({ access }) => access);

  test('it is asked for once, with the credentials for the sandbox', async () => {
    await call();
    await call();

    expect(tokens).toEqual(['nobody']);
    expect(used()).toEqual(Array(2).fill({ credentials: 'nobody', token: 'token 1', version: 'v26' }));
  });

  test('that the source accepts no more, it is renewed once', async () => {
    await call();
    failing(fault('credentials'));

    expect((await call()).ok).toBe(true);
    expect(used().map(({ token }) => token)).toEqual(['token 1', 'token 1', 'token 2']);
    expect(linesOf('source asked')).toHaveLength(3);
  });

  test('that is kept is not renewed for another fault', async () => {
    await call();
    failing(fault('malformed'));
    await call();

    expect(tokens).toHaveLength(1);
  });

  test('is there before the turn of a call if the call is prepared', async () => {
    await settled(prepareCall());
    expect([tokens.length, script.volumes.length]).toEqual([1, 0]);
    await call();

    expect(tokens).toHaveLength(1);
  });

  test('that is new, a refusal is final', async () => {
    failing(fault('credentials'));

    expect(await call()).toMatchObject({ problem: 'credentials' });
    expect(tokens).toHaveLength(1);
  });

  test('that the source refuses again, it is not renewed again', async () => {
    await call();
    failing(fault('credentials'), fault('credentials'));

    expect(await call()).toMatchObject({ problem: 'credentials' });
    expect(tokens).toHaveLength(2);
  });
});

test('a fault of the token is the fault of the call, and is not a call', async () => {
  const authorization = {
    secret: 'GOOGLE_ADS_CREDENTIALS' as const,
    isReadable: () => true,
    placeholder: 'nobody',
    token: {
      data: 'token',
      request: () => ({ method: 'POST' as const, url: 'https://source.example/token', headers: {} }),
      read: () => fault('credentials', { reason: 'the token was revoked' }),
    },
  };
  volumeSources.scripted = { ...scripted, authorization };

  expect(await settled(callOnce(scripted.volumes, asked, 1000))).toMatchObject({
    reason: 'the token was revoked',
  });
  expect(linesOf('source asked')).toEqual([]);
});
