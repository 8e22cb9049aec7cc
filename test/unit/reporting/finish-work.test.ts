/** The rest of what requests have begun with projects. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { continueImport } from '../../../lib/reporting/continue-import.ts';
import { firstDueTime } from '../../../lib/reporting/due-time.ts';
import {
  endRequest,
  finishProjectWork,
  finishWork,
  removeHistory,
} from '../../../lib/reporting/finish-work.ts';
import { scheduleNew, scheduleResumed } from '../../../lib/reporting/schedule.ts';
import { LaterReleaseError } from '../../../lib/runtime/later-release.ts';
import { log } from '../../../lib/runtime/log.ts';
import { type Chunk, changeChunk, deleteChunk, readPresentChunks } from '../../../lib/store/chunks.ts';
import { deleteHistory } from '../../../lib/store/observations.ts';
import { endWork, listWork, type ProjectWork } from '../../../lib/store/project-work.ts';
import {
  deletePointers,
  deleteProject,
  deleteProjectItems,
  type Owned,
  readOwned,
  readProject,
} from '../../../lib/store/projects.ts';
import { subscribe, unsubscribe } from '../../../lib/store/searches.ts';
import { keywordOf, movedOf } from './keywords.ts';

vi.mock(import('../../../lib/reporting/continue-import.ts'), () => ({ continueImport: vi.fn() }));
vi.mock(import('../../../lib/store/chunks.ts'), () => ({
  changeChunk: vi.fn(),
  deleteChunk: vi.fn(),
  readPresentChunks: vi.fn(),
}));
vi.mock(import('../../../lib/store/observations.ts'), () => ({
  deleteHistory: vi.fn(),
}));
vi.mock(import('../../../lib/store/project-work.ts'), async (original) => ({
  ...(await original()),
  endWork: vi.fn(),
  listWork: vi.fn(),
}));
vi.mock(import('../../../lib/store/projects.ts'), () => ({
  deletePointers: vi.fn(),
  deleteProject: vi.fn(),
  deleteProjectItems: vi.fn(),
  readOwned: vi.fn(),
  readProject: vi.fn(),
}));
vi.mock(import('../../../lib/store/searches.ts'), () => ({
  subscribe: vi.fn(),
  unsubscribe: vi.fn(),
}));

const removal = { kind: 'remove', user_id: 1, project_id: 2, version: 1 } as ProjectWork;
const addition = { ...removal, kind: 'add' } as unknown as ProjectWork;
const first = keywordOf({ keyword_id: 7, search_hash: 'a', next_at: 500, update_frequency: 6 });
const second = keywordOf({ keyword_id: 8, search_hash: 'b' });
const chunks = [
  { n: 0, revision: 1, keywords: [first] },
  { n: 3, revision: 1, keywords: [second] },
];
const never = () => false;
/** What the user's partition names, a page each. */
let owned: Owned[] = [];
const subscribed = () => vi.mocked(subscribe).mock.calls.flatMap(([subscribers]) => subscribers);

beforeEach(() => {
  vi.resetAllMocks();
  owned = [];
  vi.mocked(readOwned).mockImplementation(async function* () {
    yield* owned;
  });
  vi.mocked(readPresentChunks).mockResolvedValue(chunks);
  vi.mocked(deleteHistory).mockResolvedValue(true);
  vi.mocked(readProject).mockResolvedValue({ project_id: 2 } as never);
});

describe('the schedule of new keywords', () => {
  test('has the search, the place, the frequency and the first time of each', async () => {
    await scheduleNew(addition, ({ keyword_id }) => keyword_id === 7);

    expect(subscribed()).toEqual([
      {
        user_id: 1,
        project_id: 2,
        chunk: 0,
        keyword_id: 7,
        search_hash: 'a',
        update_frequency: 6,
        first_at: 500,
        search: {
          engine: 'google',
          engine_domain: 'google.com',
          keyword: 'coffee',
          location_name: 'Berlin,Germany',
          iso_code: 'DE',
          language_code: 'de',
          device: 'desktop',
        },
      },
    ]);
  });

  test.each([
    ['a new keyword', first, 1],
    ['a paused keyword', { ...first, paused: true }, 0],
    ['a keyword with a position', movedOf([3]), 0],
    ['a keyword whose crawl failed', { ...first, gap: { at: 1, reason: 'failed' } }, 0],
  ])('of %s is made %#', async (_, keyword, times) => {
    vi.mocked(readPresentChunks).mockResolvedValue([{ n: 0, revision: 1, keywords: [keyword] }]);

    await scheduleNew(addition);
    expect(subscribed()).toHaveLength(times);
  });
});

describe('the removal of a project', () => {
  test('removes all that its keywords have, each chunk last', async () => {
    expect(await finishWork(removal, never)).toBe(true);

    expect(deleteProject).toHaveBeenCalledExactlyOnceWith(1, 2);
    expect(vi.mocked(unsubscribe).mock.calls).toEqual([[[first]], [[second]]]);
    expect(vi.mocked(deleteHistory).mock.calls).toEqual([[7], [8]]);
    expect(vi.mocked(deletePointers).mock.calls).toEqual([
      [1, [7]],
      [1, [8]],
    ]);
    expect(vi.mocked(deleteChunk).mock.calls).toEqual([
      [2, 0],
      [2, 3],
    ]);
    expect(deleteProjectItems).toHaveBeenCalledExactlyOnceWith(2);
    expect(endWork).toHaveBeenCalledExactlyOnceWith(removal);
    const [pointers = 0] = vi.mocked(deletePointers).mock.invocationCallOrder;
    expect(vi.mocked(deleteChunk).mock.invocationCallOrder[0]).toBeGreaterThan(pointers);
    expect(subscribe).not.toHaveBeenCalled();
  });

  test('removes pointers that no chunk names, and none of another project', async () => {
    const pointer = (keyword_id: number, project_id: number) => ({ keyword_id, project_id, chunk: 0 });
    owned = [
      { projects: [3], keywords: [pointer(11, 2), pointer(12, 3)] },
      { projects: [], keywords: [pointer(13, 3)] },
      { projects: [], keywords: [pointer(14, 2)] },
    ];
    vi.mocked(readPresentChunks).mockResolvedValue([]);

    expect(await finishWork(removal, never)).toBe(true);
    expect(readOwned).toHaveBeenCalledExactlyOnceWith(1);
    expect(vi.mocked(deletePointers).mock.calls).toEqual([
      [1, [11]],
      [1, [14]],
    ]);

    const isOver = () => vi.mocked(deletePointers).mock.calls.length > 2;
    expect(await finishWork(removal, isOver)).toBe(false);
  });

  test('is left for a later run if the time is over before a chunk', async () => {
    expect(await finishWork(removal, () => vi.mocked(deleteChunk).mock.calls.length > 0)).toBe(false);

    expect(deleteChunk).toHaveBeenCalledExactlyOnceWith(2, 0);
    expect(endWork).not.toHaveBeenCalled();
  });

  test('keeps a chunk whose history is not deleted', async () => {
    vi.mocked(deleteHistory).mockResolvedValue(false);

    expect(await finishWork(removal, () => vi.mocked(deleteHistory).mock.calls.length > 2)).toBe(false);
    expect(deleteHistory).toHaveBeenCalledTimes(3);
    expect(deletePointers).not.toHaveBeenCalled();
    expect(deleteChunk).not.toHaveBeenCalled();
  });

  test('keeps a chunk if the time ends with its last history', async () => {
    expect(await finishWork(removal, () => vi.mocked(deleteHistory).mock.calls.length > 0)).toBe(false);
    expect(deletePointers).not.toHaveBeenCalled();
  });

  test('does not go on after the chunk that it keeps', async () => {
    vi.mocked(readPresentChunks).mockResolvedValue(chunks.slice(0, 1));
    const isOver = () => vi.mocked(deleteHistory).mock.calls.length > 0;

    expect(await finishWork(removal, isOver)).toBe(false);
    for (const mock of [readOwned, deleteProjectItems, endWork]) expect(mock).not.toHaveBeenCalled();
  });
});

test('a history is deleted in parts until nothing is left', async () => {
  vi.mocked(deleteHistory).mockResolvedValueOnce(false).mockResolvedValueOnce(false);

  expect(await removeHistory(7, never)).toBe(true);
  expect(deleteHistory).toHaveBeenCalledTimes(3);

  vi.mocked(deleteHistory).mockResolvedValue(false);
  expect(await removeHistory(7, () => true)).toBe(false);
});

describe('the schedule of a project that goes on after a pause', () => {
  const now = 10_000;
  const due = { ...movedOf([3], { keyword_id: 1, search_hash: '80000000ff' }), next_at: now };
  const later = { ...due, keyword_id: 2, next_at: now + 1 };
  const paused = { ...due, keyword_id: 3, paused: true };
  const neverCrawled = keywordOf({ keyword_id: 4, search_hash: 'c', next_at: now + 500 });
  const resumed = { ...due, next_at: firstDueTime('80000000ff', now) };
  let written: Chunk[];
  beforeEach(() => {
    written = [];
    vi.mocked(readPresentChunks).mockResolvedValue([
      { n: 0, revision: 1, keywords: [due, later, paused, neverCrawled] },
      { n: 1, revision: 1, keywords: [later, paused] },
    ]);
    vi.mocked(changeChunk).mockImplementation(async (_, n, make) => {
      written.push({ n, revision: 2, keywords: make([due, later, paused, neverCrawled]) });
      return written.at(-1) as Chunk;
    });
  });

  test('has keywords that became due, within the hour, and those that were never crawled', async () => {
    await scheduleResumed(addition, now);

    expect(resumed.next_at).toBeGreaterThan(now);
    expect(resumed.next_at).toBeLessThanOrEqual(now + 3600);
    expect(subscribed()).toMatchObject([
      { user_id: 1, project_id: 2, chunk: 0, keyword_id: 1, first_at: resumed.next_at },
      { user_id: 1, project_id: 2, chunk: 0, keyword_id: 4, first_at: now + 500 },
    ]);
    expect(vi.mocked(subscribe).mock.calls[0]?.[1]).toBe(now);
  });

  test('is written into the keywords after that, and only into chunks with one of them', async () => {
    await scheduleResumed(addition, now);

    expect(written).toEqual([{ n: 0, revision: 2, keywords: [resumed, later, paused, neverCrawled] }]);
    expect(changeChunk).toHaveBeenCalledExactlyOnceWith(2, 0, expect.any(Function));
    const [first = 0] = vi.mocked(subscribe).mock.invocationCallOrder;
    expect(vi.mocked(changeChunk).mock.invocationCallOrder[0]).toBeGreaterThan(first);
  });

  test('is the work of a change that ends a pause', async () => {
    const work = { ...removal, kind: 'resume' } as ProjectWork;

    expect(await finishWork(work, never)).toBe(true);
    expect(changeChunk).toHaveBeenCalledWith(2, 0, expect.any(Function));
    expect(endWork).toHaveBeenCalledExactlyOnceWith(work);
  });
});

test.each([true, false])('the work of an import has ended if the import has: %s', async (hasEnded) => {
  const work = { ...removal, kind: 'import', id: '9' } as ProjectWork;
  vi.mocked(continueImport).mockResolvedValue(hasEnded);

  expect(await finishWork(work, never)).toBe(hasEnded);
  expect(continueImport).toHaveBeenCalledExactlyOnceWith(work, never);
  expect(endWork).toHaveBeenCalledTimes(hasEnded ? 1 : 0);
  expect(subscribe).not.toHaveBeenCalled();
});

test('work that a later release has begun is left to it', async () => {
  const work = { ...removal, kind: 'copy' } as unknown as ProjectWork;

  await expect(finishWork(work, never)).rejects.toThrow(
    new LaterReleaseError('project work', 'kind copy', 'kinds add, import, remove, resume'),
  );
  for (const mock of [readProject, deleteProject, subscribe, endWork]) expect(mock).not.toHaveBeenCalled();
});

describe('the addition of keywords', () => {
  test('is finished by their schedule', async () => {
    expect(await finishWork(addition, never)).toBe(true);

    expect(subscribed()).toHaveLength(2);
    expect(endWork).toHaveBeenCalledExactlyOnceWith(addition);
    expect(deleteProject).not.toHaveBeenCalled();
  });

  test('to a project that is gone is a removal', async () => {
    vi.mocked(readProject).mockResolvedValue(undefined);

    expect(await finishWork(addition, never)).toBe(true);
    expect(subscribe).not.toHaveBeenCalled();
    expect(deleteProject).toHaveBeenCalledExactlyOnceWith(1, 2);
  });
});

describe('the end of a request', () => {
  test('ends its work', async () => {
    await endRequest(addition);

    expect(endWork).toHaveBeenCalledExactlyOnceWith(addition);
    expect(deleteProject).not.toHaveBeenCalled();
  });

  test('removes what it has written if the project was deleted meanwhile', async () => {
    vi.mocked(readProject).mockResolvedValue(undefined);

    await expect(endRequest(addition)).rejects.toThrow(
      expect.objectContaining({ statusCode: 404, detail: 'Project not found' }),
    );
    expect(deleteProject).toHaveBeenCalledExactlyOnceWith(1, 2);
    expect(endWork).toHaveBeenCalledExactlyOnceWith(addition);
  });
});

describe('a run', () => {
  test('finishes the works of requests that have ended, and counts them', async () => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    vi.mocked(listWork).mockResolvedValue([addition, removal]);

    expect(await finishProjectWork(1000, never)).toBe(2);
    expect(listWork).toHaveBeenCalledExactlyOnceWith(640);
    expect(info).toHaveBeenCalledExactlyOnceWith('work on projects finished', { works: 2 });
  });

  test('finishes the other works before it fails', async () => {
    vi.spyOn(log, 'info').mockReturnValue();
    const error = new Error('broken');
    vi.mocked(listWork).mockResolvedValue([addition, removal]);
    vi.mocked(subscribe).mockRejectedValue(error);

    await expect(finishProjectWork(1000, never)).rejects.toBe(error);
    expect(endWork).toHaveBeenCalledExactlyOnceWith(removal);
  });

  test('begins none after its time, and does not count what is left', async () => {
    const info = vi.spyOn(log, 'info').mockReturnValue();
    vi.mocked(listWork).mockResolvedValue([removal, addition]);
    vi.mocked(deleteHistory).mockResolvedValue(false);

    expect(await finishProjectWork(1000, () => vi.mocked(deleteHistory).mock.calls.length > 0)).toBe(0);
    expect(subscribe).not.toHaveBeenCalled();
    expect(info).not.toHaveBeenCalled();
  });
});
