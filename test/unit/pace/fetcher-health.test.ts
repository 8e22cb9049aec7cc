/** The health of the fetchers of an engine, on tables in memory. Numbers are written out. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  chooseFetcher,
  healthLine,
  passOn,
  recordOutcome,
  unwatched,
} from '../../../lib/pace/fetcher-health.ts';
import { begin, consistentReads, lines, now, row, tables } from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

describe('fetchers', () => {
  const order = ['http', 'browser'] as const;
  const choose = (after = 0) => chooseFetcher('google', order, order, now + after);

  const failing = async (times: number, outcome: 'failed' | 'blocked' = 'failed') => {
    const chosen = { fetcher: 'http', line: 'google/http', walls: 0, isProbe: false } as const;
    for (let n = 0; n < times; n++) await recordOutcome('google', chosen, outcome, now);
  };

  test('are tried in their order', async () => {
    expect(await choose()).toEqual({ fetcher: 'http', line: 'google/http', walls: 0, isProbe: false });
    expect(consistentReads()).toEqual([false]);
    expect(await chooseFetcher('google', order, ['browser'])).toMatchObject({ fetcher: 'browser' });
    expect(await chooseFetcher('google', order, [])).toBeUndefined();
  });

  test('without a browser have one health, from the sandbox too', () => {
    expect([healthLine('google', 'sandbox'), healthLine('google', 'browser')]).toEqual([
      'google/http',
      'google/browser',
    ]);
  });

  test('have no health if there is one only, or no rate', async () => {
    const alone = { fetcher: 'http', line: null, walls: 0, isProbe: false };

    expect(await chooseFetcher('google', ['http'])).toEqual(alone);
    process.env.GOOGLE_RATE = '0';
    expect(await choose()).toEqual(alone);
    expect(await chooseFetcher('google', order, [])).toBeUndefined();
    expect(unwatched('http')).toEqual(alone);
  });

  test.each(['failed', 'blocked'] as const)(
    'that have %s twenty times are rested, then probed',
    async (outcome) => {
      await failing(19, outcome);
      expect(await choose()).toMatchObject({ fetcher: 'http', walls: 19 });
      await failing(1, outcome);

      expect(lines).toMatchObject([
        {
          level: 'WARN',
          message: 'fetcher rested',
          engine: 'google',
          route: 'http',
          walls: 20,
          seconds: 10,
          FetcherRests: 1,
        },
      ]);
      expect(await choose(9)).toMatchObject({ fetcher: 'browser' });
      expect(await choose(10)).toEqual({ fetcher: 'http', line: 'google/http', walls: 20, isProbe: true });
      expect(await choose(10)).toMatchObject({ fetcher: 'browser' });
      expect(await choose(40)).toMatchObject({ fetcher: 'http', isProbe: true });
    },
  );

  test('that are all rested give none', async () => {
    await failing(20);
    for (let n = 0; n < 20; n++) {
      await recordOutcome(
        'google',
        { fetcher: 'browser', line: 'google/browser', walls: 0, isProbe: false },
        'failed',
        now,
      );
    }

    expect(await choose()).toBeUndefined();
  });

  test('that get a page are healthy again; without failures before, nothing is written', async () => {
    await failing(3);
    await recordOutcome(
      'google',
      { fetcher: 'http', line: 'google/http', walls: 0, isProbe: false },
      'fetched',
    );
    expect(row('google/http')).toMatchObject({ walls: 3 });
    await recordOutcome(
      'google',
      { fetcher: 'http', line: 'google/http', walls: 3, isProbe: false },
      'fetched',
    );
    expect(row('google/http')).toMatchObject({ walls: 0 });
  });

  test('that fail a probe are rested for longer', async () => {
    await failing(20);
    await recordOutcome(
      'google',
      { fetcher: 'http', line: 'google/http', walls: 20, isProbe: true },
      'failed',
      now,
    );

    expect(row('google/http')).toMatchObject({ walls: 21, rested_until: now + 20 });
  });

  test('whose health is not kept, or whose outcome says nothing of them, are not counted', async () => {
    await recordOutcome('google', unwatched('http'), 'failed', now);
    for (const outcome of ['throttled', 'refused', 'upstream'] as const) {
      await recordOutcome(
        'google',
        { fetcher: 'http', line: 'google/http', walls: 0, isProbe: false },
        outcome,
        now,
      );
    }

    expect(tables.items('PACE_TABLE')).toEqual([]);
  });

  test('pass a page on to the next one; to the provider, with the whole search', () => {
    const page = { page: 1, outcome: 'failed' } as Parameters<typeof passOn>[0];

    expect(passOn(page, unwatched('browser'))).toMatchObject({
      outcome: 'blocked',
      next: { fetcher: 'browser' },
    });
    expect(passOn(page, unwatched('upstream'))).toMatchObject({ outcome: 'upstream' });
  });
});
