/**
 * Turns, rests and probes of an engine, and the health of its fetchers, on tables in memory. Numbers are
 * written out.
 */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CrawlMessage } from '../../../lib/model/workflow.ts';
import { countRequest } from '../../../lib/pace/count-request.ts';
import { restEnd } from '../../../lib/pace/engine-rest.ts';
import { recordSignal, requestTurn } from '../../../lib/pace/engine-turn.ts';
import {
  chooseFetcher,
  healthLine,
  passOn,
  recordOutcome,
  unwatched,
} from '../../../lib/pace/fetcher-health.ts';
import { takeTurnBy } from '../../../lib/pace/line-turn.ts';
import { engineLines, linesOf } from '../../../lib/pace/lines.ts';
import { reserveTogether } from '../../../lib/pace/reservations.ts';
import { presentRate, recordWall } from '../../../lib/pace/rest.ts';
import { taskId } from '../../../lib/task/id.ts';
import { start, startTime } from '../keyword/fake-time.ts';
import { memoryTables } from '../tables.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

const tables = memoryTables();
const parameters = mockClient(SSMClient);
const lines: Record<string, unknown>[] = [];

/** Settings of the fetchers are kept for a minute, so each test has its own time. */
let now = start;

beforeEach(() => {
  tables.start();
  tables.clear();
  startTime();
  now += 100_000;
  vi.setSystemTime(now * 1000);
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{}' } });
  process.env.GOOGLE_RATE = '1';
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});

let count = 0;

/** An id in the first line. */
const nextId = () => {
  count += 16;
  return taskId(now, count);
};

const message = (more: Partial<CrawlMessage> = {}): CrawlMessage => ({
  user_id: 1,
  id: nextId(),
  engine: 'google',
  pages: 1,
  throttled: 0,
  ...more,
});

const find = async () => ({ asksEngine: true });

/** The outcome and its times in seconds after the start of the test. */
const turnOf = async (more: Partial<CrawlMessage> = {}, after = 0) => {
  const decision = await requestTurn(message(more), find, now + after);
  const at = Number((decision.at - now).toFixed(3));
  if (decision.outcome === 'go') return ['go', at, ...(decision.probe === null ? [] : [decision.probe])];
  return [
    decision.outcome,
    at,
    ...(decision.turn === undefined ? [] : [Number((decision.turn - now).toFixed(3))]),
  ];
};

const row = (line = 'google') => tables.items('PACE_TABLE').find((item) => item.line === line);

const inSequence = async (users: readonly number[], more: Partial<CrawlMessage> = {}, after = 0) => {
  const turns = [];
  for (const user_id of users) turns.push(await turnOf({ user_id, ...more }, after));
  return turns;
};

describe('a run', () => {
  test('starts at once if the line is free, and takes a turn for each page', async () => {
    expect(await turnOf({ pages: 3 })).toEqual(['go', 0]);
    expect(row()).toMatchObject({ free_at: now + 3 });
  });

  test('says its line, and the task that it has found', async () => {
    const decision = await requestTurn(message(), async () => ({ asksEngine: true, name: 'task' }), now);

    expect(decision).toEqual({
      outcome: 'go',
      at: now,
      probe: null,
      line: 'google',
      found: { asksEngine: true, name: 'task' },
    });
  });

  test('that does not ask the engine takes no turn', async () => {
    const decision = await requestTurn(message(), async () => ({ asksEngine: false }), now);

    expect(decision).toMatchObject({ outcome: 'go', at: now, found: { asksEngine: false } });
    expect(tables.items('PACE_TABLE')).toEqual([]);
  });

  test('without a rate takes no turn, and its task is not read', async () => {
    process.env.GOOGLE_RATE = '0';
    const decision = await requestTurn(message(), () => Promise.reject(new Error('never')), now);

    expect(decision).toMatchObject({ outcome: 'go', found: undefined });
  });

  test('counts from the present time', async () => {
    expect((await requestTurn(message(), find)).at).toBe(now);
  });

  test('that comes before its time waits on, with its turn', async () => {
    expect(await turnOf({ not_before: now + 5, turn: now + 5 })).toEqual(['wait', 5, 5]);
    expect(tables.items('PACE_TABLE')).toEqual([]);
  });

  test('waits here for two seconds, and else reserves a time to come back', async () => {
    expect(await inSequence([1, 2, 3, 4])).toEqual([
      ['go', 0],
      ['go', 1],
      ['go', 2],
      ['wait', 3],
    ]);
    // No share was taken for a turn that comes too late.
    expect(row('google#4')).toEqual({ line: 'google#4', line_end: now + 4 });
  });

  test('counts as waiting if more than two turns are before it', async () => {
    process.env.GOOGLE_RATE = '10';
    await inSequence([1, 2, 3]);
    expect(row()).toMatchObject({ waiting_until: 0 });
    await turnOf({ user_id: 4 });

    expect(Number(row()?.waiting_until) - now).toBeCloseTo(5.3, 3);
  });

  test('of a user who has one waiting comes back after it, although a turn is free sooner', async () => {
    await inSequence([1, 1, 1, 1]);

    expect(await turnOf({ user_id: 1 }, 1.5)).toEqual(['wait', 4]);
    expect(await turnOf({ user_id: 2 }, 1.5)).toEqual(['go', 1.5]);
  });

  test('of a user who has some waiting comes back after them', async () => {
    await inSequence([1, 1, 1]);

    expect(await inSequence([1, 1, 1])).toEqual([
      ['wait', 3],
      ['wait', 4],
      ['wait', 5],
    ]);
  });

  test('that comes back gets the next turn', async () => {
    await inSequence([1, 2, 3, 4]);

    expect(await turnOf({ user_id: 4, not_before: now + 3 }, 3)).toEqual(['go', 3]);
    expect(await turnOf({ user_id: 5, not_before: now + 3 }, 3)).toEqual(['go', 4]);
    expect(await turnOf({ user_id: 6, not_before: now + 3 }, 3)).toEqual(['go', 5]);
    expect(await turnOf({ user_id: 7, not_before: now + 3 }, 3)).toEqual(['wait', 6, 6]);
  });

  test('has the turn that it was given, unless it comes more than five seconds late', async () => {
    await turnOf();

    expect(await turnOf({ not_before: now + 8, turn: now + 8 }, 8)).toEqual(['go', 8]);
    expect(await turnOf({ not_before: now + 8, turn: now + 8 }, 13)).toEqual(['go', 13]);
    expect(row()).toMatchObject({ free_at: now + 1 });
    expect(await turnOf({ not_before: now + 8, turn: now + 8 }, 13.5)).toEqual(['go', 13.5]);
    expect(row()).toMatchObject({ free_at: now + 14.5 });
  });

  test('comes back no later than its deadline', async () => {
    process.env.TASK_DEADLINE = '30';
    await turnOf({ pages: 40 });

    expect(await turnOf({ user_id: 2 })).toEqual(['wait', Infinity]);
    expect(await turnOf({ user_id: 2, not_before: now + 1 }, 1)).toEqual(['wait', 15.5]);
    expect(await turnOf({ user_id: 2, not_before: now + 27 }, 27)).toEqual(['wait', Infinity]);
    delete process.env.TASK_DEADLINE;
  });

  test('whose user has a share of two seconds gets no further turn', async () => {
    process.env.GOOGLE_RATE = '10';
    const users = Array(24).fill(1);
    const turns = await inSequence(users);
    delete process.env.GOOGLE_RATE;

    expect(turns.filter(([outcome]) => outcome === 'go')).toHaveLength(21);
    expect(turns.at(-1)?.[0]).toBe('wait');
  });
});

describe('runs that arrive together', () => {
  /** The times of runs whose messages are received together. */
  const together = (users: readonly number[], more: Partial<CrawlMessage> = {}) =>
    Promise.all(users.map((user_id) => turnOf({ user_id, ...more })));

  const writesOf = (line: string) =>
    tables.client.commandCalls(UpdateCommand).filter(({ args: [{ input }] }) => input.Key?.line === line)
      .length;

  test('reserve their times with one write for each user, and one for the mark of the line', async () => {
    await turnOf({ pages: 10 });
    tables.client.resetHistory();

    expect(await together([1, 2, 1, 2, 1])).toEqual([
      ['wait', 10],
      ['wait', 10],
      ['wait', 11],
      ['wait', 11],
      ['wait', 12],
    ]);
    expect(['google#1', 'google#2', 'google'].map(writesOf)).toEqual([1, 1, 2]);
    expect(row('google#1')).toMatchObject({ line_end: now + 13 });
    expect(row()).toMatchObject({ waiting_until: now + 12 + 5 });
  });

  test('have the times that are left one by one, if there is none for all of them', async () => {
    process.env.TASK_DEADLINE = '12';
    await turnOf({ pages: 10 });

    const turns = await together([2, 2, 2]);
    delete process.env.TASK_DEADLINE;

    expect(turns).toEqual([
      ['wait', 10],
      ['wait', 11],
      ['wait', Infinity],
    ]);
    expect(row('google#2')).toMatchObject({ line_end: now + 12 });
    expect(row()).toMatchObject({ waiting_until: now + 11 + 5 });
  });

  const seen = { free_at: 0, waiting_until: 0, walls: 0, rested_until: 0 };
  const user = { line_end: 0, turn_end: 0, priority_at: 0 };
  const reserve = (from: number) => {
    const time = { seconds: 1, from: now + from, latest: now + 60 };
    return reserveTogether('google', 1, { ...seen, ...user }, time, Promise.resolve());
  };

  test('come back at the latest of the times before which one may not', async () => {
    expect(await Promise.all([reserve(5), reserve(9)])).toEqual([now + 9, now + 10]);
  });

  test('have the next write, if they join while the times of others are written', async () => {
    tables.client.resetHistory();
    const first = reserve(5);
    while (writesOf('google#1') === 0) await Promise.resolve();
    const second = reserve(5);

    expect(await Promise.all([first, second])).toEqual([now + 5, now + 6]);
    expect(writesOf('google#1')).toBeGreaterThan(1);
  });

  test('all fail if their write fails, and later ones do not', async () => {
    await turnOf({ pages: 10 });
    const of = { TableName: process.env.PACE_TABLE ?? '', Key: { line: 'google#3' } };
    tables.client.on(UpdateCommand, of).rejectsOnce(new Error('refused'));
    const runs = await Promise.allSettled([turnOf({ user_id: 3 }), turnOf({ user_id: 3 })]);
    tables.start();

    expect(runs).toMatchObject([{ reason: { message: 'refused' } }, { reason: { message: 'refused' } }]);
    expect(await turnOf({ user_id: 3 })).toEqual(['wait', 10]);
  });
});

/** Lets requests that follow pages take so many turns. */
const countPages = async (pages: number) => {
  for (let n = 0; n < pages; n++) await countRequest({ engine: 'google', id: taskId(now, 0) }, now);
};

describe('while others wait', () => {
  const crowd = async () => {
    await inSequence([1, 1, 1, 1, 1, 1]);
  };

  test('the line is marked for five seconds more than the last of them waits', async () => {
    await crowd();

    expect(row()).toMatchObject({ waiting_until: now + 2 + 5 });
  });

  test('the first run of another user starts before its turn, within its allowance', async () => {
    await crowd();

    expect(await turnOf({ user_id: 2 })).toEqual(['go', 0]);
    expect(row('google#2')).toMatchObject({ priority_at: now + 10 });
    expect(await turnOf({ user_id: 2 })).toEqual(['go', 0]);
    expect(await turnOf({ user_id: 2 })).toEqual(['go', 0]);
    expect((await turnOf({ user_id: 2 }))[0]).toBe('wait');
  });

  test('a run that has waited does not start before its turn', async () => {
    await crowd();

    expect(await turnOf({ user_id: 2, not_before: now }, 0)).toEqual(['go', 2]);
  });

  test.each([
    [13, 'go', 0],
    [14, 'wait', 16],
  ])('a run starts early if the turns end within 15 s: %i more are taken', async (pages, ...turn) => {
    await crowd();
    await countPages(pages);

    expect(await turnOf({ user_id: 2 })).toEqual(turn);
  });

  test.each([
    [9, 'go'],
    [11, 'wait'],
  ])('at a rate of 2, ten pages are half as long: %i seconds are taken', async (seconds, outcome) => {
    process.env.GOOGLE_RATE = '2';
    await crowd();
    const taken = Number(row()?.free_at) - now;
    await countPages((seconds - taken) * 2);
    const [given] = await turnOf({ user_id: 2, pages: 2 });

    expect(given).toBe(outcome);
    expect(row('google#2')?.priority_at !== undefined).toBe(outcome === 'go');
  });

  test('a turn that is free may be taken by a request that follows a page', async () => {
    await crowd();

    expect(await takeTurnBy('google', { now: now + 4, seconds: 1 }, now + 4)).toBe(now + 4);
  });

  test('no run starts early if the turns end too late', async () => {
    await turnOf({ pages: 16 });
    await turnOf({ user_id: 1 });

    expect((await turnOf({ user_id: 2 }))[0]).toBe('wait');
  });
});

const blocked = async (times: number, probe: number | null = null) => {
  for (let n = 0; n < times; n++) await recordSignal('google', { line: 'google', probe }, 'wall', now);
};

describe('an engine that blocks', () => {
  test('twenty runs in a row is rested; then one run probes it', async () => {
    await turnOf();
    await blocked(20);

    expect(lines).toMatchObject([
      { message: 'engine rested', engine: 'google', walls: 20, seconds: 10, EngineRests: 1 },
    ]);
    expect(await turnOf({}, 5)).toEqual(['wait', 10]);
    expect(await turnOf({ user_id: 2 }, 10)).toEqual(['go', 10, 20]);
    expect((await turnOf({ user_id: 3 }, 10))[0]).toBe('wait');
    expect(row()).toMatchObject({ rested_until: now + 40 });
  });

  test('nineteen runs is not rested', async () => {
    await blocked(19);

    expect(lines).toEqual([]);
    expect(await turnOf()).toEqual(['go', 0]);
  });

  test('a probe, too, is rested for longer', async () => {
    await blocked(20);
    await blocked(1, 20);

    expect(lines.at(-1)).toMatchObject({ walls: 21, seconds: 20 });
  });

  test('and then answers is asked as before', async () => {
    await blocked(20);
    await recordSignal('google', { line: 'google', probe: 20 }, 'open');

    expect(row()).toMatchObject({ walls: 0, rested_until: 0 });
  });

  test('is not counted without a rate or without a signal', async () => {
    await recordSignal('google', { line: 'google', probe: null }, null, now);
    process.env.GOOGLE_RATE = '0';
    await blocked(20);
    await recordSignal('google', { line: 'google', probe: null }, 'open', now);

    expect(tables.items('PACE_TABLE')).toEqual([]);
  });
});

describe('the rest of an engine', () => {
  test('ends with that of its line, and there is none before twenty walls', async () => {
    await blocked(19);
    expect(await restEnd('google')).toBe(0);
    await blocked(1);

    expect(await restEnd('google')).toBe(now + 10);
  });

  test('ends with the first of its lines; an engine whose other line takes searches does not rest', async () => {
    process.env.GOOGLE_RATE = '500';
    for (let n = 0; n < 20; n++) await recordWall('google', null, now);
    await recordWall('google', 20, now);
    expect(await restEnd('google')).toBe(0);
    for (let n = 0; n < 20; n++) await recordWall('google/1', null, now);

    expect(await restEnd('google')).toBe(now + 10);
  });

  test('is not asked for without a rate', async () => {
    await blocked(20);
    process.env.GOOGLE_RATE = '0';

    expect(await restEnd('google')).toBe(0);
  });
});

describe('a wall', () => {
  test('counts to twenty, and no further', async () => {
    const results = [];
    for (let n = 0; n < 22; n++) results.push(await recordWall('x', null, now));

    expect(results.slice(18)).toEqual([undefined, { walls: 20, seconds: 10 }, undefined, undefined]);
    expect(row('x')).toMatchObject({ walls: 20, rested_until: now + 10 });
  });

  test.each([
    [25, 26, 640],
    [40, 41, 900],
  ])('of a probe after %i is one more', async (probe, walls, seconds) => {
    expect(await recordWall('x', probe, now)).toEqual({ walls, seconds });
  });
});

describe('lines', () => {
  test.each([
    [0, 1],
    [0.5, 1],
    [250, 1],
    [251, 2],
    [1000, 4],
  ])('at a rate of %d: %i', (rate, expected) => {
    expect(linesOf(rate)).toBe(expected);
    expect(engineLines('bing', rate)).toEqual(['bing', 'bing/1', 'bing/2', 'bing/3'].slice(0, expected));
  });

  test('each take a part of the rate, and a task has always the same one', async () => {
    process.env.GOOGLE_RATE = '500';
    const odd = { id: taskId(now, 1) };
    const even = { id: taskId(now, 2) };
    await turnOf(odd);
    await turnOf(even);

    expect(tables.items('PACE_TABLE').map(({ line, free_at }) => [line, Number(free_at) - now])).toEqual([
      ['google/1', expect.closeTo(0.004, 5)],
      ['google', expect.closeTo(0.004, 5)],
    ]);
  });

  test('a free one is tried first if it was read as free, otherwise the next turn', async () => {
    const request = { now, seconds: 1 };
    expect(await takeTurnBy('x', request, now + 10)).toBe(now);
    expect(await takeTurnBy('x', request, now + 10)).toBe(now + 1);
    expect(await takeTurnBy('x', request, now + 10, false)).toBe(now + 2);
    expect(await takeTurnBy('y', request, now + 10, false)).toBe(now);
    expect(await takeTurnBy('x', request, now + 2)).toBeUndefined();
  });
});

describe('a request that follows a page', () => {
  test('is counted without waiting', async () => {
    await countRequest({ engine: 'google', id: taskId(now, 0) }, now);
    await countRequest({ engine: 'google', id: taskId(now, 0) });

    expect(row()).toMatchObject({ free_at: now + 2 });
  });

  test('at several lines has a part of the rate', async () => {
    process.env.GOOGLE_RATE = '500';
    await countRequest({ engine: 'google', id: taskId(now, 1) }, now);

    expect(Number(row('google/1')?.free_at) - now).toBeCloseTo(2 / 500, 5);
  });

  test('is not counted without a rate', async () => {
    process.env.GOOGLE_RATE = '0';
    await countRequest({ engine: 'google', id: taskId(now, 0) }, now);

    expect(tables.items('PACE_TABLE')).toEqual([]);
  });
});

test('the rate in the settings of the fetchers goes before the setting', async () => {
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{"google":{"rate":7}}' } });

  expect(await presentRate('google')).toBe(7);
  expect(await presentRate('bing')).toBe(0);
});

describe('fetchers', () => {
  const order = ['http', 'browser'] as const;
  const choose = (after = 0) => chooseFetcher('google', order, order, now + after);

  const failing = async (times: number, outcome: 'failed' | 'blocked' = 'failed') => {
    const chosen = { fetcher: 'http', line: 'google/http', walls: 0, isProbe: false } as const;
    for (let n = 0; n < times; n++) await recordOutcome('google', chosen, outcome, now);
  };

  test('are tried in their order', async () => {
    expect(await choose()).toEqual({ fetcher: 'http', line: 'google/http', walls: 0, isProbe: false });
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
