/** Keywords that a user crawls now: which searches become due, and for whom. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countPages } from '../../../../lib/access/rate.ts';
import { presentOrder } from '../../../../lib/fetcher/present-order.ts';
import { HttpError } from '../../../../lib/model/http-error.ts';
import { searchCost } from '../../../../lib/model/search-cost.ts';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { crawlNow, idsToCrawl } from '../../../../lib/reporting/manage/crawl-now.ts';
import { schedule, searchOf } from '../../../../lib/reporting/schedule.ts';
import { timeLimit } from '../../../../lib/runtime/time-limit.ts';
import { changeChunk, readPresentChunks } from '../../../../lib/store/chunks.ts';
import {
  newSearchRow,
  readSearch,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  writeSearch,
} from '../../../../lib/store/searches.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/access/rate.ts'), () => ({ countPages: vi.fn() }));
vi.mock(import('../../../../lib/fetcher/present-order.ts'), () => ({ presentOrder: vi.fn() }));
vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/reporting/schedule.ts'), async (original) => ({
  ...(await original()),
  schedule: vi.fn(),
}));
vi.mock(import('../../../../lib/runtime/time-limit.ts'), () => ({ timeLimit: vi.fn() }));
vi.mock(import('../../../../lib/store/chunks.ts'), () => ({
  changeChunk: vi.fn(),
  readPresentChunks: vi.fn(),
}));
vi.mock(import('../../../../lib/store/searches.ts'), async (original) => ({
  ...(await original()),
  readSearch: vi.fn(),
  writeSearch: vi.fn(),
}));

const now = 200 * day;
const user = { id: 1 } as Account;

/** The chunks of the project, and the searches of its keywords. */
let chunks: { n: number; keywords: TrackedKeyword[] }[];
let searches: Map<string, Subscribed>;

const subscriberOf = (keyword: TrackedKeyword, more: Partial<Subscriber> = {}): Subscriber =>
  ({ keyword_id: keyword.keyword_id, search: searchOf(keyword), user_id: 1, ...more }) as Subscriber;
const rowOf = (search_hash: string, more: Partial<SearchRow> = {}): SearchRow => ({
  ...newSearchRow({ search_hash, search: searchOf(keywordOf()) }),
  at: now + 500,
  revision: 3,
  ...more,
});
/** Gives a chunk of keywords, each with the search that has its id, which is not due. */
const give = (n: number, ...keywords: Partial<TrackedKeyword>[]) => {
  const all = keywords.map((each) => keywordOf({ search_hash: `hash ${each.keyword_id}`, ...each }));
  chunks.push({ n, keywords: all });
  for (const keyword of all) {
    const { search_hash } = keyword;
    const { subscribers = [] } = searches.get(search_hash) ?? {};
    searches.set(search_hash, {
      row: rowOf(search_hash),
      subscribers: [...subscribers, subscriberOf(keyword)],
    });
  }
};
const crawl = (ids: number[] | null = null, isDryRun = false) => crawlNow(user, 2, ids, isDryRun, now);
const written = () => vi.mocked(writeSearch).mock.calls.map(([row]) => row);
const dollars = (count: number) =>
  Number((count * (searchCost.http.search + 10 * searchCost.http.page)).toFixed(4));
const orderOf = (mock: unknown, call = 0) =>
  vi.mocked(mock as typeof schedule).mock.invocationCallOrder[call] ?? 0;
const tooMany = new HttpError(429, 'Too many pages: wait for the next minute');

beforeEach(() => {
  vi.resetAllMocks();
  chunks = [];
  searches = new Map();
  vi.mocked(findProject).mockResolvedValue({ project_id: 2, paused: false } as never);
  vi.mocked(presentOrder).mockResolvedValue(['http']);
  vi.mocked(timeLimit).mockReturnValue(() => false);
  vi.mocked(readPresentChunks).mockImplementation(async () => chunks as never);
  vi.mocked(changeChunk).mockImplementation(async (_, n, make) => {
    chunks = chunks.map((chunk) => (chunk.n === n ? { n, keywords: [...make(chunk.keywords)] } : chunk));
    return {} as never;
  });
  vi.mocked(readSearch).mockImplementation(async (hash) => searches.get(hash) ?? { subscribers: [] });
  vi.mocked(writeSearch).mockResolvedValue(true);
});

test('a search of several keywords becomes due once, for the user, and its keywords show it', async () => {
  const shared = { search_hash: 'shared', next_at: now + 900 };
  give(0, { keyword_id: 1, ...shared }, { keyword_id: 2, next_at: now + 900 });
  give(3, { keyword_id: 3, ...shared });

  expect(await crawl([1, 3])).toEqual({
    searches: 1,
    keywords: 2,
    pages: 10,
    cost_usd: dollars(1),
    dry_run: false,
    left: [],
  });
  expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
  expect(timeLimit).toHaveBeenCalledExactlyOnceWith(15);
  expect(countPages).toHaveBeenCalledExactlyOnceWith(user, 10);
  expect(written()).toEqual([{ ...rowOf('shared'), at: now, asked_by: 1 }]);
  expect(schedule).not.toHaveBeenCalled();
  const due = chunks.map(({ n, keywords }) => [n, keywords.map(({ next_at }) => next_at - now)]);
  expect(due).toEqual([
    [0, [0, 900]],
    [3, [0]],
  ]);
  expect(vi.mocked(changeChunk).mock.calls.map(([project, n]) => [project, n])).toEqual([
    [2, 0],
    [2, 3],
  ]);
  expect(orderOf(countPages)).toBeLessThan(orderOf(writeSearch));
  expect(orderOf(writeSearch)).toBeLessThan(orderOf(changeChunk));
});

test('without ids, all keywords are crawled, each search for its own price', async () => {
  give(0, { keyword_id: 1 }, { keyword_id: 2, engine: 'bing' });
  vi.mocked(presentOrder).mockImplementation(async (engine) => (engine === 'bing' ? ['browser'] : ['http']));
  const { browser, http } = searchCost;
  const cost = browser.search + 10 * browser.page + http.search + 10 * http.page;

  expect(await crawl()).toMatchObject({ searches: 2, pages: 20, cost_usd: Number(cost.toFixed(4)) });
  expect(countPages).toHaveBeenCalledExactlyOnceWith(user, 20);
});

test('a dry run says what would be crawled, and writes and counts nothing', async () => {
  give(0, { keyword_id: 1 }, { keyword_id: 2, paused: true }, { keyword_id: 3 });
  searches.set('hash 3', { row: rowOf('hash 3', { state: 'running' }), subscribers: [] });

  expect(await crawl(null, true)).toEqual({
    searches: 1,
    keywords: 1,
    pages: 10,
    cost_usd: dollars(1),
    dry_run: true,
    left: [
      { keyword_id: 2, reason: 'paused' },
      { keyword_id: 3, reason: 'running' },
    ],
  });
  for (const mock of [countPages, writeSearch, changeChunk, schedule]) expect(mock).not.toHaveBeenCalled();
});

describe('a keyword is left', () => {
  test('that the project does not have, or that is paused', async () => {
    give(0, { keyword_id: 1, paused: true }, { keyword_id: 2 });

    expect(await crawl([1, 2, 9])).toMatchObject({
      searches: 1,
      left: [
        { keyword_id: 9, reason: 'unknown' },
        { keyword_id: 1, reason: 'paused' },
      ],
    });
    expect(written().map(({ search_hash }) => search_hash)).toEqual(['hash 2']);
  });

  test('of a project that is paused', async () => {
    give(0, { keyword_id: 1, paused: true }, { keyword_id: 2 });
    vi.mocked(findProject).mockResolvedValue({ project_id: 2, paused: true } as never);

    expect(await crawl()).toMatchObject({
      searches: 0,
      cost_usd: 0,
      left: [
        { keyword_id: 1, reason: 'paused' },
        { keyword_id: 2, reason: 'paused' },
      ],
    });
    for (const mock of [readSearch, countPages, changeChunk]) expect(mock).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<SearchRow> | undefined, Partial<Subscriber>, string | undefined]>([
    ['runs', { state: 'running' }, {}, 'running'],
    ['is due now', { at: now }, {}, 'due'],
    ['is due in a second', { at: now + 1 }, {}, undefined],
    ['has a subscriber who waits', {}, { first_at: now }, 'due'],
    ['has a subscriber who waits for later', {}, { first_at: now + 1 }, undefined],
    ['is not stored, but has a subscriber who waits', undefined, { first_at: now - 1 }, 'due'],
    ['is not stored', undefined, {}, undefined],
  ])('if its search %s', async (_, row, subscriber, reason) => {
    give(0, { keyword_id: 1 });
    searches.set('hash 1', {
      ...(row && { row: rowOf('hash 1', row) }),
      subscribers: [subscriberOf(keywordOf(), subscriber)],
    });

    expect((await crawl()).left).toEqual(reason ? [{ keyword_id: 1, reason }] : []);
    expect(writeSearch).toHaveBeenCalledTimes(reason ? 0 : 1);
    expect(countPages).toHaveBeenCalledTimes(reason ? 0 : 1);
  });

  test('if the time of the request is over', async () => {
    give(0, { keyword_id: 1 }, { keyword_id: 2 });
    vi.mocked(timeLimit).mockReturnValue(() => true);

    expect(await crawl()).toMatchObject({
      searches: 0,
      left: [
        { keyword_id: 1, reason: 'later' },
        { keyword_id: 2, reason: 'later' },
      ],
    });
    for (const mock of [readSearch, countPages, writeSearch]) expect(mock).not.toHaveBeenCalled();
  });
});

describe('a search', () => {
  test('that is not stored is made, with the search of its subscribers', async () => {
    give(0, { keyword_id: 1, keyword: 'Coffee' });
    const first = subscriberOf(keywordOf({ keyword_id: 1, keyword: 'coffee' }));
    searches.set('hash 1', { subscribers: [first] });
    await crawl();

    expect(written()).toEqual([
      { ...newSearchRow({ search_hash: 'hash 1', search: first.search }), at: now, asked_by: 1 },
    ]);
  });

  test('whose schedule was lost gets the subscribers that it lacks, first', async () => {
    give(0, { keyword_id: 1, search_hash: 'shared' });
    give(5, { keyword_id: 2, search_hash: 'shared' }, { keyword_id: 3, search_hash: 'alone' });
    const [[lost], [known, alone]] = chunks.map(({ keywords }) => keywords) as [
      [TrackedKeyword],
      [TrackedKeyword, TrackedKeyword],
    ];
    searches.set('shared', { row: rowOf('shared'), subscribers: [subscriberOf(known)] });
    searches.set('alone', { subscribers: [] });
    await crawl();

    expect(vi.mocked(schedule).mock.calls).toEqual([
      [{ user_id: 1, project_id: 2, chunk: 0 }, [lost]],
      [{ user_id: 1, project_id: 2, chunk: 5 }, [alone]],
    ]);
    expect(written()).toMatchObject([{ search_hash: 'shared' }, { search: searchOf(alone) }]);
    expect(orderOf(schedule)).toBeLessThan(orderOf(writeSearch));
  });

  test('that another process writes meanwhile is read and written again', async () => {
    give(0, { keyword_id: 1 });
    vi.mocked(writeSearch).mockImplementationOnce(async () => {
      searches.set('hash 1', { row: rowOf('hash 1', { revision: 4 }), subscribers: [] });
      return false;
    });

    expect(await crawl()).toMatchObject({ searches: 1, left: [] });
    expect(written().map(({ revision }) => revision)).toEqual([3, 4]);
  });

  test('that the planner begins meanwhile is left', async () => {
    give(0, { keyword_id: 1 });
    vi.mocked(writeSearch).mockImplementationOnce(async () => {
      searches.set('hash 1', { row: rowOf('hash 1', { state: 'running' }), subscribers: [] });
      return false;
    });

    expect(await crawl()).toMatchObject({
      searches: 0,
      keywords: 0,
      pages: 0,
      cost_usd: 0,
      left: [{ keyword_id: 1, reason: 'running' }],
    });
    expect(changeChunk).not.toHaveBeenCalled();
  });

  test('that others write five times is left', async () => {
    give(0, { keyword_id: 1 });
    vi.mocked(writeSearch).mockResolvedValue(false);

    expect((await crawl()).left).toEqual([{ keyword_id: 1, reason: 'later' }]);
    expect(writeSearch).toHaveBeenCalledTimes(5);
  });
});

describe('of more than a hundred searches', () => {
  const many = (count: number) => {
    give(0, ...Array.from({ length: count }, (_, n) => ({ keyword_id: n + 1 })));
  };
  const reasons = async () => {
    const { searches: crawled, left } = await crawl();
    return [crawled, left.length, ...new Set(left.map(({ reason }) => reason))];
  };

  test('the pages are counted hundred by hundred', async () => {
    many(230);

    expect(await reasons()).toEqual([230, 0]);
    expect(vi.mocked(countPages).mock.calls.map(([, pages]) => pages)).toEqual([1000, 1000, 300]);
    expect(orderOf(countPages, 1)).toBeGreaterThan(orderOf(writeSearch, 99));
  });

  test('those beyond the limit of pages are left, and not read', async () => {
    many(330);
    vi.mocked(countPages).mockResolvedValueOnce().mockRejectedValueOnce(tooMany);

    expect(await reasons()).toEqual([100, 230, 'limit']);
    expect(countPages).toHaveBeenCalledTimes(2);
    expect(readSearch).toHaveBeenCalledTimes(200);
    expect(writeSearch).toHaveBeenCalledTimes(100);
  });

  test('none is crawled if the limit is reached before the first one', async () => {
    many(230);
    vi.mocked(countPages).mockRejectedValue(tooMany);

    await expect(crawl()).rejects.toBe(tooMany);
    expect(writeSearch).not.toHaveBeenCalled();
  });

  test.each([new HttpError(503, 'Later'), new Error('broken')])(
    'another error is that of the request: %s',
    async (error) => {
      many(130);
      vi.mocked(countPages).mockResolvedValueOnce().mockRejectedValueOnce(error);

      await expect(crawl()).rejects.toBe(error);
    },
  );

  test('those after the time of the request are left', async () => {
    many(230);
    vi.mocked(timeLimit).mockReturnValue(() => vi.mocked(countPages).mock.calls.length > 0);

    expect(await reasons()).toEqual([100, 130, 'later']);
    expect(readSearch).toHaveBeenCalledTimes(100);
  });

  test('a hundred that need no crawl count no pages', async () => {
    many(101);
    for (let n = 1; n <= 100; n++)
      searches.set(`hash ${n}`, { row: rowOf('', { at: now }), subscribers: [] });

    expect(await reasons()).toEqual([1, 100, 'due']);
    expect(countPages).toHaveBeenCalledExactlyOnceWith(user, 10);
  });
});

describe('the ids of a request', () => {
  test.each<[string, Parameters<typeof idsToCrawl>[0], number[] | null]>([
    ['are those that it names', { keyword_ids: [1, 2] }, [1, 2]],
    ['are those that it names, beside another field', { keyword_ids: [1], unknown_fields: ['x'] }, [1]],
    ['are all, if it has no field', { keyword_ids: null }, null],
    ['are all, if it has no other field', { keyword_ids: null, unknown_fields: [] }, null],
  ])('%s', (_, request, expected) => {
    expect(idsToCrawl(request)).toEqual(expected);
  });

  test('are not all of them, if it has another field', () => {
    const msg = 'Value error, unknown field. Without keyword_ids, all keywords would be crawled';

    expect(() => idsToCrawl({ keyword_ids: null, unknown_fields: ['ids', 'all'] })).toThrow(
      expect.objectContaining({
        statusCode: 422,
        detail: ['ids', 'all'].map((name) => ({ loc: ['body', name], type: 'value_error', msg })),
      }),
    );
  });
});
