/** Times at which runs that wait come back, on tables in memory. Numbers are written out. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CrawlMessage } from '../../../lib/model/workflow.ts';
import { reserveTogether } from '../../../lib/pace/reservations.ts';
import { begin, now, row, tables, turnOf, writesOf } from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

describe('runs that arrive together', () => {
  /** The times of runs whose messages are received together. */
  const together = (users: readonly number[], more: Partial<CrawlMessage> = {}) =>
    Promise.all(users.map((user_id) => turnOf({ user_id, ...more })));

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
