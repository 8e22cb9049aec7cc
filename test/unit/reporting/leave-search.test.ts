/** A user who leaves a tracked search, which others may share. The table is in memory. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { leaveSearch, namesUser } from '../../../lib/reporting/leave-search.ts';
import { LaterReleaseError } from '../../../lib/runtime/later-release.ts';
import { forgetPayer, readSearchNames, type SearchNames } from '../../../lib/store/search-names.ts';
import {
  dropSearch,
  newSearchRow,
  readSearch,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  unsubscribe,
  writeSearch,
} from '../../../lib/store/searches.ts';

vi.mock(import('../../../lib/store/searches.ts'), async (original) => ({
  ...(await original()),
  dropSearch: vi.fn(),
  readSearch: vi.fn(),
  unsubscribe: vi.fn(),
  writeSearch: vi.fn(),
}));

vi.mock(import('../../../lib/store/search-names.ts'), () => ({
  forgetPayer: vi.fn(),
  readSearchNames: vi.fn(),
}));

const subscriberOf = (user_id: number, keyword_id: number) =>
  ({ user_id, keyword_id, search_hash: 'hash' }) as Subscriber;
const rowOf = (more: Partial<SearchRow> = {}): SearchRow => ({
  ...newSearchRow({ search_hash: 'hash', search: {} as SearchRow['search'] }),
  at: 5000,
  revision: 4,
  ...more,
});
const crawlOf = (task_user: number, state: SearchRow['state']) => rowOf({ task_user, task_id: 99, state });
const [ours, oursToo, theirs] = [subscriberOf(1, 11), subscriberOf(1, 12), subscriberOf(2, 21)];

let stored: Subscribed;
const give = (row: SearchRow | undefined, ...subscribers: Subscriber[]) => {
  stored = { ...(row && { row }), subscribers };
};
const leave = () => leaveSearch('hash', 1, 700);
const orderOf = (mock: unknown) => vi.mocked(mock as typeof dropSearch).mock.invocationCallOrder[0] ?? 0;

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readSearch).mockImplementation(async () => stored);
  vi.mocked(unsubscribe).mockImplementation(async (gone) => {
    const ids = new Set(gone.map(({ keyword_id }) => keyword_id));
    stored = { ...stored, subscribers: stored.subscribers.filter(({ keyword_id }) => !ids.has(keyword_id)) };
  });
  vi.mocked(dropSearch).mockImplementation(async () => {
    stored = { subscribers: stored.subscribers };
  });
  vi.mocked(writeSearch).mockImplementation(async (row) => {
    stored = { ...stored, row };
    return true;
  });
});

test.each<[string, SearchRow | undefined, Subscriber[], boolean]>([
  ['by a subscriber', rowOf(), [theirs, ours], true],
  ['by a subscriber of a search that is not stored', undefined, [ours], true],
  ['by its last crawl', crawlOf(1, 'due'), [theirs], true],
  ['by its next crawl', rowOf({ asked_by: 1 }), [theirs], true],
  ['no more', crawlOf(2, 'running'), [theirs], false],
  ['no more in nothing', undefined, [], false],
])('a search names the user %s', async (_, row, subscribers, expected) => {
  give(row, ...subscribers);

  expect(await namesUser('hash', 1)).toBe(expected);
  expect(readSearch).toHaveBeenCalledExactlyOnceWith('hash');
});

describe('a user leaves a search', () => {
  test('that others share, and nothing else of it changes', async () => {
    give(crawlOf(2, 'running'), ours, theirs, oursToo);
    await leave();

    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([ours, oursToo]);
    expect(stored).toEqual({ row: crawlOf(2, 'running'), subscribers: [theirs] });
    expect(dropSearch).not.toHaveBeenCalled();
    expect(writeSearch).not.toHaveBeenCalled();
  });

  test('of nobody else, which goes after its subscribers', async () => {
    give(crawlOf(1, 'running'), ours, oursToo);
    await leave();

    expect(stored).toEqual({ subscribers: [] });
    expect(dropSearch).toHaveBeenCalledExactlyOnceWith(crawlOf(1, 'running'));
    expect(writeSearch).not.toHaveBeenCalled();
    expect(orderOf(unsubscribe)).toBeLessThan(orderOf(dropSearch));
  });

  test('that is not stored yet', async () => {
    give(undefined, ours);
    await leave();

    expect(stored).toEqual({ subscribers: [] });
    expect(dropSearch).not.toHaveBeenCalled();
  });

  test.each<[SearchRow['state'], Partial<SearchRow>]>([
    ['running', { state: 'due', at: 700 }],
    ['due', { state: 'due', at: 5000 }],
  ])('whose crawl is the own one: %s', async (state, after) => {
    give(crawlOf(1, state), ours, theirs);
    await leave();

    expect(stored).toEqual({
      row: { ...rowOf(), task_user: 0, task_id: 0, ...after },
      subscribers: [theirs],
    });
    expect(writeSearch).toHaveBeenCalledTimes(1);
    // If the process ended between the two writes, the search would wait for a task that it does not know.
    expect(forgetPayer).not.toHaveBeenCalled();
  });

  test('without a subscriber of it, but with its crawl', async () => {
    give(crawlOf(1, 'due'), theirs);
    await leave();

    expect(stored).toEqual({ row: rowOf(), subscribers: [theirs] });
  });

  test.each([
    ['another one pays for', { task_user: 2, task_id: 99, state: 'running' as const }],
    ['is due', {}],
  ])('whose next crawl it has asked for, and whose present one %s stays as it is', async (_, crawl) => {
    give(rowOf({ ...crawl, asked_by: 1 }), ours, theirs);
    await leave();

    expect(stored).toEqual({ row: rowOf({ ...crawl, asked_by: 0 }), subscribers: [theirs] });
  });

  test('whose next crawl another one has asked for', async () => {
    give(rowOf({ task_user: 1, task_id: 99, asked_by: 2 }), ours, theirs);
    await leave();

    expect(stored).toEqual({ row: rowOf({ asked_by: 2 }), subscribers: [theirs] });
  });

  test('that does not name it, without a write', async () => {
    give(crawlOf(2, 'due'), theirs);
    await leave();

    for (const mock of [unsubscribe, dropSearch, writeSearch]) expect(mock).not.toHaveBeenCalled();
  });

  test('that others write meanwhile, when it is read again', async () => {
    give(crawlOf(1, 'running'), ours, theirs);
    vi.mocked(writeSearch).mockResolvedValueOnce(false);
    await leave();

    expect(writeSearch).toHaveBeenCalledTimes(2);
    expect(stored).toMatchObject({ row: { task_user: 0 } });
  });

  test('that others keep writing, but not more than twenty times', async () => {
    give(crawlOf(1, 'running'), ours, theirs);
    vi.mocked(writeSearch).mockResolvedValue(false);

    await expect(leave()).rejects.toThrow('Other processes keep writing the search');
    expect(readSearch).toHaveBeenCalledTimes(20);
  });
});

describe('a search that only a later release can read', () => {
  let names: SearchNames;
  beforeEach(() => {
    names = { task_user: 1, asked_by: 0, subscribers: [ours, theirs] };
    vi.mocked(readSearch).mockRejectedValue(new LaterReleaseError('search', 'version 2', 'version 1'));
    vi.mocked(readSearchNames).mockImplementation(async () => names);
    vi.mocked(unsubscribe).mockImplementation(async (gone) => {
      const ids = new Set(gone.map(({ keyword_id }) => keyword_id));
      names = { ...names, subscribers: names.subscribers.filter(({ keyword_id }) => !ids.has(keyword_id)) };
    });
    vi.mocked(forgetPayer).mockImplementation(async (_, user) => {
      if (names.task_user === user) names = { ...names, task_user: 0 };
    });
  });

  test('loses the user, and nothing else of it changes', async () => {
    expect(await namesUser('hash', 1)).toBe(true);

    await leave();

    expect(names).toEqual({ task_user: 0, asked_by: 0, subscribers: [theirs] });
    expect(await namesUser('hash', 1)).toBe(false);
    expect(writeSearch).not.toHaveBeenCalled();
    expect(dropSearch).not.toHaveBeenCalled();
  });

  test('is left alone if it does not name the user', async () => {
    names = { task_user: 2, asked_by: 0, subscribers: [theirs] };

    await leave();

    expect(unsubscribe).not.toHaveBeenCalled();
    expect(forgetPayer).not.toHaveBeenCalled();
  });

  test('is not taken for one that cannot be read for another reason', async () => {
    vi.mocked(readSearch).mockRejectedValue(new Error('Timeout'));

    await expect(leave()).rejects.toThrow('Timeout');
  });
});
