/** The searches that a scheduled run handles, and what it leaves for the next one. The table is replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { allShards, type Run, workThrough } from '../../../../lib/reporting/run/waiting.ts';
import { log } from '../../../../lib/runtime/log.ts';
import { readWaiting } from '../../../../lib/store/searches.ts';

vi.mock(import('../../../../lib/store/searches.ts'), async (original) => ({
  ...(await original()),
  readWaiting: vi.fn(),
}));

type Waiting = { search_hash: string; at: number };

/** Each shard has these pages. */
const given = (shards: readonly (readonly (readonly Waiting[] | Error)[])[]): void => {
  vi.mocked(readWaiting).mockImplementation(async function* (_state, shard) {
    for (const page of shards[shard] ?? []) {
      if (page instanceof Error) throw page;
      yield page as never;
    }
  } as typeof readWaiting);
};

const refused = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
const waitingAt = (at: number, count = 1, name = 'h') =>
  Array.from({ length: count }, (_, n) => ({ search_hash: `${name}${n}`, at }));

const handled: string[][] = [];
const run = (more: Partial<Run> = {}) =>
  workThrough({
    state: 'due' as Run['state'],
    shards: [0],
    now: 1000,
    isOver: () => false,
    work: async (hashes) => {
      handled.push([...hashes]);
      return [];
    },
    ...more,
  });

beforeEach(() => {
  handled.length = 0;
});

test('all pages of all shards are handled, in batches of a hundred', async () => {
  given([[waitingAt(900, 250, 'a'), waitingAt(950, 30, 'b')], [waitingAt(800, 1, 'c')]]);

  expect(await run({ shards: [0, 1] })).toEqual({ overdueSeconds: 0 });
  expect(handled.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([30, 51, 100, 100]);
  expect(new Set(handled.flat()).size).toBe(281);
  expect(readWaiting).toHaveBeenCalledWith('due', 1, 1000, 250);
});

test('a search that waits twice is handled once', async () => {
  given([[[...waitingAt(900), ...waitingAt(700)]], [waitingAt(800)]]);

  await run({ shards: [0, 1] });
  expect(handled).toEqual([['h0']]);
});

describe('the oldest search that still waits', () => {
  test('is one that could not be handled, since it first waited', async () => {
    given([[[...waitingAt(900), ...waitingAt(700), ...waitingAt(800)]]]);

    expect(await run({ work: async (hashes) => hashes })).toEqual({ overdueSeconds: 300 });
  });

  test('is one of those that could not be handled only', async () => {
    given([[[...waitingAt(600, 1, 'a'), ...waitingAt(900, 1, 'b')]]]);

    expect(await run({ work: async () => ['b0'] })).toEqual({ overdueSeconds: 100 });
  });

  test('is one of a batch that failed', async () => {
    given([[waitingAt(600)]]);
    const work = async () => {
      throw refused;
    };

    expect(await run({ work })).toEqual({ overdueSeconds: 400 });
  });

  test('is one that the run had no time for, or the next of its shard', async () => {
    given([[waitingAt(600), waitingAt(650)]]);

    expect(await run({ isOver: () => true })).toEqual({ overdueSeconds: 400 });
    expect(handled).toEqual([]);
  });

  test('may be on a page that was not read: the time of the page before counts', async () => {
    given([[waitingAt(600), refused]]);
    expect(await run()).toEqual({ overdueSeconds: 400 });

    given([[refused], [waitingAt(500)]]);
    expect(await run({ shards: [0, 1] })).toEqual({ overdueSeconds: 0 });
    expect(handled).toHaveLength(2);
  });
});

test('no further page is read once the time is over', async () => {
  given([[waitingAt(600, 1, 'a'), waitingAt(650, 1, 'b')]]);
  let isOver = false;
  const work = async (hashes: readonly string[]) => {
    handled.push([...hashes]);
    isOver = true;
    return [];
  };

  expect(await run({ work, isOver: () => isOver })).toEqual({ overdueSeconds: 400 });
  expect(handled).toEqual([['a0']]);
});

test('the first error is thrown after all searches were handled', async () => {
  given([[waitingAt(600, 1, 'a'), waitingAt(650, 1, 'b')]]);
  const errors = [new Error('first'), new Error('second')];
  const work = vi.fn<Run['work']>(async (_, failures) => {
    failures.add(refused);
    failures.add(errors.shift());
    return [];
  });

  await expect(run({ work })).rejects.toThrow('first');
  expect(work).toHaveBeenCalledTimes(2);
});

test.each<[string, () => Promise<unknown>]>([
  [
    'of the index',
    () => {
      given([[waitingAt(600), new Error('broken')]]);
      return run();
    },
  ],
  [
    'of a batch',
    () => {
      given([[waitingAt(600)]]);
      return run({ work: () => Promise.reject(new Error('broken')) });
    },
  ],
])('an error %s is thrown, and a refusal is counted', async (_, fail) => {
  await expect(fail()).rejects.toThrow('broken');

  const warn = vi.spyOn(log, 'warn').mockReturnValue();
  given([[waitingAt(600), refused]]);
  await run({ work: () => Promise.reject(refused) });
  expect(warn.mock.calls.map(([message]) => message)).toEqual(['AWS refused', 'AWS refused']);
  warn.mockRestore();
});

test('a run that works alone has all sixteen shards', () => {
  expect(allShards).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
});
