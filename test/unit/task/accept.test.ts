/** How tasks are accepted: the ids, the order of the writes, and requests with an `Idempotency-Key`. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../lib/model/http-error.ts';
import { putBatch } from '../../../lib/store/batches.ts';
import { putMissingRows, putNewRow, putRows, reserveNumbers } from '../../../lib/store/new-tasks.ts';
import { putRequest, readRequest, updateRequest } from '../../../lib/store/requests.ts';
import type { SerpRow, TaskRow } from '../../../lib/store/task-row.ts';
import { acceptMissing, acceptReserved, acceptTasks } from '../../../lib/task/accept.ts';
import { queueTasks } from '../../../lib/task/queue.ts';
import { keywordRow, now, readLog, refusal, searchRow } from './rows.ts';

vi.mock(import('../../../lib/store/batches.ts'), () => ({
  putBatch: vi.fn(),
}));
vi.mock(import('../../../lib/store/new-tasks.ts'), () => ({
  putMissingRows: vi.fn(),
  putNewRow: vi.fn(),
  putRows: vi.fn(),
  reserveNumbers: vi.fn(),
}));
vi.mock(import('../../../lib/store/requests.ts'), () => ({
  putRequest: vi.fn(),
  readRequest: vi.fn(),
  updateRequest: vi.fn(),
}));
vi.mock(import('../../../lib/task/queue.ts'), () => ({
  queueTasks: vi.fn(),
}));

const counterSize = 2 ** 21;
/** The id of a task that was created at `at`. */
const idAt = (number: number, at = now) => at * counterSize + number;

/** The names of the calls, in their order. */
let calls: string[] = [];
const noting =
  <Result>(name: string, result: Result) =>
  async () => {
    calls.push(name);
    return result;
  };

beforeEach(() => {
  vi.resetAllMocks();
  calls = [];
  vi.mocked(reserveNumbers).mockImplementation(noting('numbers', [7]));
  vi.mocked(putNewRow).mockImplementation(async (numbered) => numbered(99));
  vi.mocked(putRows).mockImplementation(noting('rows', undefined));
  vi.mocked(putMissingRows).mockImplementation(noting('rows', undefined));
  vi.mocked(putBatch).mockImplementation(noting('batch', undefined));
  vi.mocked(queueTasks).mockImplementation(noting('queue', undefined));
  vi.mocked(readRequest).mockImplementation(noting('read', undefined));
  vi.mocked(putRequest).mockImplementation(noting('record', true));
  vi.mocked(updateRequest).mockImplementation(noting('update', true));
});

const rowsAt =
  (count: number, row: (fields: object) => TaskRow = searchRow) =>
  (createdAt: number): TaskRow[] =>
    Array.from({ length: count }, (_, n) => row({ id: 0, created_at: createdAt, keyword: `k${n}` }));

const idsOf = (rows: readonly TaskRow[] | undefined) => rows?.map(({ id }) => id);

test('a search that comes alone gets a random number and no counter', async () => {
  const { rows, isNew } = await acceptTasks({ userId: 1, rowsAt: rowsAt(1) }, now);

  expect(isNew).toBe(true);
  expect(rows).toMatchObject([{ id: idAt(99), created_at: now, unfinished: 'task#35' }]);
  expect(reserveNumbers).not.toHaveBeenCalled();
  expect(putRows).not.toHaveBeenCalled();
  expect(queueTasks).toHaveBeenCalledExactlyOnceWith(rows);
});

test.each<[string, (createdAt: number) => TaskRow[]]>([
  ['several searches', rowsAt(2)],
  ['a keyword that comes alone', rowsAt(1, keywordRow)],
])('%s get the numbers of a counter, and are written before they are queued', async (_, made) => {
  const { rows } = await acceptTasks({ userId: 5, rowsAt: made }, now);

  const count = made(now).length;
  expect(reserveNumbers).toHaveBeenCalledExactlyOnceWith(5, count);
  expect(idsOf(rows)).toEqual([idAt(7), idAt(8)].slice(0, count));
  expect(putRows).toHaveBeenCalledExactlyOnceWith(rows);
  expect(calls).toEqual(['numbers', 'rows', 'queue']);
  expect(rows[0]).not.toHaveProperty('batch_id');
});

test('no tasks reserve no number of a task', async () => {
  expect(await acceptTasks({ userId: 1, rowsAt: () => [] }, now)).toEqual({ rows: [], isNew: true });
  expect(putNewRow).not.toHaveBeenCalled();
  expect(putBatch).not.toHaveBeenCalled();
});

test('tasks that the caller runs itself are not queued', async () => {
  await acceptTasks({ userId: 1, rowsAt: rowsAt(2), isQueued: false }, now);

  expect(calls).toEqual(['numbers', 'rows']);
});

test('a user who may not create tasks now causes no write', async () => {
  const admit = () => Promise.reject(new HttpError(429, 'Later'));

  await expect(acceptTasks({ userId: 1, rowsAt: rowsAt(2), admit }, now)).rejects.toThrow('Later');
  expect(calls).toEqual([]);
});

describe('a batch', () => {
  test('has the first number, and is written after its tasks', async () => {
    const batch = { postbackUrl: 'https://receiver.example/' };
    const { rows } = await acceptTasks({ userId: 1, rowsAt: rowsAt(2), batch }, now);

    expect(reserveNumbers).toHaveBeenCalledExactlyOnceWith(1, 3);
    expect(idsOf(rows)).toEqual([idAt(8), idAt(9)]);
    expect(rows.map(({ batch_id }) => batch_id)).toEqual([idAt(7), idAt(7)]);
    expect(putBatch).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ id: idAt(7), tasks: 2, waits_for: idAt(9), postback_url: batch.postbackUrl }),
    );
    expect(calls).toEqual(['numbers', 'rows', 'batch', 'queue']);
  });

  test('may have one task only', async () => {
    const batch = { postbackUrl: null };
    const { rows } = await acceptTasks({ userId: 1, rowsAt: rowsAt(1), batch }, now);

    expect(putNewRow).not.toHaveBeenCalled();
    expect(idsOf(rows)).toEqual([idAt(8)]);
    expect(rows[0]).not.toHaveProperty('batch_id');
    expect(putBatch).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: idAt(7), tasks: 1 }));
  });

  test('without tasks is not written', async () => {
    await acceptTasks({ userId: 1, rowsAt: () => [], batch: { postbackUrl: null } }, now);

    expect(putBatch).not.toHaveBeenCalled();
  });
});

describe('a request with an Idempotency-Key', () => {
  const key = { key: 'k', path: '/api/v2/tasks', body: 'hash' };
  const request = { userId: 1, rowsAt: rowsAt(2), idempotency: key };
  const earlier = {
    body: 'hash',
    created_at: now - 100,
    first: 20,
    lease_until: now,
    accepted: false,
    ttl: now + 1000,
  };

  test('records its time and its numbers before the rows, and that it was accepted after the queue', async () => {
    const admit = vi.fn(noting('admit', undefined));
    const { rows, isNew } = await acceptTasks({ ...request, admit }, now);

    expect(admit).toHaveBeenCalledExactlyOnceWith(rowsAt(2)(now));
    const record = {
      body: 'hash',
      created_at: now,
      first: 7,
      lease_until: now + 35,
      accepted: false,
      ttl: now + 86_400,
    };
    expect(isNew).toBe(true);
    expect(idsOf(rows)).toEqual([idAt(7), idAt(8)]);
    expect(readRequest).toHaveBeenCalledExactlyOnceWith(1, key, now);
    expect(reserveNumbers).toHaveBeenCalledExactlyOnceWith(1, 2);
    expect(putRequest).toHaveBeenCalledExactlyOnceWith(1, key, record, now);
    expect(putMissingRows).toHaveBeenCalledExactlyOnceWith(rows);
    expect(updateRequest).toHaveBeenCalledExactlyOnceWith(1, key, record, { lease_until: 0, accepted: true });
    expect(calls).toEqual(['read', 'admit', 'numbers', 'record', 'rows', 'queue', 'update']);
    expect(putBatch).not.toHaveBeenCalled();
  });

  test('of a batch reserves a number for the batch, and writes it', async () => {
    const { rows } = await acceptTasks({ ...request, batch: { postbackUrl: null } }, now);

    expect(reserveNumbers).toHaveBeenCalledExactlyOnceWith(1, 3);
    expect(idsOf(rows)).toEqual([idAt(8), idAt(9)]);
    expect(calls).toEqual(['read', 'numbers', 'record', 'rows', 'batch', 'queue', 'update']);
  });

  test('whose tasks the caller runs itself queues nothing', async () => {
    await acceptTasks({ ...request, isQueued: false }, now);

    expect(calls).toEqual(['read', 'numbers', 'record', 'rows', 'update']);
  });

  test('that is slower than another one with the key is refused, and writes no row', async () => {
    vi.mocked(putRequest).mockResolvedValue(false);

    await expect(acceptTasks(request, now)).rejects.toMatchObject({
      statusCode: 409,
      headers: { 'Retry-After': '1' },
    });
    expect(calls).toEqual(['read', 'numbers']);
  });

  test('that was accepted before returns the same tasks, and writes nothing', async () => {
    vi.mocked(readRequest).mockResolvedValue({ ...earlier, accepted: true });
    const admit = vi.fn(noting('admit', undefined));

    const { rows, isNew } = await acceptTasks({ ...request, admit }, now);

    expect(isNew).toBe(false);
    expect(idsOf(rows)).toEqual([idAt(20, now - 100), idAt(21, now - 100)]);
    expect(calls).toEqual([]);
  });

  test('with another body than before is refused', async () => {
    vi.mocked(readRequest).mockResolvedValue({ ...earlier, accepted: true, body: 'other' });

    await expect(acceptTasks(request, now)).rejects.toMatchObject({
      statusCode: 422,
      detail: [
        {
          loc: ['header', 'idempotency-key'],
          type: 'value_error',
          msg: expect.stringContaining('another body'),
        },
      ],
    });
    expect(calls).toEqual([]);
  });

  test('that died is continued at the end of its lease', async () => {
    vi.mocked(readRequest).mockResolvedValue(earlier);

    const { rows, isNew } = await acceptTasks(request, now);

    expect(isNew).toBe(true);
    expect(idsOf(rows)).toEqual([idAt(20, now - 100), idAt(21, now - 100)]);
    expect(vi.mocked(updateRequest).mock.calls).toEqual([
      [1, key, earlier, { lease_until: now + 35, accepted: false }],
      [1, key, { ...earlier, lease_until: now + 35 }, { lease_until: 0, accepted: true }],
    ]);
    expect(calls).toEqual(['update', 'rows', 'queue', 'update']);
  });

  test('is refused while an earlier one holds its lease', async () => {
    vi.mocked(readRequest).mockResolvedValue({ ...earlier, lease_until: now + 1 });

    await expect(acceptTasks(request, now)).rejects.toMatchObject({
      statusCode: 409,
      detail: expect.stringContaining('is being accepted'),
    });
    expect(calls).toEqual([]);
  });

  test('is refused if another one continues the earlier one', async () => {
    vi.mocked(readRequest).mockResolvedValue(earlier);
    vi.mocked(updateRequest).mockResolvedValue(false);

    await expect(acceptTasks(request, now)).rejects.toMatchObject({ statusCode: 409 });
    expect(calls).toEqual([]);
  });

  test('that fails ends its lease, so that the next one need not wait', async () => {
    vi.mocked(queueTasks).mockRejectedValue(new Error('the queue is gone'));

    await expect(acceptTasks(request, now)).rejects.toThrow('the queue is gone');
    expect(updateRequest).toHaveBeenCalledExactlyOnceWith(
      1,
      key,
      expect.objectContaining({ lease_until: now + 35 }),
      { lease_until: 0, accepted: false },
    );
  });

  test('that fails reports its own error, also if the end of its lease is refused', async () => {
    const logged = readLog();
    vi.mocked(queueTasks).mockRejectedValue(new Error('the queue is gone'));
    vi.mocked(updateRequest).mockRejectedValue(refusal());

    await expect(acceptTasks(request, now)).rejects.toThrow('the queue is gone');
    expect(logged('AWS refused')).toHaveLength(1);
  });
});

test.each([
  ['acceptReserved', acceptReserved, putRows, putMissingRows],
  ['acceptMissing', acceptMissing, putMissingRows, putRows],
])('%s writes the rows before it queues them', async (_, accept, writes, other) => {
  const rows = [searchRow() as SerpRow];

  await accept(rows);

  expect(writes).toHaveBeenCalledExactlyOnceWith(rows);
  expect(other).not.toHaveBeenCalled();
  expect(queueTasks).toHaveBeenCalledExactlyOnceWith(rows);
  expect(calls).toEqual(['rows', 'queue']);
});
