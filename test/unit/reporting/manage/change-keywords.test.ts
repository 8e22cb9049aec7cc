/** Changes of several keywords at once, and the order of their writes. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../../lib/model/http-error.ts';
import { maxKeywordTags } from '../../../../lib/model/tag.ts';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { firstDueTime } from '../../../../lib/reporting/due-time.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { removeHistory } from '../../../../lib/reporting/finish-work.ts';
import { changeKeywords, removeKeywords } from '../../../../lib/reporting/manage/change-keywords.ts';
import { schedule } from '../../../../lib/reporting/schedule.ts';
import { timeLimit } from '../../../../lib/runtime/time-limit.ts';
import { changeChunk, readPresentChunks } from '../../../../lib/store/chunks.ts';
import { deletePointers } from '../../../../lib/store/projects.ts';
import { unsubscribe } from '../../../../lib/store/searches.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/reporting/finish-work.ts'), () => ({ removeHistory: vi.fn() }));
vi.mock(import('../../../../lib/reporting/schedule.ts'), () => ({ schedule: vi.fn() }));
vi.mock(import('../../../../lib/runtime/time-limit.ts'), () => ({ timeLimit: vi.fn() }));
vi.mock(import('../../../../lib/store/chunks.ts'), () => ({
  changeChunk: vi.fn(),
  readPresentChunks: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({ deletePointers: vi.fn() }));
vi.mock(import('../../../../lib/store/searches.ts'), () => ({ unsubscribe: vi.fn() }));

const now = 200 * day;
const user = { id: 1 } as Account;

/** The keywords of the project by chunk. Keyword 12 is the second one of chunk 1. */
let chunks: Map<number, TrackedKeyword[]>;
const keywordAt = (id: number) => {
  const found = [...chunks.values()].flat().find(({ keyword_id }) => keyword_id === id);
  if (!found) throw new Error(`There is no keyword ${id}`);
  return found;
};
const give = (id: number, changes: Partial<TrackedKeyword>) => Object.assign(keywordAt(id), changes);
const change = (keyword_ids: number[], wanted: object) =>
  changeKeywords(user, 2, { keyword_ids, ...wanted }, now);
const orderOf = (mock: unknown) => vi.mocked(mock as typeof schedule).mock.invocationCallOrder[0] ?? 0;
const conflict = new HttpError(409, 'The project is being changed at the same time');

beforeEach(() => {
  vi.resetAllMocks();
  const at = (n: number, of: number) =>
    keywordOf({ keyword_id: 10 * n + of, search_hash: `${n}ff`, tags: [] });
  chunks = new Map([0, 1, 2].map((n) => [n, [at(n, 1), at(n, 2)]]));
  vi.mocked(findProject).mockResolvedValue({ project_id: 2 } as never);
  vi.mocked(timeLimit).mockReturnValue(() => false);
  vi.mocked(readPresentChunks).mockImplementation(async () =>
    [...chunks].map(([n, keywords]) => ({ n, revision: 1, keywords })),
  );
  vi.mocked(changeChunk).mockImplementation(async (_project, n, make) => {
    const keywords = [...make(chunks.get(n) ?? [])];
    chunks.set(n, keywords);
    return { n, revision: 2, keywords } as never;
  });
});

describe('a change', () => {
  test('is made to the named keywords, and to no others', async () => {
    const before = structuredClone([1, 12, 21, 22].map(keywordAt));

    expect(await change([2, 11, 99], { update_frequency: 6 })).toEqual({
      changed: 2,
      unknown: [99],
      full: [],
      left: [],
    });
    expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
    expect(timeLimit).toHaveBeenCalledExactlyOnceWith(18);
    expect([2, 11].map(keywordAt)).toMatchObject([{ update_frequency: 6 }, { update_frequency: 6 }]);
    expect([1, 12, 21, 22].map(keywordAt)).toEqual(before);
    expect(vi.mocked(changeChunk).mock.calls.map(([project, n]) => [project, n])).toEqual([
      [2, 0],
      [2, 1],
    ]);
  });

  test('of the frequency is scheduled before it is written', async () => {
    const keyword = keywordAt(12);
    await change([12], { update_frequency: 6 });

    expect(schedule).toHaveBeenCalledExactlyOnceWith({ user_id: 1, project_id: 2, chunk: 1 }, [
      { ...keyword, update_frequency: 6 },
    ]);
    expect(orderOf(schedule)).toBeLessThan(orderOf(changeChunk));
    expect(unsubscribe).not.toHaveBeenCalled();
  });

  test('of the frequency schedules no paused keyword', async () => {
    give(11, { paused: true });
    await change([11, 12], { update_frequency: 6 });

    expect(vi.mocked(schedule).mock.calls[0]?.[1].map(({ keyword_id }) => keyword_id)).toEqual([12]);
  });

  test('that pauses keywords ends their schedules, after it is written', async () => {
    await change([11, 12], { paused: true });

    expect([11, 12].map(keywordAt)).toMatchObject([{ paused: true }, { paused: true }]);
    expect(vi.mocked(schedule).mock.calls.flatMap(([, keywords]) => keywords)).toEqual([]);
    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([keywordAt(11), keywordAt(12)]);
    expect(orderOf(changeChunk)).toBeLessThan(orderOf(unsubscribe));
  });

  test('that resumes keywords crawls them within the hour', async () => {
    give(11, { paused: true });
    const resumed = { ...keywordAt(11), paused: false, next_at: firstDueTime('1ff', now) };
    await change([11], { paused: false });

    expect(keywordAt(11)).toEqual(resumed);
    expect(schedule).toHaveBeenCalledExactlyOnceWith(expect.anything(), [resumed]);
    expect(unsubscribe).not.toHaveBeenCalled();
  });

  test('of nothing that is scheduled leaves the schedules', async () => {
    await change([11], { add_tags: ['new'] });

    expect(vi.mocked(schedule).mock.calls.flatMap(([, keywords]) => keywords)).toEqual([]);
    expect(keywordAt(11).tags).toEqual(['new']);
  });

  test('keeps what another request has changed meanwhile', async () => {
    vi.mocked(schedule).mockImplementation(async () => {
      chunks.set(1, [{ ...keywordAt(11), tags: ['theirs'] }, keywordAt(12)]);
    });
    await change([11], { update_frequency: 6, add_tags: ['ours'] });

    expect(keywordAt(11)).toMatchObject({ update_frequency: 6, tags: ['theirs', 'ours'] });
  });
});

describe('tags', () => {
  const full = Array.from({ length: maxKeywordTags }, (_, n) => `tag ${n}`);

  test.each<[string, string[] | undefined, object, string[]]>([
    ['are added behind those before', ['a'], { add_tags: ['b', 'c'] }, ['a', 'b', 'c']],
    ['that the keyword has stay as they are', ['A'], { add_tags: ['a', 'b'] }, ['A', 'b']],
    ['are removed in any spelling', ['A', 'b'], { remove_tags: ['a', 'x'] }, ['b']],
    ['that are removed and added are added', ['a', 'b'], { remove_tags: ['a'], add_tags: ['a'] }, ['b', 'a']],
    ['of a keyword without any are added', undefined, { add_tags: ['a'] }, ['a']],
    ['fill a keyword', full.slice(1), { add_tags: ['last'] }, [...full.slice(1), 'last']],
  ])('%s', async (_, tags, wanted, after) => {
    if (tags) give(11, { tags });
    else delete keywordAt(11).tags;

    expect(await change([11], wanted)).toMatchObject({ changed: 1, full: [] });
    expect(keywordAt(11).tags).toEqual(after);
  });

  test('that are too many are not added, but the rest is changed', async () => {
    give(11, { tags: full });
    const wanted = { add_tags: ['more'], update_frequency: 6 };

    expect(await change([11, 12], wanted)).toEqual({ changed: 2, unknown: [], full: [11], left: [] });
    expect(keywordAt(11)).toMatchObject({ tags: full, update_frequency: 6 });
    expect(keywordAt(12).tags).toEqual(['more']);
  });
});

describe('keywords are left', () => {
  test('when their chunk is changed by others again and again', async () => {
    vi.mocked(changeChunk).mockRejectedValueOnce(conflict);

    expect(await change([1, 2, 11], { paused: true })).toEqual({
      changed: 1,
      unknown: [],
      full: [],
      left: [1, 2],
    });
  });

  test.each([new HttpError(503, 'Later'), new Error('broken')])(
    'but other errors are those of the request: %s',
    async (error) => {
      vi.mocked(changeChunk).mockRejectedValueOnce(error);

      await expect(change([1], {})).rejects.toBe(error);
    },
  );

  test('when the time is over', async () => {
    vi.mocked(timeLimit).mockReturnValue(() => true);

    expect(await change([1, 21], { paused: true })).toMatchObject({ changed: 0, left: [1, 21] });
    expect(changeChunk).not.toHaveBeenCalled();
  });
});

describe('a removal', () => {
  test('is of the schedule, the history, the chunk and the pointer, in this order', async () => {
    const [gone, stays] = [keywordAt(11), keywordAt(12)];

    expect(await removeKeywords(user, 2, [11, 99])).toEqual({
      changed: 1,
      unknown: [99],
      full: [],
      left: [],
    });
    expect(chunks.get(1)).toEqual([stays]);
    expect(chunks.get(0)).toHaveLength(2);
    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([gone]);
    expect(removeHistory).toHaveBeenCalledExactlyOnceWith(11, expect.any(Function));
    expect(vi.mocked(removeHistory).mock.calls[0]?.[1]()).toBe(false);
    expect(deletePointers).toHaveBeenCalledExactlyOnceWith(1, [11]);
    const order = [unsubscribe, removeHistory, changeChunk, deletePointers].map(orderOf);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('of a chunk that others keep changing keeps the pointers', async () => {
    vi.mocked(changeChunk).mockRejectedValueOnce(conflict);

    expect(await removeKeywords(user, 2, [11])).toMatchObject({ changed: 0, left: [11] });
    expect(deletePointers).not.toHaveBeenCalled();
  });
});
