/** The sweeper: which overdue rows it handles, what it writes first, and which messages it sends. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import type { AlertRow, ReportedRow, SerpRow } from '../../../lib/store/task-row.ts';
import { dropExpired, moveRow, postponeRow, readRows } from '../../../lib/store/tasks.ts';
import { readOverdue } from '../../../lib/store/unfinished.ts';
import { checkBatch } from '../../../lib/task/end-batch.ts';
import { hasQueued } from '../../../lib/task/has-queued.ts';
import { queueDeliveries, queueTasks } from '../../../lib/task/queue.ts';
import { sweepTasks } from '../../../lib/task/sweep.ts';
import { batchRow, keywordRow, now, readLog, refusal, searchRow } from './rows.ts';

vi.mock(import('../../../lib/store/tasks.ts'), () => ({
  dropExpired: vi.fn(),
  moveRow: vi.fn(),
  postponeRow: vi.fn(),
  readRows: vi.fn(),
  readTaskRow: vi.fn(),
}));
vi.mock(import('../../../lib/store/unfinished.ts'), () => ({ readOverdue: vi.fn() }));
vi.mock(import('../../../lib/task/end-batch.ts'), () => ({ checkBatch: vi.fn() }));
vi.mock(import('../../../lib/task/has-queued.ts'), () => ({ hasQueued: vi.fn() }));
vi.mock(import('../../../lib/task/queue.ts'), () => ({
  queueDelivery: vi.fn(),
  queueDeliveries: vi.fn(),
  queueTasks: vi.fn(),
}));

const quarter = 900;
const deadline = 6 * 3600;
const never = () => false;

let logged: ReturnType<typeof readLog>;

beforeEach(() => {
  vi.resetAllMocks();
  logged = readLog();
  vi.mocked(postponeRow).mockResolvedValue(true);
  vi.mocked(moveRow).mockResolvedValue(true);
  vi.mocked(hasQueued).mockResolvedValue(false);
  vi.mocked(checkBatch).mockResolvedValue(null);
});

type Overdue = { delivery?: ReportedRow[][]; recent?: ReportedRow[][]; older?: ReportedRow[][] };

const keyOf = ({ user_id, id }: TaskKey) => ({ user_id, id });

/** The pages of rows that the index gives. */
const givenOverdue = ({ delivery = [], recent = [], older = [] }: Overdue) => {
  vi.mocked(readOverdue).mockImplementation(async function* (work, range) {
    const pages = work === 'delivery' ? delivery : range.recent === undefined ? older : [...recent, ...older];
    for (const page of pages) yield page.map(keyOf);
  });
  const rows = [...delivery, ...recent, ...older].flat();
  vi.mocked(readRows).mockImplementation(async (keys) =>
    keys.map((key) => ({
      status: 'fulfilled' as const,
      value: rows.find((row) => row.id === key.id && row.user_id === key.user_id),
    })),
  );
};

/** Sweeps these rows at `at`, all on one page of the index. */
const sweep = async (at: number, ...rows: ReportedRow[]) => {
  givenOverdue({ older: [rows] });
  return sweepTasks(at, never);
};

const queuedTasks = () => vi.mocked(queueTasks).mock.calls.flatMap(([rows]) => rows);
const queuedDeliveries = () => vi.mocked(queueDeliveries).mock.calls.flatMap(([each]) => each);
const oldest = () => logged('swept').map(({ overdue, OldestTaskSeconds }) => [overdue, OldestTaskSeconds]);

describe('a task that no run has claimed', () => {
  test('is due again later, and is queued again', async () => {
    const row = searchRow({ attempt: 2 });

    expect(await sweep(now + quarter, row)).toBe(1);
    expect(readRows).toHaveBeenCalledExactlyOnceWith([keyOf(row)], now + quarter);
    expect(postponeRow).toHaveBeenCalledExactlyOnceWith(row, now + quarter, now + 2 * quarter);
    expect(queuedTasks()).toEqual([row]);
    expect(queuedDeliveries()).toEqual([]);
    expect(logged('task taken up again')).toMatchObject([
      { user_id: 1, task_id: 42, status: 'awaiting', attempt: 2, TasksTakenUp: 1 },
    ]);
    expect(oldest()).toEqual([[1, quarter]]);
  });

  test('is due again at its deadline at the latest', async () => {
    const row = searchRow();
    await sweep(now + deadline - 1, row);

    expect(postponeRow).toHaveBeenCalledExactlyOnceWith(row, now + quarter, now + deadline);
    expect(queuedTasks()).toEqual([row]);
  });

  test('keeps the trace of its creation in the log', async () => {
    const root = '1-65a1b2c3-0123456789abcdef01234567';
    await sweep(now + quarter, searchRow({ trace: `Root=${root}` }));

    expect(logged('task taken up again')).toMatchObject([{ trace_id: root }]);
  });

  test('is left to another sweep that was faster', async () => {
    vi.mocked(postponeRow).mockResolvedValue(false);
    await sweep(now + quarter, searchRow());

    expect(queuedTasks()).toEqual([]);
    expect(logged('task taken up again')).toEqual([]);
    expect(oldest()).toEqual([[1, quarter]]);
  });
});

describe('a task in front of which messages wait in its queue', () => {
  beforeEach(() => {
    vi.mocked(hasQueued).mockResolvedValue(true);
  });

  test('is due again later, and waits its turn', async () => {
    const row = searchRow();
    await sweep(now + quarter, row);

    expect(hasQueued).toHaveBeenCalledExactlyOnceWith('serp');
    expect(postponeRow).toHaveBeenCalledExactlyOnceWith(row, now + quarter, now + 2 * quarter);
    expect(queuedTasks()).toEqual([]);
    expect(logged('task taken up again')).toEqual([]);
  });

  test('asks each queue once in a sweep', async () => {
    await sweep(now + quarter, searchRow(), keywordRow(), searchRow({ id: 50 }), keywordRow({ id: 51 }));

    expect(vi.mocked(hasQueued).mock.calls.toSorted()).toEqual([['keyword'], ['serp']]);
  });

  test('is queued if a run has begun, or if it was never queued', async () => {
    const begun = searchRow({ status: 'crawling' });
    const live = searchRow({ id: 50, due_at: now + quarter - 1 });
    await sweep(now + quarter, begun, live);

    expect(queuedTasks()).toEqual([begun, live]);
    expect(hasQueued).not.toHaveBeenCalled();
  });
});

describe('a task past its deadline', () => {
  test.each<[string, ReportedRow, string]>([
    ['that no engine delayed', searchRow(), 'timeout: '],
    ['that waited for its engine', searchRow({ postponed_to: 0 }), 'throttled: the engine '],
    ['that waited for its source', keywordRow({ postponed_to: 1 }), 'throttled: the source '],
    ['that the provider has', searchRow({ status: 'awaiting_webhook', postponed_to: 1 }), 'upstream: '],
  ])('%s ends with its reason', async (_, row, reason) => {
    await sweep(now + deadline, row);

    expect(moveRow).toHaveBeenCalledExactlyOnceWith(
      row,
      expect.objectContaining({ attempt: 0 }),
      expect.objectContaining({ status: 'error', error_message: expect.stringMatching(`^${reason}`) }),
    );
    expect(postponeRow).not.toHaveBeenCalled();
    expect(queuedTasks()).toEqual([]);
    expect(checkBatch).not.toHaveBeenCalled();
    expect(oldest()).toEqual([[1, deadline]]);
  });

  test('has its webhook queued with its trace, and that of its batch', async () => {
    const ofBatch = { user_id: 1, id: 7, delivery: 'msg_1_7_0', attempt: 1 };
    vi.mocked(checkBatch).mockResolvedValue(ofBatch);
    await sweep(now + deadline, searchRow({ trace: 'Root=1', batch_id: 7 }));

    expect(checkBatch).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ user_id: 1, id: 7 }),
      42,
      now + deadline,
    );
    expect(queuedDeliveries()).toEqual([
      { user_id: 1, id: 42, delivery: 'msg_1_42_0', attempt: 1, trace: 'Root=1' },
      ofBatch,
    ]);
  });

  test('has its webhook queued without a trace if it has none', async () => {
    await sweep(now + deadline, searchRow());

    expect(queuedDeliveries()).toEqual([{ user_id: 1, id: 42, delivery: 'msg_1_42_0', attempt: 1 }]);
  });
});

describe('the age of a task', () => {
  test.each<[string, Partial<SerpRow>, number]>([
    ['counts from its creation', { status: 'crawling' }, 4000],
    [
      'counts from the end of the time of the provider that works on it',
      { status: 'awaiting_webhook', upstream: { until: now + 3600 } as never },
      400,
    ],
    [
      'is 0 while the provider has time',
      { status: 'awaiting_webhook', upstream: { until: now + 5000 } as never },
      0,
    ],
    ['counts from its creation without a provider', { status: 'awaiting_webhook' }, 4000],
    ['counts from its creation after the provider', { upstream: { until: now + 3600 } as never }, 4000],
    ['is 0 if only its webhook is late', { status: 'success' }, 0],
  ])('%s', async (_, fields, age) => {
    await sweep(now + 4000, searchRow(fields));

    expect(oldest()).toEqual([[1, age]]);
  });

  test('is that of the oldest task of all pages', async () => {
    givenOverdue({
      older: [[searchRow({ created_at: now - 50 })], [searchRow({ id: 43 })]],
      recent: [[searchRow({ id: 44 })]],
    });

    expect(await sweepTasks(now + quarter, never)).toBe(3);
    expect(oldest()).toEqual([[3, quarter + 50]]);
  });
});

describe('an overdue webhook', () => {
  const ended = { status: 'success', delivery: 'msg_1_42_0', delivery_attempt: 2, due_at: now + 25 } as const;
  const sent = { user_id: 1, id: 42, delivery: 'msg_1_42_0', attempt: 3, delaySeconds: 0 };

  test.each<[string, Partial<SerpRow>, object[]]>([
    ['with its next attempt', { delivery_state: 'pending' }, [sent]],
    [
      'with a delay if the last outcome is not recorded',
      { delivery_state: 'sending' },
      [{ ...sent, delaySeconds: 20 }],
    ],
    [
      'with its round and its trace',
      { resends: 0, trace: 'Root=1' },
      [{ ...sent, round: 0, trace: 'Root=1' }],
    ],
    ['only if there is one', { delivery: null }, []],
  ])('is queued %s', async (_, fields, deliveries) => {
    const row = searchRow({ ...ended, ...fields });
    await sweep(now + 30, row);

    expect(queuedDeliveries()).toEqual(deliveries);
    expect(postponeRow).toHaveBeenCalledExactlyOnceWith(row, now + 25, now + 90, now + 30);
    expect(logged('task taken up again')).toMatchObject([{ status: 'success' }]);
    expect(queuedTasks()).toEqual([]);
    expect(oldest()).toEqual([[1, 0]]);
  });

  test.each<[string, number, Partial<SerpRow>, number]>([
    ['first attempt', 30, { delivery_attempt: 0 }, 30],
    ['attempt that was queued 14 min 59 s ago', 930, { queued_at: now + 31 }, 31],
  ])('is not queued while messages wait: %s', async (_, seconds, fields, queuedAt) => {
    vi.mocked(hasQueued).mockResolvedValue(true);
    const row = searchRow({ ...ended, delivery_state: 'pending', ...fields });
    await sweep(now + seconds, row);

    expect(hasQueued).toHaveBeenCalledExactlyOnceWith('delivery');
    expect(queuedDeliveries()).toEqual([]);
    expect(postponeRow).toHaveBeenCalledExactlyOnceWith(row, now + 25, now + seconds + 60, now + queuedAt);
    expect(logged('task taken up again')).toEqual([]);
  });

  test.each<[string, Partial<SerpRow>]>([
    ['a later attempt, which the machine should have made', {}],
    ['an attempt that was queued 15 minutes ago', { queued_at: now + 30 }],
    ['an attempt that its queue has not taken', { queued_at: 0 }],
    ['an attempt after one that has died', { delivery_state: 'sending', delivery_attempt: 1 }],
  ])('is queued although messages wait: %s', async (_, fields) => {
    vi.mocked(hasQueued).mockResolvedValue(true);
    await sweep(now + 930, searchRow({ ...ended, delivery_state: 'pending', ...fields }));

    expect(queuedDeliveries()).toHaveLength(1);
  });

  test('that does not exist waits for no message', async () => {
    vi.mocked(hasQueued).mockResolvedValue(true);
    await sweep(
      now + 30,
      searchRow({ ...ended, delivery: null, delivery_state: 'pending', delivery_attempt: 0 }),
    );

    expect(hasQueued).not.toHaveBeenCalled();
    expect(queuedDeliveries()).toEqual([]);
  });

  test('is queued also past the deadline of its task', async () => {
    await sweep(now + deadline, searchRow({ ...ended, status: 'dead_letter' }));

    expect(queuedDeliveries()).toEqual([sent]);
    expect(moveRow).not.toHaveBeenCalled();
  });
});

describe.each([
  ['alert', 'msg_1_42_0'],
  ['batch', 'msg_1_42_0'],
])('an overdue %s', (kind, delivery) => {
  const row = (fields: object = {}) =>
    ({ ...batchRow({ delivery, ...fields }), kind }) as unknown as AlertRow;

  test('is due again in a minute, and its webhook is queued', async () => {
    expect(await sweep(now + 60, row())).toBe(1);
    expect(postponeRow).toHaveBeenCalledExactlyOnceWith(row(), now + 60, now + 120, now + 60);
    expect(queuedDeliveries()).toEqual([{ user_id: 1, id: 42, delivery, attempt: 1, delaySeconds: 0 }]);
    expect(checkBatch).not.toHaveBeenCalled();
    expect(oldest()).toEqual([[1, 0]]);
  });

  test.each<[string, object, boolean]>([
    ['is due later', { due_at: now + 61 }, true],
    ['is not due any more', { due_at: undefined }, true],
    ['was taken by another sweep', {}, false],
  ])('is left alone if it %s', async (_, fields, isMoved) => {
    vi.mocked(postponeRow).mockResolvedValue(isMoved);
    await sweep(now + 60, row(fields));

    expect(postponeRow).toHaveBeenCalledTimes(isMoved ? 0 : 1);
    expect(queuedDeliveries()).toEqual([]);
    expect(oldest()).toEqual([[1, 0]]);
  });
});

describe('an overdue batch without a delivery', () => {
  const delivery = { user_id: 1, id: 42, delivery: 'msg_1_42_0', attempt: 1 };
  beforeEach(() => {
    vi.mocked(checkBatch).mockResolvedValue(delivery);
  });

  test('is searched for its end', async () => {
    const row = batchRow();
    await sweep(now + 60, row);

    expect(checkBatch).toHaveBeenCalledExactlyOnceWith(row, undefined, now + 60);
    expect(queuedDeliveries()).toEqual([delivery]);
  });

  test('is left to another sweep that was faster', async () => {
    vi.mocked(postponeRow).mockResolvedValue(false);
    await sweep(now + 60, batchRow());

    expect(checkBatch).not.toHaveBeenCalled();
    expect(queuedDeliveries()).toEqual([]);
    expect(oldest()).toEqual([[1, 0]]);
  });
});

describe('the age of the oldest webhook', () => {
  const waiting = { status: 'success', delivery: 'msg_1_42_0', delivery_state: 'pending' } as const;
  const oldestWebhook = () => logged('swept').map(({ OldestWebhookSeconds }) => OldestWebhookSeconds);

  test('is that of the one that waits longest, whatever the order', async () => {
    const since = (id: number, waits_since: number) => searchRow({ ...waiting, id, waits_since });
    await sweep(now + 500, since(42, now + 100), since(43, now), since(44, now + 200));

    expect(oldestWebhook()).toEqual([500]);
  });

  test('is not reported if no webhook waits', async () => {
    await sweep(now + 500, searchRow(), searchRow({ ...waiting, id: 43, delivery_state: 'delivered' }));

    expect(oldestWebhook()).toEqual([undefined]);
  });
});

test('a row that has expired is deleted', async () => {
  givenOverdue({ older: [[searchRow()]] });
  vi.mocked(readRows).mockResolvedValue([{ status: 'fulfilled', value: undefined }]);

  expect(await sweepTasks(now, never)).toBe(1);
  expect(dropExpired).toHaveBeenCalledExactlyOnceWith({ user_id: 1, id: 42 }, now);
  expect(oldest()).toEqual([[1, 0]]);
});

test.each<[string, Partial<SerpRow>, boolean]>([
  ['is due later', { due_at: now + quarter + 1 }, false],
  ['is due now', { due_at: now + quarter }, true],
  ['needs nothing', { due_at: undefined } as never, false],
])('a task that %s, whatever the index says: taken up %s', async (_, fields, expected) => {
  await sweep(now + quarter, searchRow(fields));

  expect(queuedTasks()).toHaveLength(expected ? 1 : 0);
  expect(oldest()).toEqual([[1, expected ? quarter : 0]]);
  expect(postponeRow).toHaveBeenCalledTimes(expected ? 1 : 0);
});

describe('a sweep', () => {
  test('reads deliveries and tasks, those of the last minute first', async () => {
    const [first, second, third] = [41, 42, 43].map((id) => searchRow({ id }));
    givenOverdue({
      delivery: [[searchRow({ id: 9, status: 'success' })]],
      recent: [[first as SerpRow], [second as SerpRow]],
      older: [[third as SerpRow]],
    });

    expect(await sweepTasks(now + quarter, never)).toBe(4);
    expect(vi.mocked(readOverdue).mock.calls).toEqual([
      ['delivery', { to: now + quarter }, 100],
      ['task', { recent: now + quarter - 59, to: now + quarter }, 100],
    ]);
    expect(queuedTasks().map(({ id }) => id)).toEqual([41, 42, 43]);
  });

  test('reads fifty rows with one request', async () => {
    const rows = Array.from({ length: 120 }, (_, id) => searchRow({ id: id + 1 }));

    expect(await sweep(now + quarter, ...rows)).toBe(120);
    expect(vi.mocked(readRows).mock.calls.map(([keys]) => keys.length)).toEqual([50, 50, 20]);
    expect(queueTasks).toHaveBeenCalledTimes(3);
  });

  test('handles twelve rows of four requests at a time', async () => {
    const rows = Array.from({ length: 300 }, (_, id) => searchRow({ id: id + 1 }));
    const waiting: (() => void)[] = [];
    vi.mocked(postponeRow).mockImplementation(
      () => new Promise((resolve) => waiting.push(() => resolve(true))),
    );

    const done = sweep(now + quarter, ...rows);
    await vi.waitFor(() => expect(waiting).toHaveLength(48), 60_000);
    expect(readRows).toHaveBeenCalledTimes(4);
    for (let n = 0; n < rows.length; n++) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(n), 60_000);
      waiting[n]?.();
    }
    expect(await done).toBe(300);
  });

  test('begins no further batch when its time is up', async () => {
    givenOverdue({ older: [Array.from({ length: 300 }, (_, id) => searchRow({ id: id + 1 }))] });
    let asked = 0;

    expect(await sweepTasks(now + quarter, () => ++asked > 2)).toBe(50);
    expect(await sweepTasks(now + quarter, () => true)).toBe(0);
  });

  test('of nothing says so', async () => {
    givenOverdue({});

    expect(await sweepTasks(now)).toBe(0);
    expect(logged('swept')).toMatchObject([{ overdue: 0, OldestTaskSeconds: 0 }]);
    expect(readRows).not.toHaveBeenCalled();
  });

  test('handles the other rows if one cannot be read, and fails', async () => {
    const row = searchRow({ id: 43 });
    givenOverdue({ older: [[searchRow(), row]] });
    vi.mocked(readRows).mockResolvedValue([
      { status: 'rejected', reason: new Error('written by a later release') },
      { status: 'fulfilled', value: row },
    ]);

    await expect(sweepTasks(now + quarter, never)).rejects.toThrow('a later release');
    expect(queuedTasks()).toEqual([row]);
    expect(oldest()).toEqual([[2, quarter]]);
  });
});

describe('back-pressure', () => {
  test('of the index ends the sweep, without an age', async () => {
    vi.mocked(readOverdue).mockImplementation(() => {
      const refused = { next: () => Promise.reject(refusal()), [Symbol.asyncIterator]: () => refused };
      return refused as never;
    });

    expect(await sweepTasks(now, never)).toBe(0);
    expect(logged('AWS refused')).toHaveLength(1);
    expect(oldest()).toEqual([]);
  });

  test('of a row leaves the row to a later sweep, which need not fail', async () => {
    vi.mocked(postponeRow).mockRejectedValueOnce(refusal());
    const other = searchRow({ id: 43 });
    await sweep(now + quarter, searchRow(), other);

    expect(queuedTasks()).toEqual([other]);
    expect(logged('AWS refused')).toHaveLength(1);
  });

  test('of the queue makes the rows due again within two minutes', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.mocked(queueTasks).mockRejectedValue(refusal());
    vi.mocked(hasQueued).mockResolvedValue(true);
    const rows = [
      searchRow({ status: 'crawling' }),
      searchRow({ id: 43, status: 'success', delivery: 'msg', delivery_attempt: 1 }),
      // This one waits its turn, so no message of it was refused.
      searchRow({ id: 44 }),
      // This one was not taken up.
      searchRow({ id: 45, due_at: now + 5000 }),
      batchRow({ id: 46 }),
    ];
    await sweep(now + quarter, ...rows);

    const at = now + quarter;
    expect(
      vi
        .mocked(postponeRow)
        .mock.calls.slice(4)
        .toSorted(([a], [b]) => a.id - b.id),
    ).toEqual([
      [rows[0], at + quarter, at + 90, undefined],
      [rows[1], at + 60, at + 90, 0],
      [rows[4], at + 60, at + 90, undefined],
    ]);
    expect(logged('AWS refused')).toHaveLength(1);
  });

  test('is not any other error of the queue', async () => {
    vi.mocked(queueTasks).mockRejectedValue(new Error('the queue is gone'));

    await expect(sweep(now + quarter, searchRow())).rejects.toThrow('the queue is gone');
    expect(postponeRow).toHaveBeenCalledTimes(1);
  });
});
