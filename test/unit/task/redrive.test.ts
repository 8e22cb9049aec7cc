/** A task that an operator starts again, and tasks whose messages were lost with the process. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { moveRow, postponeRow, readTaskRow } from '../../../lib/store/tasks.ts';
import { readOverdue } from '../../../lib/store/unfinished.ts';
import { queueTasks } from '../../../lib/task/queue.ts';
import { redriveTask } from '../../../lib/task/redrive.ts';
import { requeueLost } from '../../../lib/task/requeue-lost.ts';
import { keywordRow, now, searchRow } from './rows.ts';

vi.mock(import('../../../lib/store/tasks.ts'), () => ({
  moveRow: vi.fn(),
  postponeRow: vi.fn(),
  readTaskRow: vi.fn(),
}));
vi.mock(import('../../../lib/store/unfinished.ts'), () => ({
  readOverdue: vi.fn(),
}));
vi.mock(import('../../../lib/task/queue.ts'), () => ({
  queueTasks: vi.fn(),
}));

const key = { user_id: 1, id: 42 };

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(moveRow).mockResolvedValue(true);
});

describe('redriveTask', () => {
  test('resets a dead task and queues it', async () => {
    const row = searchRow({ status: 'dead_letter', attempt: 2, delivery: 'msg_1_42_2' });
    vi.mocked(readTaskRow).mockResolvedValue(row);

    expect(await redriveTask(key, now)).toBe('queued');
    expect(readTaskRow).toHaveBeenCalledExactlyOnceWith(1, 42, now);
    const [target, condition, changes] = vi.mocked(moveRow).mock.calls[0] ?? [];
    expect([target, condition]).toEqual([row, { from: ['dead_letter'], attempt: 2 }]);
    expect(changes).toStrictEqual({
      status: 'awaiting',
      error_message: null,
      pages: [
        { page: 1, status: 'awaiting' },
        { page: 2, status: 'awaiting' },
      ],
      crawled_at: 0,
      upstream_id: undefined,
      upstream: undefined,
      ordering: undefined,
      delivery: null,
      delivery_state: undefined,
      delivery_attempt: 0,
      lease_until: 0,
      failed: undefined,
      collected: undefined,
      unfinished: 'task#42',
      due_at: now + 900,
    });
    expect(queueTasks).toHaveBeenCalledExactlyOnceWith([row]);
  });

  test('gives a task of keyword data another number of its run', async () => {
    vi.mocked(readTaskRow).mockResolvedValue(keywordRow({ status: 'dead_letter', attempt: 2 }));

    await redriveTask(key, now);

    expect(vi.mocked(moveRow).mock.calls[0]?.[2]).toMatchObject({ status: 'awaiting', attempt: 3 });
  });

  test('does nothing for an expired task', async () => {
    expect(await redriveTask(key, now)).toBe('expired');
    expect(moveRow).not.toHaveBeenCalled();
    expect(queueTasks).not.toHaveBeenCalled();
  });

  test.each([
    ['awaiting', 'queued', 1],
    ['crawling', 'left alone', 0],
    ['success', 'left alone', 0],
  ] as const)('a task in %s is %s', async (status, outcome, queued) => {
    vi.mocked(readTaskRow).mockResolvedValue(searchRow({ status }));
    vi.mocked(moveRow).mockResolvedValue(false);

    expect(await redriveTask(key, now)).toBe(outcome);
    expect(queueTasks).toHaveBeenCalledTimes(queued);
  });
});

describe('requeueLost', () => {
  const given = (...pages: (ReturnType<typeof searchRow> | undefined)[][]) => {
    vi.mocked(readOverdue).mockImplementation(async function* () {
      for (const page of pages) yield page.map((row) => ({ user_id: row?.user_id ?? 1, id: row?.id ?? 0 }));
    });
    vi.mocked(readTaskRow).mockImplementation(async (userId, id) =>
      pages.flat().find((row) => row?.user_id === userId && row.id === id),
    );
  };

  test('makes a task without a message due at once, whichever page of the index it is on', async () => {
    const rows = [searchRow(), searchRow({ id: 43 })];
    given([rows[0]], [rows[1]]);

    await requeueLost([], now);

    expect(readOverdue).toHaveBeenCalledExactlyOnceWith('task', { to: Number.MAX_SAFE_INTEGER }, 1000);
    expect(readTaskRow).toHaveBeenCalledWith(1, 42, now);
    expect(vi.mocked(postponeRow).mock.calls).toEqual(rows.map((row) => [row, now + 900, now]));
    expect(moveRow).not.toHaveBeenCalled();
  });

  test('reads at most eight tasks at a time', async () => {
    const rows = Array.from({ length: 20 }, (_, id) => searchRow({ id }));
    given(rows);
    const waiting: (() => void)[] = [];
    vi.mocked(readTaskRow).mockImplementation(
      () => new Promise((resolve) => waiting.push(() => resolve(undefined))),
    );

    const done = requeueLost([], now);
    await vi.waitFor(() => expect(waiting).toHaveLength(8), 60_000);
    for (let n = 0; n < 20; n++) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(n), 60_000);
      waiting[n]?.();
    }
    await done;
  });

  test('leaves the due time of a task whose message is in a queue: of this user, with this id', async () => {
    const [mine, other] = [searchRow(), searchRow({ user_id: 2 })];
    given([mine, other]);

    await requeueLost([key], now);

    expect(vi.mocked(postponeRow).mock.calls).toEqual([[other, now + 900, now]]);
  });

  test('ends the lease of a run that died', async () => {
    const row = searchRow({ status: 'crawling', attempt: 2, lease_until: now + 1 });
    given([row]);

    await requeueLost([key], now);

    expect(moveRow).toHaveBeenCalledExactlyOnceWith(
      row,
      { from: ['crawling'], attempt: 2 },
      { lease_until: 0 },
    );
    expect(postponeRow).not.toHaveBeenCalled();
  });

  test.each<[string, ReturnType<typeof searchRow> | undefined]>([
    ['is gone', undefined],
    ['is final', searchRow({ status: 'error', lease_until: now + 9 })],
    ['needs nothing', (({ due_at: _, ...row }) => row)(searchRow()) as never],
  ])('does not change a task that %s', async (_, row) => {
    given([row]);

    await requeueLost([], now);

    expect(moveRow).not.toHaveBeenCalled();
    expect(postponeRow).not.toHaveBeenCalled();
  });
});
