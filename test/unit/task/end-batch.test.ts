/** How the end of a batch is found: which tasks are read, what is written, and which delivery follows. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { TaskStatus } from '../../../lib/model/task-status.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { endBatch, readBatch, waitForTask } from '../../../lib/store/batches.ts';
import type { ReportedRow } from '../../../lib/store/task-row.ts';
import { readRows } from '../../../lib/store/tasks.ts';
import { checkBatch } from '../../../lib/task/end-batch.ts';
import { batchTaskIds } from '../../../lib/task/id.ts';
import { batchRow, now, readLog, searchRow } from './rows.ts';

vi.mock(import('../../../lib/store/batches.ts'), () => ({
  endBatch: vi.fn(),
  readBatch: vi.fn(),
  waitForTask: vi.fn(),
}));
vi.mock(import('../../../lib/store/tasks.ts'), () => ({
  readRows: vi.fn(),
}));

const id = now * 2 ** 21 + 7;
const key = { user_id: 1, id };
const delivery = `msg_1_${id}_0`;

/** The keys of each request for rows. */
const reads = (): number[][] => vi.mocked(readRows).mock.calls.map(([keys]) => keys.map((each) => each.id));

/** A batch of so many tasks, and the statuses of those that are not in `success`. */
const givenBatch = (tasks: number, statuses: Record<number, TaskStatus> = {}, fields = {}) => {
  const ids = batchTaskIds(id, tasks);
  const row = batchRow({ id, tasks, waits_for: ids.at(-1) ?? 0, ...fields });
  vi.mocked(readBatch).mockResolvedValue(row);
  vi.mocked(readRows).mockImplementation(async (keys) =>
    keys.map((each: TaskKey) => ({
      status: 'fulfilled' as const,
      value: searchRow({ id: each.id, status: statuses[ids.indexOf(each.id)] ?? 'success' }) as ReportedRow,
    })),
  );
  return { ids, row };
};

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(endBatch).mockResolvedValue(true);
  vi.mocked(waitForTask).mockResolvedValue(true);
  readLog();
});

test('a batch whose tasks are all final ends with their counts and a delivery', async () => {
  const logged = readLog();
  const { ids, row } = givenBatch(4, { 0: 'error', 1: 'dead_letter' }, { created_at: now - 90 });

  expect(await checkBatch(key, ids[3], now)).toEqual({ ...key, delivery, attempt: 1 });
  expect(readBatch).toHaveBeenCalledExactlyOnceWith(key, now);
  expect(readRows).toHaveBeenCalledExactlyOnceWith(expect.anything(), now);
  expect(endBatch).toHaveBeenCalledExactlyOnceWith(row, {
    counts: expect.objectContaining({ success: 2, error: 1, dead_letter: 1 }),
    delivery,
    delivery_state: 'pending',
    delivery_attempt: 0,
    waits_since: now,
    unfinished: `delivery#${id % 64}`,
    due_at: now + 25,
  });
  expect(logged('batch ended')).toMatchObject([{ batch: id, tasks: 4, seconds: 90 }]);
  expect(waitForTask).not.toHaveBeenCalled();
});

test.each<[string, object | undefined]>([
  ['is gone', undefined],
  ['has no webhook', batchRow({ postback_url: null })],
])('a batch that %s causes no search', async (_, row) => {
  vi.mocked(readBatch).mockResolvedValue(row as never);

  expect(await checkBatch(key, undefined, now)).toBeNull();
  expect(readRows).not.toHaveBeenCalled();
});

test.each<[string, object, boolean]>([
  ['that waits', { delivery_state: 'pending', delivery_attempt: 0 }, true],
  ['of which an attempt has begun', { delivery_state: 'pending', delivery_attempt: 1 }, false],
  ['that is sent', { delivery_state: 'sending', delivery_attempt: 0 }, false],
])('a batch that has ended gives the delivery %s, or none', async (_, fields, isWaiting) => {
  givenBatch(2, {}, { delivery: 'msg_x', ...fields });

  expect(await checkBatch(key, undefined, now)).toEqual(
    isWaiting ? { ...key, delivery: 'msg_x', attempt: 1 } : null,
  );
  expect(readRows).not.toHaveBeenCalled();
});

test('the end of a task that the batch does not wait for causes no search', async () => {
  const { ids } = givenBatch(3);

  expect(await checkBatch(key, ids[0], now)).toBeNull();
  expect(readRows).not.toHaveBeenCalled();
});

test('without a task that ended, the batch is searched', async () => {
  givenBatch(3);

  expect(await checkBatch(key, undefined, now)).toMatchObject({ delivery });
});

test('the search begins at the task that the batch waits for, with few tasks, then more', async () => {
  const { ids } = givenBatch(200);
  givenBatch(200, {}, { waits_for: ids[149] });

  await checkBatch(key, ids[149], now);

  const order = [...ids.slice(0, 150).toReversed(), ...ids.slice(150).toReversed()];
  expect(reads().map((each) => each.length)).toEqual([4, 16, 64, 100, 16]);
  expect(reads().flat()).toEqual(order);
});

test('a task that is not final is the next one that the batch waits for', async () => {
  const { ids, row } = givenBatch(30, { 20: 'crawling', 3: 'awaiting' });
  vi.mocked(readBatch).mockResolvedValueOnce(row);
  vi.mocked(readBatch).mockResolvedValueOnce({ ...row, waits_for: ids[20] ?? 0 });

  expect(await checkBatch(key, ids[29], now)).toBeNull();
  expect(waitForTask).toHaveBeenCalledExactlyOnceWith(row, ids[20]);
  expect(readBatch).toHaveBeenCalledTimes(2);
  expect(reads().map((each) => each.length)).toEqual([4, 16, 4]);
  expect(endBatch).not.toHaveBeenCalled();
});

test('a task that ends before the batch waits for it does not keep the batch from its end', async () => {
  const { ids, row } = givenBatch(3, { 1: 'parsing' });
  vi.mocked(waitForTask).mockImplementation(async () => {
    givenBatch(3, {}, { waits_for: ids[1] });
    return true;
  });

  expect(await checkBatch(key, ids[2], now)).toMatchObject({ delivery });
  expect(waitForTask).toHaveBeenCalledExactlyOnceWith(row, ids[1]);
});

test('if another process has changed the batch since, it goes on with the batch', async () => {
  const { ids } = givenBatch(3, { 1: 'parsing' });
  vi.mocked(waitForTask).mockResolvedValue(false);
  expect(await checkBatch(key, ids[2], now)).toBeNull();
  expect(readBatch).toHaveBeenCalledTimes(1);

  givenBatch(3);
  vi.mocked(endBatch).mockResolvedValue(false);
  const logged = readLog();
  expect(await checkBatch(key, ids[2], now)).toBeNull();
  expect(logged('batch ended')).toEqual([]);
});

test('rows that are gone, or are no tasks, are not counted', async () => {
  givenBatch(5);
  const of = (value: object | undefined) => ({ status: 'fulfilled' as const, value: value as ReportedRow });
  vi.mocked(readRows).mockResolvedValueOnce([
    of(undefined),
    of({ kind: 'batch', id: 1 }),
    of({ kind: 'alert', id: 2 }),
    of(searchRow({ status: 'success' })),
  ]);
  vi.mocked(readRows).mockResolvedValueOnce([of(searchRow({ status: 'error' }))]);

  await checkBatch(key, undefined, now);

  const counts: Record<string, number> = { ...vi.mocked(endBatch).mock.calls[0]?.[1].counts };
  expect(Object.entries(counts).filter(([, count]) => count > 0)).toEqual([
    ['success', 1],
    ['error', 1],
  ]);
});

test('a task whose row cannot be read fails the check', async () => {
  givenBatch(2);
  vi.mocked(readRows).mockResolvedValue([{ status: 'rejected', reason: new Error('a later release') }]);

  await expect(checkBatch(key, undefined, now)).rejects.toThrow('a later release');
  expect(endBatch).not.toHaveBeenCalled();
});
