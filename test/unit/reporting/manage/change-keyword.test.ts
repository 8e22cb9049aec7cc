/** Changes of a tracked keyword, and the order of their writes. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { firstDueTime } from '../../../../lib/reporting/due-time.ts';
import { findProject, findTracked } from '../../../../lib/reporting/find.ts';
import { removeHistory } from '../../../../lib/reporting/finish-work.ts';
import { changeKeyword, removeKeyword } from '../../../../lib/reporting/manage/change-keyword.ts';
import { managedKeywordOf } from '../../../../lib/reporting/manage/show-keyword.ts';
import { schedule } from '../../../../lib/reporting/schedule.ts';
import { changeChunk } from '../../../../lib/store/chunks.ts';
import { deletePointers, findKeyword } from '../../../../lib/store/projects.ts';
import { unsubscribe } from '../../../../lib/store/searches.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn(), findTracked: vi.fn() }));
vi.mock(import('../../../../lib/reporting/finish-work.ts'), () => ({ removeHistory: vi.fn() }));
vi.mock(import('../../../../lib/reporting/schedule.ts'), () => ({ schedule: vi.fn() }));
vi.mock(import('../../../../lib/reporting/manage/show-keyword.ts'), () => ({
  managedKeywordOf: vi.fn((keyword: TrackedKeyword) => keyword) as never,
}));
vi.mock(import('../../../../lib/store/chunks.ts'), async (original) => ({
  ...(await original()),
  changeChunk: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), async (original) => ({
  ...(await original()),
  deletePointers: vi.fn(),
  findKeyword: vi.fn(),
}));
vi.mock(import('../../../../lib/store/searches.ts'), async (original) => ({
  ...(await original()),
  unsubscribe: vi.fn(),
}));

const now = 200 * day;
const user = { id: 1 } as Account;
const named = { project_id: 2, keyword_id: 7 };
const other = keywordOf({ keyword_id: 8 });
const hash = '80000000ff';
const view = { user, project: { project_id: 2 }, baseUrl: 'https://api.example', now };

let present: TrackedKeyword[];
const given = (changes: Partial<TrackedKeyword> = {}): TrackedKeyword => {
  const keyword = keywordOf({ keyword_id: 7, search_hash: hash, next_at: 500, ...changes });
  present = [keyword, other];
  vi.mocked(findTracked).mockResolvedValue({ keyword, project: { project_id: 2 } } as never);
  return keyword;
};
const change = (wanted: Parameters<typeof changeKeyword>[2]) =>
  changeKeyword(user, named, wanted, 'https://api.example', now);
const orderOf = (mock: unknown) => vi.mocked(mock as typeof schedule).mock.invocationCallOrder[0] ?? 0;

beforeEach(() => {
  vi.clearAllMocks();
  vi.mocked(findProject).mockResolvedValue({ project_id: 2 } as never);
  vi.mocked(findKeyword).mockResolvedValue({ project_id: 2, chunk: 4 } as never);
  vi.mocked(changeChunk).mockImplementation(async (_project, _chunk, make) => {
    present = [...make(present)];
    return { n: 4, revision: 2, keywords: present } as never;
  });
});

describe('a change', () => {
  test('of the frequency keeps the time of the next crawl', async () => {
    const keyword = given();

    expect(await change({ update_frequency: 6 })).toEqual({ ...keyword, update_frequency: 6 });
    expect(schedule).toHaveBeenCalledExactlyOnceWith({ user_id: 1, project_id: 2, chunk: 4 }, [
      { ...keyword, update_frequency: 6 },
    ]);
    expect(present).toEqual([{ ...keyword, update_frequency: 6 }, other]);
    expect(managedKeywordOf).toHaveBeenCalledExactlyOnceWith(expect.anything(), view);
    expect(unsubscribe).not.toHaveBeenCalled();
  });

  test('of the address of the chart ends the links before it, each time', async () => {
    given();

    expect(await change({ new_chart_url: true })).toMatchObject({ chart_links_ended: 1 });
    given({ chart_links_ended: 1 });
    expect(await change({ new_chart_url: true })).toMatchObject({ chart_links_ended: 2 });
    expect(await change({ new_chart_url: false })).toMatchObject({ chart_links_ended: 2 });
  });

  test('that resumes the keyword crawls it within the hour', async () => {
    const keyword = given({ paused: true });
    const resumed = { ...keyword, paused: false, next_at: firstDueTime(hash, now) };

    expect(await change({ paused: false })).toEqual(resumed);
    expect(resumed.next_at).toBe(now + 1800);
    expect(schedule).toHaveBeenCalledExactlyOnceWith(expect.anything(), [resumed]);
    expect(orderOf(schedule)).toBeLessThan(orderOf(changeChunk));
  });

  test('that pauses the keyword ends its schedule, after it is written', async () => {
    const keyword = given();

    expect(await change({ paused: true })).toEqual({ ...keyword, paused: true });
    expect(schedule).not.toHaveBeenCalled();
    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([{ ...keyword, paused: true }]);
    expect(orderOf(changeChunk)).toBeLessThan(orderOf(unsubscribe));
  });

  test('of nothing keeps a paused keyword paused', async () => {
    const keyword = given({ paused: true });

    expect(await change({})).toEqual(keyword);
    expect(schedule).not.toHaveBeenCalled();
  });

  test('of a keyword that is deleted meanwhile ends its schedule', async () => {
    given();
    vi.mocked(changeChunk).mockResolvedValue({ n: 4, revision: 2, keywords: [other] } as never);

    await expect(change({ update_frequency: 6 })).rejects.toThrow('Keyword not found');
    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ keyword_id: 7 })]);
  });

  test('of a keyword without a place is refused', async () => {
    given();
    vi.mocked(findKeyword).mockResolvedValue(undefined);

    await expect(change({})).rejects.toThrow(
      expect.objectContaining({ statusCode: 404, detail: 'Keyword not found' }),
    );
    expect(changeChunk).not.toHaveBeenCalled();
  });
});

test('a keyword is removed from its chunk, its search, its history and its user, in this order', async () => {
  const keyword = given();

  expect(await removeKeyword(user, named, 'https://api.example', now)).toEqual(keyword);

  expect(present).toEqual([other]);
  expect(managedKeywordOf).toHaveBeenCalledExactlyOnceWith(keyword, view);
  expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([keyword]);
  expect(removeHistory).toHaveBeenCalledExactlyOnceWith(7, expect.any(Function));
  expect(deletePointers).toHaveBeenCalledExactlyOnceWith(1, [7]);
  const order = [changeChunk, unsubscribe, removeHistory, deletePointers].map(orderOf);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
