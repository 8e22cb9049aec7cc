/** Turns at an engine, on tables in memory. Numbers are written out. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countRequest } from '../../../lib/pace/count-request.ts';
import { requestTurn } from '../../../lib/pace/engine-turn.ts';
import { takeTurnBy } from '../../../lib/pace/line-turn.ts';
import { taskId } from '../../../lib/task/id.ts';
import {
  begin,
  costOf,
  find,
  inSequence,
  message,
  now,
  putLine,
  putUser,
  row,
  tables,
  turnOf,
  writesOf,
} from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

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
    expect(await turnOf({ not_before: now + 5 })).toEqual(['wait', 5]);
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
    expect(await turnOf({ user_id: 2, not_before: now + 26 }, 26)).toEqual(['wait', Infinity]);
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

describe('the first run of a user writes, and tries to write, what it needs only:', () => {
  const shared = ['google#1', 'google'];

  test.each<[string, Parameters<typeof putLine>[0], Parameters<typeof putUser>[1], unknown[]]>([
    ['its turn, at a line that is free from now on', {}, {}, ['go', 0, 'google']],
    ['its turn, if the last of those that wait comes now', { waiting_until: 0 }, {}, ['go', 0, 'google']],
    ['a share and its turn, at a busy line', { free_at: 1 }, {}, ['go', 1, ...shared]],
    [
      'the same, if all runs of its user have come back',
      { free_at: 1 },
      { line_end: 0 },
      ['go', 1, ...shared],
    ],
    ['the same, after those that wait', { free_at: 1, waiting_until: 0 }, {}, ['go', 1, ...shared]],
    ['its allowance and its turn, before those that wait', { waiting_until: 5 }, {}, ['go', 0, ...shared]],
    ['the same, at a busy line', { free_at: 1, waiting_until: 5 }, {}, ['go', 0, ...shared]],
    [
      'the same, if the last turn of its user ends now',
      { free_at: 1, waiting_until: 5 },
      { turn_end: 0 },
      ['go', 0, ...shared],
    ],
    [
      'a share and its turn, if its user has had a turn',
      { waiting_until: 5 },
      { turn_end: 1 },
      ['go', 0, ...shared],
    ],
  ])('%s', async (_, line, user, cost) => {
    putLine(line);
    putUser(1, user);

    expect(await costOf()).toEqual(cost);
  });

  test('its time to come back and the mark of the line, at a line that rests', async () => {
    putLine({ rested_until: 10 }, 20);

    expect(await costOf()).toEqual(['wait', 10, 'google#1', 'google']);
  });

  test('its time to come back only, if the line is marked until then', async () => {
    putLine({ rested_until: 10, waiting_until: 10 }, 20);

    expect(await costOf()).toEqual(['wait', 10, 'google#1']);
  });
});

describe('a share', () => {
  test('reaches to the end of the turn', async () => {
    putLine({ free_at: 1 });
    await turnOf();

    expect(row('google#1')).toMatchObject({ turn_end: now + 2 });
  });

  /** Others take the turn after a second when the line has been read. */
  const overtakenAfterRead = () => {
    putLine({ free_at: 1 });
    const line = { TableName: process.env.PACE_TABLE, Key: { line: 'google' } };
    tables.client.on(GetCommand, line).callsFakeOnce(() => {
      const Item = { ...row() };
      putLine({ free_at: 2 });
      return { Item };
    });
  };

  test('reaches to the end of the turn that was taken, although others took one after the line was read', async () => {
    overtakenAfterRead();

    expect(await costOf()).toEqual(['go', 2, 'google#1', 'google', 'google#1']);
    expect(row('google#1')).toMatchObject({ turn_end: now + 3 });
  });

  test('is needed by a run that has waited if others took the turn after the next', async () => {
    overtakenAfterRead();

    expect((await costOf({ not_before: now })).slice(0, 2)).toEqual(['go', 2]);
    expect(row('google#1')).toMatchObject({ turn_end: now + 3 });
  });

  test.each([
    ['the turn after the next', 1, 1, ['go', 1, 'google']],
    ['a later one: it has none left', 1, 1.5, ['wait', 1.5, 'google#1', 'google']],
    ['a turn within two seconds, of five pages', 5, 2, ['go', 2, 'google']],
    ['one after more than two seconds, of five pages', 5, 2.5, ['wait', 2.5, 'google#1', 'google']],
  ])('is not needed by a run that has waited for %s', async (_, pages, free_at, cost) => {
    putLine({ free_at });
    putUser(1, { turn_end: 9 });

    expect(await costOf({ not_before: now, pages })).toEqual(cost);
  });
});

describe('runs of a batch', () => {
  test('seek their turns one after the other: one of them finds the line free', async () => {
    tables.client.resetHistory();
    await Promise.all([1, 2, 3].map((user_id) => turnOf({ user_id })));

    expect(writesOf('google')).toBe(3);
  });

  test('are not waited for by one that comes back', async () => {
    const reads = Promise.withResolvers<object>();
    const user = { TableName: process.env.PACE_TABLE, Key: { line: 'google#1' } };
    putLine({ free_at: 1 });
    tables.client.on(GetCommand, user).callsFakeOnce(() => reads.promise);
    const soon = () => new Promise((resolve) => setImmediate(resolve));
    const ended: string[] = [];
    const first = turnOf().then(() => ended.push('first'));
    await soon();
    const back = turnOf({ user_id: 2, not_before: now }).then(() => ended.push('back'));
    for (let n = 0; n < 5; n++) await soon();
    reads.resolve({});
    await Promise.all([first, back]);

    expect(ended).toEqual(['back', 'first']);
  });
});
