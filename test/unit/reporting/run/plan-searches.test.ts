/**
 * What to do with a search whose time has come, and in which order. The tables and the queue are replaced.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { trackedRows } from '../../../../lib/crawl/create.ts';
import { nextDueTime } from '../../../../lib/reporting/due-time.ts';
import { planOf, planSearches } from '../../../../lib/reporting/run/plan-searches.ts';
import { log } from '../../../../lib/runtime/log.ts';
import { reserveNumbers } from '../../../../lib/store/new-tasks.ts';
import { readProject } from '../../../../lib/store/projects.ts';
import {
  dropSearch,
  dropSubscriber,
  readSearch,
  readWaiting,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  settleSubscriber,
  writeSearch,
} from '../../../../lib/store/searches.ts';
import { readAccount } from '../../../../lib/store/users.ts';
import { acceptReserved } from '../../../../lib/task/accept.ts';
import { createdAt } from '../../../../lib/task/id.ts';
import { day } from '../keywords.ts';

vi.mock(import('../../../../lib/crawl/create.ts'), () => ({ trackedRows: vi.fn() }));
vi.mock(import('../../../../lib/task/accept.ts'), () => ({ acceptReserved: vi.fn() }));
vi.mock(import('../../../../lib/store/new-tasks.ts'), () => ({
  reserveNumbers: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({
  readProject: vi.fn(),
}));
vi.mock(import('../../../../lib/store/users.ts'), () => ({
  readAccount: vi.fn(),
}));
vi.mock(import('../../../../lib/store/searches.ts'), async (original) => ({
  ...(await original()),
  dropSearch: vi.fn(),
  dropSubscriber: vi.fn(),
  readSearch: vi.fn(),
  readWaiting: vi.fn(),
  settleSubscriber: vi.fn(),
  writeSearch: vi.fn(),
}));

const now = 20_000 * day;
const hash = 'ab12cd34';
const search = { engine: 'google', keyword: 'coffee' } as SearchRow['search'];

const rowOf = (more: Partial<SearchRow> = {}): SearchRow => ({
  search_hash: hash,
  search,
  state: 'due',
  at: now,
  next_at: 5,
  crawl_at: now - day,
  task_user: 9,
  task_id: 9,
  checks: 3,
  turns: 0,
  revision: 4,
  ...more,
});

const subscriberOf = (keyword_id: number, more: Partial<Subscriber> = {}): Subscriber =>
  ({
    user_id: 1,
    project_id: 2,
    chunk: 0,
    search,
    search_hash: hash,
    keyword_id,
    update_frequency: 24,
    subscribed_at: now - 100,
    ...more,
  }) as Subscriber;

describe('the plan of a search', () => {
  const one = subscriberOf(1);
  const fresh = subscriberOf(2, { first_at: now });

  test.each<[string, SearchRow | undefined, Subscriber[], string]>([
    ['that is due', rowOf(), [one], 'crawl'],
    ['that is not due', rowOf({ at: now + 1 }), [one], 'leave'],
    ['whose crawl runs', rowOf({ state: 'running' }), [one, fresh], 'leave'],
    ['whose crawl runs without subscribers', rowOf({ state: 'running' }), [], 'leave'],
    ['without subscribers', rowOf({ at: now + 1 }), [], 'drop'],
    ['that is not stored and has no subscribers', undefined, [], 'leave'],
    ['with a new subscriber whose time has come', rowOf({ at: now + 1 }), [one, fresh], 'crawl'],
    [
      'with a new subscriber whose time has not come',
      rowOf({ at: now + 1 }),
      [subscriberOf(2, { first_at: now + 1 })],
      'leave',
    ],
    [
      'that began to be crawled after it was subscribed to',
      rowOf({ at: now + 1, crawl_at: now - 100 }),
      [fresh],
      'leave',
    ],
    ['that is new', undefined, [fresh], 'crawl'],
    ['that is not stored and has no new subscriber', undefined, [one], 'leave'],
  ])('%s', (_, row, subscribers, kind) => {
    expect(planOf({ ...(row && { row }), subscribers }, subscribers, now).kind).toBe(kind);
  });

  test('is postponed by the shortest time of all subscribers if none of them is active', () => {
    const subscribers = [one, subscriberOf(2, { update_frequency: 6 })];

    expect(planOf({ row: rowOf(), subscribers }, [], now)).toEqual({ kind: 'postpone', hours: 6 });
  });

  test('has the shortest time of the active subscribers, who pay by turns', () => {
    const often = [7, 3, 5].map((id) => subscriberOf(id, { update_frequency: 6 }));
    const active = [one, ...often];
    const subscribers = [...active, subscriberOf(8, { update_frequency: 1 })];
    const payers = [0, 1, 2, 3].map((turns) => planOf({ row: rowOf({ turns }), subscribers }, active, now));

    expect(payers).toMatchObject(
      [3, 5, 7, 3].map((keyword_id) => ({ kind: 'crawl', hours: 6, payer: { keyword_id } })),
    );
  });
});

describe('a crawl that a user has asked for', () => {
  const often = subscriberOf(1, { update_frequency: 6 });
  const asking = [9, 4].map((keyword_id) => subscriberOf(keyword_id, { user_id: 5 }));
  const row = rowOf({ asked_by: 5 });

  test('is paid for by that user, and the next one is as soon as ever', () => {
    const subscribers = [often, ...asking];

    expect(planOf({ row, subscribers }, subscribers, now)).toEqual({
      kind: 'crawl',
      hours: 6,
      payer: asking[1],
    });
  });

  test('is paid for by another one if that user may not pay any more', () => {
    expect(planOf({ row, subscribers: [often, ...asking] }, [often], now)).toMatchObject({ payer: often });
  });
});

describe('a run', () => {
  let searches: Map<string, Subscribed>;
  const given = (...all: [string, Subscribed][]) => {
    searches = new Map(all);
    vi.mocked(readWaiting).mockImplementation(async function* () {
      yield [...searches.keys()].map((search_hash) => ({ search_hash, at: now - 5 })) as never;
    } as typeof readWaiting);
  };
  const run = () => planSearches([0], now, () => false);

  beforeEach(() => {
    vi.resetAllMocks();
    vi.mocked(readSearch).mockImplementation(async (of) => searches.get(of) ?? { subscribers: [] });
    vi.mocked(writeSearch).mockResolvedValue(true);
    vi.mocked(readAccount).mockResolvedValue({ id: 1, enabled: true, ttl: 0 } as never);
    vi.mocked(readProject).mockResolvedValue({ paused: false } as never);
    vi.mocked(reserveNumbers).mockImplementation(async (_, count) =>
      Array.from({ length: count }, (_, n) => n + 1),
    );
    vi.mocked(trackedRows).mockResolvedValue(['row'] as never);
  });

  test('reserves a search, takes its new subscribers out of the index, and creates its task', async () => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    const [old, fresh] = [subscriberOf(1), subscriberOf(2, { first_at: now })];
    given([hash, { row: rowOf({ turns: 2 }), subscribers: [old, fresh] }]);

    expect(await run()).toBe(1);

    const [[written] = []] = vi.mocked(writeSearch).mock.calls;
    expect(written).toEqual({
      ...rowOf(),
      state: 'running',
      at: now + 90,
      next_at: nextDueTime(hash, 24, now),
      crawl_at: now,
      task_user: 1,
      task_id: expect.any(Number),
      checks: 0,
      turns: 3,
    });
    expect(createdAt(written?.task_id ?? 0)).toBe(now);
    expect(settleSubscriber).toHaveBeenCalledExactlyOnceWith(fresh);
    expect(trackedRows).toHaveBeenCalledExactlyOnceWith([{ user_id: 1, id: written?.task_id, search }]);
    expect(acceptReserved).toHaveBeenCalledExactlyOnceWith(['row']);
    expect(info).toHaveBeenCalledExactlyOnceWith('searches planned', { searches: 1 }, { SearchesPlanned: 1 });
  });

  // Seed 513 of the simulation: the user who had asked paid for the next crawl as well.
  test.each([
    ['takes no turn if a subscriber has asked for it', 1, 2],
    ['takes a turn if the user who asked subscribes no more', 8, 3],
  ])('%s', async (_, asked_by, turns) => {
    given([hash, { row: rowOf({ turns: 2, asked_by }), subscribers: [subscriberOf(1)] }]);

    expect(await run()).toBe(1);
    expect(writeSearch).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ turns, asked_by: 0 }));
  });

  test('stores the search as its payer spells it, because a lost task is made of the stored one', async () => {
    const spelled = { ...search, location_name: 'Berlin, Germany' };
    given([hash, { row: rowOf(), subscribers: [subscriberOf(1, { search: spelled })] }]);

    expect(await run()).toBe(1);
    expect(writeSearch).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ search: spelled }));
    expect(trackedRows).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ search: spelled })]);
  });

  test('creates a search that is not stored', async () => {
    given([hash, { subscribers: [subscriberOf(2, { first_at: now })] }]);

    expect(await run()).toBe(1);
    expect(writeSearch).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ search_hash: hash, search, state: 'running', turns: 1, revision: 0 }),
    );
  });

  test('creates no task for a search that another run has reserved', async () => {
    vi.mocked(writeSearch).mockResolvedValue(false);
    given([hash, { row: rowOf(), subscribers: [subscriberOf(2, { first_at: now })] }]);

    expect(await run()).toBe(0);
    expect(settleSubscriber).not.toHaveBeenCalled();
    expect(acceptReserved).not.toHaveBeenCalled();
  });

  test('gives the tasks of each payer numbers of its own', async () => {
    given(
      ['a1', { row: rowOf({ search_hash: 'a1' }), subscribers: [subscriberOf(1)] }],
      ['b2', { row: rowOf({ search_hash: 'b2' }), subscribers: [subscriberOf(2, { user_id: 5 })] }],
      ['c3', { row: rowOf({ search_hash: 'c3' }), subscribers: [subscriberOf(3)] }],
    );

    expect(await run()).toBe(3);
    expect(vi.mocked(reserveNumbers).mock.calls).toEqual([
      [1, 2],
      [5, 1],
    ]);
    const [[crawls] = []] = vi.mocked(trackedRows).mock.calls;
    expect(new Set(crawls?.map(({ user_id, id }) => `${user_id}/${id}`)).size).toBe(3);
  });

  test('forgets who has asked for the crawl, once it is reserved', async () => {
    given([hash, { row: rowOf({ asked_by: 1 }), subscribers: [subscriberOf(1)] }]);

    expect(await run()).toBe(1);
    expect(writeSearch).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ asked_by: 0 }));
  });

  test('removes subscribers of deleted projects, and crawls for the others', async () => {
    vi.mocked(readProject).mockImplementation(async (_, id) =>
      id === 4 ? undefined : ({ paused: false } as never),
    );
    const gone = subscriberOf(1, { project_id: 4, update_frequency: 1, first_at: now });
    given([hash, { row: rowOf(), subscribers: [gone, subscriberOf(2)] }]);

    expect(await run()).toBe(1);
    expect(dropSubscriber).toHaveBeenCalledExactlyOnceWith(gone);
    expect(settleSubscriber).not.toHaveBeenCalled();
    expect(writeSearch).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ state: 'running', next_at: nextDueTime(hash, 24, now) }),
    );
  });

  test('drops a search without subscribers', async () => {
    const row = rowOf();
    given([hash, { row, subscribers: [] }]);

    expect(await run()).toBe(0);
    expect(dropSearch).toHaveBeenCalledExactlyOnceWith(row);
    expect(writeSearch).not.toHaveBeenCalled();
  });

  describe('without an active subscriber', () => {
    test.each<[string, () => void]>([
      ['account', () => vi.mocked(readAccount).mockResolvedValue(undefined)],
      [
        'account that is enabled',
        () => vi.mocked(readAccount).mockResolvedValue({ id: 1, enabled: false, ttl: 0 } as never),
      ],
      [
        'project that is not paused',
        () => vi.mocked(readProject).mockResolvedValue({ paused: true } as never),
      ],
    ])('because there is no %s, postpones the search', async (_, lack) => {
      lack();
      const fresh = subscriberOf(2, { first_at: now });
      given([hash, { row: rowOf(), subscribers: [subscriberOf(1), fresh] }]);

      expect(await run()).toBe(0);
      expect(writeSearch).toHaveBeenCalledExactlyOnceWith({ ...rowOf(), at: nextDueTime(hash, 24, now) });
      expect(settleSubscriber).toHaveBeenCalledExactlyOnceWith(fresh);
      expect(acceptReserved).not.toHaveBeenCalled();
    });

    test('because their projects were deleted, removes them', async () => {
      vi.mocked(readProject).mockResolvedValue(undefined);
      const [first, second] = [subscriberOf(1), subscriberOf(2, { first_at: now })];
      given([hash, { row: rowOf(), subscribers: [first, second] }]);

      expect(await run()).toBe(0);
      expect(vi.mocked(dropSubscriber).mock.calls).toEqual([[first], [second]]);
      expect(dropSearch).toHaveBeenCalledExactlyOnceWith(rowOf());
      expect(writeSearch).not.toHaveBeenCalled();
    });

    test('stores a search that is not stored', async () => {
      vi.mocked(readProject).mockResolvedValue({ paused: true } as never);
      given([hash, { subscribers: [subscriberOf(2, { first_at: now })] }]);

      await run();
      expect(writeSearch).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ state: 'due', at: nextDueTime(hash, 24, now), revision: 0, turns: 0 }),
      );
    });

    test('keeps its subscribers in the index if the search was written meanwhile', async () => {
      vi.mocked(readProject).mockResolvedValue({ paused: true } as never);
      vi.mocked(writeSearch).mockResolvedValue(false);
      given([hash, { row: rowOf(), subscribers: [subscriberOf(2, { first_at: now })] }]);

      await run();
      expect(settleSubscriber).not.toHaveBeenCalled();
    });
  });

  test('takes subscribers out of the index that a crawl has served already', async () => {
    const [served, later] = [subscriberOf(2, { first_at: now }), subscriberOf(3, { first_at: now + 1 })];
    given([
      hash,
      { row: rowOf({ at: now + 1, crawl_at: now - 100 }), subscribers: [subscriberOf(1), served, later] },
    ]);

    await run();
    expect(vi.mocked(settleSubscriber).mock.calls).toEqual([[served]]);
    given([hash, { row: rowOf({ state: 'running' }), subscribers: [served] }]);
    await run();
    expect(settleSubscriber).toHaveBeenCalledTimes(1);
  });

  test('reads each account and project once', async () => {
    given([
      hash,
      {
        row: rowOf(),
        subscribers: [
          subscriberOf(1),
          subscriberOf(2),
          subscriberOf(3, { project_id: 4 }),
          subscriberOf(4, { user_id: 5 }),
        ],
      },
    ]);

    await run();
    expect(vi.mocked(readAccount).mock.calls).toEqual([[1], [5]]);
    expect(vi.mocked(readProject).mock.calls).toEqual([
      [1, 2],
      [1, 4],
      [5, 2],
    ]);
  });

  test('leaves what it could not read or reserve, and handles the others', async () => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    const refused = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    given(
      ['a1', { row: rowOf({ search_hash: 'a1' }), subscribers: [subscriberOf(1)] }],
      ['b2', { row: rowOf({ search_hash: 'b2' }), subscribers: [subscriberOf(2)] }],
      ['c3', { row: rowOf({ search_hash: 'c3' }), subscribers: [subscriberOf(3)] }],
    );
    vi.mocked(readSearch).mockRejectedValueOnce(refused);
    vi.mocked(writeSearch).mockRejectedValueOnce(refused);

    expect(await run()).toBe(1);
    expect(info).toHaveBeenCalledWith(expect.anything(), expect.anything(), {
      SearchesPlanned: 1,
      OverdueSearchSeconds: 5,
    });
  });

  test('fails if a search cannot be planned, and leaves one that it could not reserve', async () => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    given([hash, { row: rowOf(), subscribers: [subscriberOf(1)] }]);
    vi.mocked(readSearch).mockRejectedValueOnce(new Error('broken'));
    await expect(run()).rejects.toThrow('broken');

    vi.mocked(writeSearch).mockRejectedValueOnce(
      Object.assign(new Error('slow down'), { name: 'ThrottlingException' }),
    );
    expect(await run()).toBe(0);
    expect(info).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.anything(),
      expect.objectContaining({ OverdueSearchSeconds: 5 }),
    );
    expect(readWaiting).toHaveBeenLastCalledWith('due', 0, now, 250);
  });

  test('drops nothing if there is no search, and leaves one that is due later', async () => {
    given(
      ['a1', { subscribers: [] }],
      ['b2', { row: rowOf({ at: now + 1 }), subscribers: [subscriberOf(1)] }],
    );

    expect(await run()).toBe(0);
    expect(dropSearch).not.toHaveBeenCalled();
    expect(writeSearch).not.toHaveBeenCalled();
  });
});
