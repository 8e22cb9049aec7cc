/**
 * The rate limiter of the source of volumes, on tables in memory. Numbers here are written out, not taken
 * from the code.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { holdCalls, pauseSeconds, requestTurn, waitForTurn } from '../../../lib/pace/ads-turn.ts';
import { callSeconds } from '../../../lib/pace/call-seconds.ts';
import { elapsed, settled, start, startTime } from '../keyword/fake-time.ts';
import { tables } from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

beforeEach(() => {
  tables.clear();
  startTime();
  delete process.env.ADS_RATE;
  delete process.env.VOLUMES_SOURCE;
});

/** The outcome of a request, and its time in seconds after the start. */
const turnOf = async (userId: number, after = 0) => {
  const { outcome, at } = await requestTurn(userId, start + after);
  return [outcome, Number((at - start).toFixed(3))];
};

const inSequence = async (users: readonly number[], after = 0) => {
  const turns = [];
  for (const user of users) turns.push(await turnOf(user, after));
  return turns;
};

describe('turns', () => {
  test('are 1.1 s apart at one call a second', async () => {
    expect(await inSequence([1, 2, 3])).toEqual([
      ['go', 0],
      ['go', 1.1],
      ['go', 2.2],
    ]);
  });

  test('are 0.55 s apart at two calls a second', async () => {
    process.env.ADS_RATE = '2';

    expect(await inSequence([1, 2])).toEqual([
      ['go', 0],
      ['go', 0.55],
    ]);
  });

  test('begin at once if the line is free again', async () => {
    await turnOf(1);

    expect(await turnOf(2, 1.05)).toEqual(['go', 1.1]);
    expect(await turnOf(3, 2.2)).toEqual(['go', 2.2]);
  });

  test('of one user reach two calls ahead; then the user comes back, each call a turn after the one before', async () => {
    expect(await inSequence([1, 1, 1, 1, 1])).toEqual([
      ['go', 0],
      ['go', 1.1],
      ['wait', 2.2],
      ['wait', 3.3],
      ['wait', 4.4],
    ]);
  });

  test('of one user reach two calls ahead at another rate, too', async () => {
    process.env.ADS_RATE = '2';

    expect(await inSequence([1, 1, 1])).toEqual([
      ['go', 0],
      ['go', 0.55],
      ['wait', 1.1],
    ]);
  });

  test('of one user are two again when the first of them begins', async () => {
    await inSequence([2, 1]);

    expect(await turnOf(1, 1)).toEqual(['go', 2.2]);
  });

  test('that a user has had already make the next call come back after a turn at least', async () => {
    await turnOf(1);
    await turnOf(1);
    Object.assign(tables.items('PACE_TABLE').find(({ line }) => line === 'google-ads#1') ?? {}, {
      turn_end: start + 10,
    });

    expect(await turnOf(1, 2)).toEqual(['wait', 3.1]);
  });

  test('of another user come within two calls, however many the first one has', async () => {
    for (let n = 0; n < 20; n++) await turnOf(1);

    expect(await turnOf(2)).toEqual(['go', 2.2]);
  });

  test('are taken within four calls of all users; a later one comes back', async () => {
    expect(await inSequence([1, 2, 3, 4, 5, 6, 7])).toEqual([
      ['go', 0],
      ['go', 1.1],
      ['go', 2.2],
      ['go', 3.3],
      ['go', 4.4],
      ['wait', 5.5],
      ['wait', 5.5],
    ]);
  });

  test('are not reserved beyond an hour', async () => {
    for (let n = 0; n < 3; n++) await turnOf(1);
    const items = tables.items('PACE_TABLE').find(({ line }) => line === 'google-ads#1');
    Object.assign(items ?? {}, { line_end: start + 3599 });

    expect(await turnOf(1)).toEqual(['wait', 3599]);
    expect(await turnOf(1)).toEqual(['wait', 3600]);
    expect(await turnOf(1)).toEqual(['wait', 3600]);
  });

  test('come at once without a rate, unless the line is held', async () => {
    process.env.ADS_RATE = '0';

    expect(await inSequence([1, 1, 1])).toEqual(Array(3).fill(['go', 0]));
    expect(tables.items('PACE_TABLE')).toEqual([]);
    await holdCalls(30, start);
    expect(await turnOf(1, 29)).toEqual(['wait', 30]);
    expect(await turnOf(1, 30)).toEqual(['go', 30]);
  });

  test('of another source are in a line of their own', async () => {
    await turnOf(1);
    process.env.VOLUMES_SOURCE = 'other';
    await turnOf(1);

    expect(tables.items('PACE_TABLE').map(({ line }) => line)).toEqual(['google-ads', 'other']);
  });

  test('count from the present time', async () => {
    expect(await requestTurn(1)).toEqual({ outcome: 'go', at: start });
    await holdCalls(10);
    expect(await requestTurn(1)).toEqual({ outcome: 'wait', at: start + 10 });
  });
});

describe('a held line', () => {
  test('gives no turn before its end', async () => {
    await holdCalls(40, start);

    expect(await turnOf(1)).toEqual(['wait', 40]);
    expect(await turnOf(1, 41)).toEqual(['go', 41]);
  });

  test('is held for a quarter of an hour at most, and never shorter than before', async () => {
    await holdCalls(40_591, start);
    await holdCalls(5, start);

    expect(await turnOf(1, 890)).toEqual(['wait', 900]);
    expect(await turnOf(2, 901)).toEqual(['go', 901]);
  });
});

describe('waiting', () => {
  test('ends at the turn', async () => {
    await requestTurn(1);
    const turn = await settled(waitForTurn(2, start + 5));

    expect(turn.outcome).toBe('go');
    expect(elapsed()).toBe(1.1);
  });

  test('asks again at the time to come back, until it gets a turn', async () => {
    await holdCalls(3);
    const turn = await settled(waitForTurn(1, start + 5));

    expect(turn).toEqual({ outcome: 'go', at: start + 3 });
    expect(elapsed()).toBe(3);
  });

  test('does not begin if the turn comes too late', async () => {
    await holdCalls(6);

    expect(await settled(waitForTurn(1, start + 5))).toEqual({ outcome: 'wait', at: start + 6 });
    expect(elapsed()).toBe(0);
  });

  test('takes a turn at the last moment', async () => {
    await holdCalls(5);

    expect((await settled(waitForTurn(1, start + 5))).outcome).toBe('go');
  });
});

test('calls without a rate have no time between them', () => {
  expect(callSeconds(0)).toBe(0);
});

test('pauses double from 5 s to 900 s', () => {
  expect([1, 2, 3, 8, 9, 60].map(pauseSeconds)).toEqual([5, 10, 20, 640, 900, 900]);
});
