/**
 * What a run records of crawls that have ended, and what it does with those that have not. The tables are
 * replaced.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { trackedRows } from '../../../../lib/crawl/create.ts';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { nextAlertTime } from '../../../../lib/reporting/due-time.ts';
import { recordResults } from '../../../../lib/reporting/run/record-results.ts';
import { log } from '../../../../lib/runtime/log.ts';
import { changeChunk, readChunk } from '../../../../lib/store/chunks.ts';
import { putHistory } from '../../../../lib/store/observations.ts';
import { requestCheck } from '../../../../lib/store/project-checks.ts';
import { readProject } from '../../../../lib/store/projects.ts';
import { readResult } from '../../../../lib/store/results.ts';
import {
  dropSubscriber,
  noCrawl,
  readSearch,
  readWaiting,
  type SearchRow,
  type Subscribed,
  type Subscriber,
  settleSubscriber,
  writeSearch,
} from '../../../../lib/store/searches.ts';
import { readRows } from '../../../../lib/store/tasks.ts';
import { readAccount } from '../../../../lib/store/users.ts';
import { acceptMissing } from '../../../../lib/task/accept.ts';
import { taskId } from '../../../../lib/task/id.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/crawl/create.ts'), () => ({ trackedRows: vi.fn() }));
vi.mock(import('../../../../lib/task/accept.ts'), () => ({ acceptMissing: vi.fn() }));
vi.mock(import('../../../../lib/store/chunks.ts'), () => ({
  changeChunk: vi.fn(),
  readChunk: vi.fn(),
}));
vi.mock(import('../../../../lib/store/observations.ts'), async (original) => ({
  ...(await original()),
  putHistory: vi.fn(),
}));
vi.mock(import('../../../../lib/store/project-checks.ts'), () => ({ requestCheck: vi.fn() }));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({
  readProject: vi.fn(),
}));
vi.mock(import('../../../../lib/store/results.ts'), () => ({
  readResult: vi.fn(),
}));
vi.mock(import('../../../../lib/store/tasks.ts'), () => ({
  readRows: vi.fn(),
}));
vi.mock(import('../../../../lib/store/users.ts'), () => ({ readAccount: vi.fn() }));
vi.mock(import('../../../../lib/store/searches.ts'), async (original) => ({
  ...(await original()),
  dropSubscriber: vi.fn(),
  readSearch: vi.fn(),
  readWaiting: vi.fn(),
  settleSubscriber: vi.fn(),
  writeSearch: vi.fn(),
}));

const now = 20_000 * day;
const began = now - 200;
const search = { engine: 'google', keyword: 'coffee' } as SearchRow['search'];
const refused = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

const rowOf = (search_hash: string, more: Partial<SearchRow> = {}): SearchRow => ({
  search_hash,
  search,
  state: 'running',
  at: now,
  next_at: now + day,
  crawl_at: began,
  task_user: 1,
  task_id: taskId(began, 7),
  checks: 0,
  turns: 1,
  revision: 2,
  ...more,
});
const subscriberOf = (keyword_id: number, more: Partial<Subscriber> = {}): Subscriber =>
  ({ user_id: 1, project_id: 2, chunk: 0, keyword_id, search, search_hash: 'a', ...more }) as Subscriber;

const success = {
  kind: 'serp',
  status: 'success',
  complete: true,
  created_at: 1000,
  crawled_at: 1030,
  error_message: null,
};
const item = {
  type: 'organic',
  position: '4',
  title: 'T',
  url: 'https://example.com/',
  snippet: 'S',
  domain: 'example.com',
  url_resolution: 'direct',
};
const found = { left: [item], right: [] };

let searches: Map<string, Subscribed>;
let chunks: Map<string, TrackedKeyword[]>;
let tasks: Map<number, unknown>;
const written = () => vi.mocked(writeSearch).mock.calls.map(([row]) => row);
const histories = () => vi.mocked(putHistory).mock.calls.flatMap(([entries]) => entries);
const run = () => recordResults([0], now, () => false);

const given = (row: SearchRow, subscribers: Subscriber[], task: unknown) => {
  searches.set(row.search_hash, { row, subscribers });
  tasks.set(row.task_id, task);
};

beforeEach(() => {
  vi.resetAllMocks();
  searches = new Map();
  tasks = new Map();
  chunks = new Map([['2/0', [1, 2].map((keyword_id) => keywordOf({ keyword_id }))]]);
  vi.mocked(readWaiting).mockImplementation(async function* () {
    yield [...searches.keys()].map((search_hash) => ({ search_hash, at: now - 3 })) as never;
  } as typeof readWaiting);
  vi.mocked(readSearch).mockImplementation(async (hash) => searches.get(hash) ?? { subscribers: [] });
  vi.mocked(writeSearch).mockResolvedValue(true);
  vi.mocked(readRows).mockImplementation((async (keys: { id: number }[]) =>
    keys.map(({ id }) => {
      const task = tasks.get(id);
      return task instanceof Error
        ? { status: 'rejected', reason: task }
        : { status: 'fulfilled', value: task };
    })) as never);
  vi.mocked(readProject).mockResolvedValue({
    user_id: 1,
    project_id: 2,
    competitors: [],
    alerts: null,
  } as never);
  vi.mocked(readAccount).mockResolvedValue({ enabled: true, ttl: 0 } as never);
  vi.mocked(readResult).mockResolvedValue({ result: found, pages: {} } as never);
  vi.mocked(readChunk).mockImplementation(async (project, n) => ({
    n,
    revision: 1,
    keywords: chunks.get(`${project}/${n}`) ?? [],
  }));
  vi.mocked(changeChunk).mockImplementation(async (project, n, make) => {
    const keywords = [...make(chunks.get(`${project}/${n}`) ?? [])];
    chunks.set(`${project}/${n}`, keywords);
    return { n, revision: 2, keywords };
  });
});

test('a result is written into the history, then into the positions, and the search waits for its next crawl', async () => {
  const info = vi.spyOn(log, 'info').mockReturnValue();
  const fresh = subscriberOf(2, { first_at: now });
  given(rowOf('a', { failing_since: 5 }), [subscriberOf(1), fresh], success);

  expect(await run()).toBe(2);

  expect(histories().map(({ keyword_id }) => keyword_id)).toEqual([1, 2]);
  expect(histories()[0]?.entry).toMatchObject({
    at: began + 30,
    sightings: { 'example.com': { position: 4 } },
  });
  expect(chunks.get('2/0')).toMatchObject([
    { keyword_id: 1, next_at: now + day, ranks: [{ current: { position: 4 } }] },
    { keyword_id: 2, next_at: now + day, ranks: [{ current: { position: 4 } }] },
  ]);
  expect(vi.mocked(settleSubscriber).mock.calls).toEqual([[fresh]]);
  expect(written()).toEqual([rowOf('a', { state: 'due', at: now + day, failing_since: 0, ...noCrawl })]);
  const orderOf = (mock: unknown) => vi.mocked(mock as typeof putHistory).mock.invocationCallOrder[0] ?? 0;
  const order = [putHistory, changeChunk, settleSubscriber, writeSearch].map(orderOf);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(info).toHaveBeenCalledExactlyOnceWith(
    'results recorded',
    { results: 2, gaps: 0 },
    { ResultsRecorded: 2 },
  );
});

describe('a crawl that gives no positions is a gap', () => {
  test.each<[string, object, string]>([
    ['an error', { status: 'error', error_message: 'timeout: too late' }, 'timeout: too late'],
    ['an error without a message', { status: 'dead_letter' }, 'machinery: the task ended as dead_letter'],
    ['a failure of a page', { complete: false, failure: 'blocked: captcha' }, 'blocked: captcha'],
    ['missing pages', { complete: false }, 'incomplete: the engine answered other words than those asked'],
  ])('with %s', async (_, fields, reason) => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    given(rowOf('a'), [subscriberOf(1)], { ...success, ...fields });

    expect(await run()).toBe(1);
    expect(info).toHaveBeenCalledExactlyOnceWith(
      'results recorded',
      { results: 0, gaps: 1 },
      { ResultsRecorded: 0, GapsRecorded: 1 },
    );
    expect(histories()).toEqual([{ keyword_id: 1, entry: { at: began, reason } }]);
    expect(chunks.get('2/0')?.[0]).toMatchObject({ gap: { at: began, reason }, next_at: now + day });
    expect(written()).toMatchObject([{ state: 'due' }]);
  });

  test('without its result', async () => {
    vi.mocked(readResult).mockResolvedValue(null as never);
    given(rowOf('a'), [subscriberOf(1)], success);

    await run();
    expect(histories()).toEqual([
      { keyword_id: 1, entry: { at: began, reason: 'machinery: the result of the task is gone' } },
    ]);
  });
});

test('the features are those of the first page', async () => {
  const first = { left: [{ ...item, type: 'video' }], right: [] };
  vi.mocked(readResult).mockResolvedValue({ result: found, pages: { 1: first } } as never);
  given(rowOf('a'), [subscriberOf(1)], success);

  await run();
  expect(histories()[0]?.entry).toMatchObject({ features: ['video'] });
});

describe('a crawl that has not ended', () => {
  test.each([
    [0, 180],
    [1, 360],
    [9, 1800],
  ])('after %i looks is looked at again in %i s', async (checks, seconds) => {
    given(rowOf('a', { checks }), [subscriberOf(1)], { ...success, status: 'crawling' });

    expect(await run()).toBe(0);
    expect(written()).toEqual([rowOf('a', { checks: checks + 1, at: now + seconds })]);
    expect(acceptMissing).not.toHaveBeenCalled();
  });

  test('and whose search is gone is left', async () => {
    vi.mocked(readWaiting).mockImplementation(async function* () {
      yield [{ search_hash: 'gone', at: now - 3 }] as never;
    } as typeof readWaiting);

    expect(await run()).toBe(0);
    expect(writeSearch).not.toHaveBeenCalled();
  });

  test.each([
    ['is not running', { state: 'due' as const }],
    ['is to be looked at later', { at: now + 1 }],
  ])('or that %s is left', async (_, more) => {
    given(rowOf('a', more), [subscriberOf(1)], success);

    expect(await run()).toBe(0);
    expect(writeSearch).not.toHaveBeenCalled();
  });
});

describe('a task that does not exist', () => {
  test('is created again', async () => {
    vi.mocked(trackedRows).mockResolvedValue(['row'] as never);
    given(rowOf('a'), [subscriberOf(1)], undefined);

    expect(await run()).toBe(0);
    expect(trackedRows).toHaveBeenCalledExactlyOnceWith([{ user_id: 1, id: taskId(began, 7), search }]);
    expect(acceptMissing).toHaveBeenCalledExactlyOnceWith(['row']);
    expect(written()).toMatchObject([{ state: 'running', checks: 1 }]);
  });

  test.each([
    [89, 0],
    [90, 1],
  ])('is created again after %i s: %i times', async (seconds, times) => {
    given(rowOf('a', { task_id: taskId(now - seconds, 7) }), [subscriberOf(1)], undefined);

    await run();
    expect(acceptMissing).toHaveBeenCalledTimes(times);
  });

  test.each([
    [6 * 3600 - 1, 0],
    [6 * 3600, 1],
  ])('%i s after its creation makes %i gaps', async (seconds, gaps) => {
    given(rowOf('a', { task_id: taskId(now - seconds, 7) }), [subscriberOf(1)], undefined);

    expect(await run()).toBe(gaps);
    expect(histories().map(({ entry }) => entry)).toEqual(
      gaps ? [{ at: began, reason: 'machinery: the task of the crawl is gone' }] : [],
    );
  });
});

test.each([
  ['is erased', undefined],
  ['is disabled', { enabled: false }],
  ['is over', { enabled: true, ttl: now }],
])(
  'a task that does not exist and whose payer %s is not created again: the search is due for others',
  async (_, account) => {
    vi.mocked(readAccount).mockResolvedValue(account as never);
    given(rowOf('a', { task_user: 5 }), [subscriberOf(1)], undefined);

    expect(await run()).toBe(0);
    expect(readAccount).toHaveBeenCalledExactlyOnceWith(5);
    expect(acceptMissing).not.toHaveBeenCalled();
    expect(written()).toEqual([rowOf('a', { state: 'due', at: now, ...noCrawl })]);
  },
);

describe('a subscriber', () => {
  test('whose keyword is gone is dropped', async () => {
    const gone = subscriberOf(9);
    given(rowOf('a'), [gone, subscriberOf(1)], success);

    expect(await run()).toBe(1);
    expect(vi.mocked(dropSubscriber).mock.calls).toEqual([[gone]]);
  });

  test('that is the last one of its chunk, and whose keyword is gone, leaves nothing to write', async () => {
    given(rowOf('a'), [subscriberOf(9)], success);

    expect(await run()).toBe(0);
    expect(putHistory).not.toHaveBeenCalled();
    expect(changeChunk).not.toHaveBeenCalled();
    expect(written()).toMatchObject([{ state: 'due' }]);
  });

  test('whose project is paused stays, and gets no position', async () => {
    vi.mocked(readProject).mockResolvedValue({ competitors: [], alerts: {}, paused: true } as never);
    given(rowOf('a'), [subscriberOf(1), subscriberOf(9)], success);

    expect(await run()).toBe(0);
    expect(dropSubscriber).not.toHaveBeenCalled();
    expect(putHistory).not.toHaveBeenCalled();
    expect(changeChunk).not.toHaveBeenCalled();
    expect(requestCheck).not.toHaveBeenCalled();
    expect(written()).toMatchObject([{ state: 'due' }]);
  });

  test('whose project is gone is dropped, and nothing is written', async () => {
    vi.mocked(readProject).mockResolvedValue(undefined);
    given(rowOf('a'), [subscriberOf(1)], success);

    expect(await run()).toBe(0);
    expect(dropSubscriber).toHaveBeenCalledTimes(1);
    expect(putHistory).not.toHaveBeenCalled();
    expect(written()).toMatchObject([{ state: 'due' }]);
  });
});

test('what crawls gave for one chunk is one write, and each project is read once', async () => {
  chunks.set('2/1', [keywordOf({ keyword_id: 3 })]);
  given(rowOf('a'), [subscriberOf(1)], success);
  given(rowOf('b', { task_id: taskId(began, 8) }), [subscriberOf(2), subscriberOf(3, { chunk: 1 })], success);

  expect(await run()).toBe(3);
  expect(changeChunk).toHaveBeenCalledTimes(2);
  expect(readProject).toHaveBeenCalledExactlyOnceWith(1, 2);
});

describe('a result asks for', () => {
  const old = { local_sv: 1, global_sv: 1, cpc: 1, at: now };

  test.each([
    [
      'the alert, if the project has a rule',
      {},
      old,
      [{ kind: 'alerts', user_id: 1, project_id: 2 }, nextAlertTime(2, now)],
    ],
    [
      'volumes, if a keyword has none',
      null,
      null,
      [{ kind: 'volumes', user_id: 1, project_id: 2, chunk: 0 }, now],
    ],
  ])('%s', async (_, alerts, volumes, check) => {
    vi.mocked(readProject).mockResolvedValue({ user_id: 1, project_id: 2, competitors: [], alerts } as never);
    chunks.set('2/0', [keywordOf({ keyword_id: 1, volumes }), keywordOf({ keyword_id: 2, volumes: old })]);
    given(rowOf('a'), [subscriberOf(1)], success);

    await run();
    expect(vi.mocked(requestCheck).mock.calls).toEqual([check]);
  });
});

describe('a failure', () => {
  const error = new Error('broken');
  const twoSearches = (more: Partial<SearchRow> = {}) => {
    given(rowOf('a', more), [subscriberOf(1)], success);
    given(rowOf('b', { task_id: taskId(began, 8) }), [subscriberOf(2)], success);
  };
  /** The history of keyword 1 cannot be written, unless it is a gap. */
  const failing = () =>
    vi.mocked(putHistory).mockImplementation(async (entries) => {
      if (entries.some(({ keyword_id, entry }) => keyword_id === 1 && 'sightings' in entry)) throw error;
    });

  test('of one search does not keep the others of its chunk from theirs, and is noted', async () => {
    failing();
    twoSearches();

    await expect(run()).rejects.toBe(error);
    expect(written()).toEqual([
      rowOf('b', { state: 'due', at: now + day, failing_since: 0, ...noCrawl }),
      rowOf('a', { failing_since: now }),
    ]);
  });

  test('is counted from its first time, and one of AWS is not, however long it goes on', async () => {
    failing();
    twoSearches({ failing_since: 0 });
    await expect(run()).rejects.toBe(error);
    expect(written()).toContainEqual(rowOf('a', { failing_since: now }));

    searches.clear();
    vi.mocked(readResult).mockRejectedValueOnce(refused);
    vi.mocked(putHistory).mockReset();
    vi.mocked(writeSearch).mockClear();
    given(rowOf('a', { failing_since: 5 }), [subscriberOf(1)], success);
    expect(await run()).toBe(0);
    expect(histories()).toEqual([]);
    expect(readWaiting).toHaveBeenLastCalledWith('running', 0, now, 250);
  });

  test('that goes on for six hours makes a gap', async () => {
    const logged = vi.spyOn(log, 'error').mockReturnValue();
    failing();
    twoSearches({ failing_since: now - 6 * 3600 });

    await expect(run()).rejects.toBe(error);
    expect(chunks.get('2/0')?.[0]?.gap).toEqual({
      at: began,
      reason: 'machinery: the result could not be recorded',
    });
    expect(
      written()
        .map(({ search_hash, state }) => [search_hash, state])
        .toSorted(),
    ).toEqual([
      ['a', 'due'],
      ['b', 'due'],
    ]);
    expect(logged).toHaveBeenCalledExactlyOnceWith('result not recorded', {
      search: 'a',
      task_id: rowOf('a').task_id,
      reason: 'broken',
    });
  });

  test('that has gone on for less is left as it is', async () => {
    failing();
    twoSearches({ failing_since: now - 6 * 3600 + 1 });

    await expect(run()).rejects.toBe(error);
    expect(written().map(({ search_hash }) => search_hash)).toEqual(['b']);
  });

  test('after the history is written makes no gap', async () => {
    vi.mocked(changeChunk).mockRejectedValue(error);
    given(rowOf('a', { failing_since: 5 }), [subscriberOf(1)], success);

    await expect(run()).rejects.toBe(error);
    expect(histories().filter(({ entry }) => 'reason' in entry)).toEqual([]);
    expect(written()).toMatchObject([{ state: 'due' }]);
  });

  test('of AWS leaves all searches of the chunk, and is not counted', async () => {
    vi.mocked(putHistory).mockRejectedValue(refused);
    twoSearches({ failing_since: 5 });

    expect(await run()).toBe(0);
    expect(writeSearch).not.toHaveBeenCalled();
    expect(putHistory).toHaveBeenCalledTimes(1);
  });

  test.each<[string, () => void]>([
    ['of a search', () => vi.mocked(readSearch).mockRejectedValueOnce(refused)],
    ['of a task', () => tasks.set(rowOf('a').task_id, refused)],
    ['of a result', () => vi.mocked(readResult).mockRejectedValueOnce(refused)],
  ])('to read, %s, leaves this search only', async (_, fail) => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    twoSearches();
    fail();

    expect(await run()).toBe(1);
    expect(info).toHaveBeenCalledWith(
      expect.anything(),
      expect.anything(),
      expect.objectContaining({ OverdueSearchSeconds: 3 }),
    );
    expect(written()).toMatchObject([{ search_hash: 'b', state: 'due' }]);
  });

  test('to read a result for six hours makes a gap', async () => {
    vi.mocked(readResult).mockRejectedValueOnce(error);
    given(rowOf('a', { failing_since: 5 }), [subscriberOf(1)], success);

    await expect(run()).rejects.toBe(error);
    expect(histories()).toEqual([
      { keyword_id: 1, entry: { at: began, reason: 'machinery: the result could not be recorded' } },
    ]);
  });

  test('to release a search fails the run, unless AWS refuses it', async () => {
    given(rowOf('a'), [subscriberOf(1)], success);
    vi.mocked(writeSearch).mockRejectedValue(error);

    await expect(run()).rejects.toBe(error);
  });

  test('to release a search leaves it', async () => {
    given(rowOf('a'), [subscriberOf(1)], success);
    vi.mocked(writeSearch).mockRejectedValue(refused);
    const info = vi.spyOn(log, 'info').mockReturnValue();

    expect(await run()).toBe(1);
    expect(info).toHaveBeenCalledWith(
      expect.anything(),
      expect.anything(),
      expect.objectContaining({ OverdueSearchSeconds: 3 }),
    );
  });
});
