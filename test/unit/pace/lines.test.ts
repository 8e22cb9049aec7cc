/** The lines of an engine, and the requests that only count in them, on tables in memory. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countRequest } from '../../../lib/pace/count-request.ts';
import { takeTurnBy } from '../../../lib/pace/line-turn.ts';
import { engineLines, linesOf } from '../../../lib/pace/lines.ts';
import { taskId } from '../../../lib/task/id.ts';
import { begin, now, row, tables, turnOf, writesOf } from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

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
  test('is counted without waiting, with one write at a free line', async () => {
    await countRequest({ engine: 'google', id: taskId(now, 0) }, now);
    expect(writesOf('google')).toBe(1);
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
