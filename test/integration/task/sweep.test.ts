/** The sweeper: which tasks it takes up, when, and what it does with them. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import type { TaskRow } from '../../../lib/store/task-row.ts';
import { givenTask, logged, queuedCrawls, queuedDeliveries, rowOf } from './given.ts';

// The stores take their names from the environment as they are imported: after `given`.
const { afterRead } = await import('../after-read.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { withScope } = await import('../../../lib/runtime/scope.ts');
const { moveRow, postponeRow } = await import('../../../lib/store/tasks.ts');
const { failTask } = await import('../../../lib/task/fail.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

/** Each test has a day of its own, so that no task of another is overdue in it. */
let lastDay = 20_000;
const newDay = () => --lastDay * 86_400;
const quarter = 900;
const deadline = 6 * 3600;

const set = (key: TaskKey, fields: Partial<TaskRow>) =>
  moveRow(key, { from: ['awaiting', 'crawling', 'success', 'error'] }, fields);

const oldest = () => logged('swept').map(({ overdue, OldestTaskSeconds }) => [overdue, OldestTaskSeconds]);

describe('a task that no run has claimed', () => {
  test('is left alone before a quarter of an hour has passed', async () => {
    const now = newDay();
    const key = await givenTask(now);

    expect(await sweepTasks(now + quarter - 1)).toBe(0);

    expect(queuedCrawls()).toEqual([]);
    expect(await rowOf(key)).toMatchObject({ status: 'awaiting', due_at: now + quarter });
    expect(oldest()).toEqual([[0, 0]]);
  });

  test('is queued again after that, and looked after for another quarter of an hour', async () => {
    const now = newDay();
    const key = await givenTask(now);

    expect(await sweepTasks(now + quarter)).toBe(1);

    expect(queuedCrawls()).toEqual([{ ...key, engine: 'google', pages: 1 }]);
    expect(queuedDeliveries()).toEqual([]);
    expect(await rowOf(key)).toMatchObject({ status: 'awaiting', due_at: now + 2 * quarter });
    expect(logged('task taken up again')).toMatchObject([
      { user_id: 1, task_id: key.id, status: 'awaiting', attempt: 0, TasksTakenUp: 1 },
    ]);
    expect(oldest()).toEqual([[1, quarter]]);
  });

  test('is queued in the trace that began with its creation', async () => {
    const now = newDay();
    const [root, trace] = ['1-65a1b2c3-0123456789abcdef01234567', 'Root=1-65a1b2c3-0123456789abcdef01234567'];
    const key = await withScope({ trace }, () => givenTask(now));

    await sweepTasks(now + quarter);

    expect(queuedCrawls()).toEqual([{ ...key, engine: 'google', pages: 1, trace }]);
    expect(logged('task taken up again')).toMatchObject([{ trace_id: root }]);
  });

  test('is left to another sweep that takes it up at the same time', async () => {
    const now = newDay();
    const key = await givenTask(now);
    afterRead('row', () => postponeRow(key, now + quarter, now + 2 * quarter));

    expect(await sweepTasks(now + quarter)).toBe(1);

    expect(queuedCrawls()).toEqual([]);
    expect(logged('task taken up again')).toEqual([]);
    expect(oldest()).toEqual([[1, quarter]]);
  });
});

test('a sweep takes up all tasks that are overdue, and tells the age of the oldest', async () => {
  const now = newDay();
  const keys = [];
  for (let n = 0; n < 20; n++) keys.push(await givenTask(now + n));

  expect(await sweepTasks(now + quarter + 19)).toBe(20);

  const ids = queuedCrawls().map((message) => (message as TaskKey).id);
  expect(ids.toSorted()).toEqual(keys.map(({ id }) => id).toSorted());
  expect(oldest()).toEqual([[20, quarter + 19]]);
});

describe('at its deadline a task', () => {
  test('is still queued a second before', async () => {
    const now = newDay();
    const key = await givenTask(now);

    await sweepTasks(now + deadline - 1);

    expect(queuedCrawls()).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ status: 'awaiting' });
  });

  test.each([
    ['that never had to wait for its engine', {}, 'timeout: the task was not finished by its deadline'],
    [
      'that was put off for its engine',
      { postponed_to: 1 },
      'throttled: the engine took no more searches before the deadline of the task',
    ],
  ])('%s ends, and its webhook is queued', async (_, fields, error_message) => {
    const now = newDay();
    const key = await givenTask(now);
    await set(key, { status: 'crawling', ...fields });

    expect(await sweepTasks(now + deadline)).toBe(1);

    const { delivery } = await rowOf(key);
    expect(await rowOf(key)).toMatchObject({ status: 'error', error_message, delivery_state: 'pending' });
    expect(queuedDeliveries()).toEqual([{ ...key, delivery, attempt: 1 }]);
    expect(queuedCrawls()).toEqual([]);
    expect(logged('task taken up again')).toEqual([]);
    expect(oldest()).toEqual([[1, deadline]]);
  });
});

describe('a webhook that is overdue', () => {
  const givenEnded = async (now: number, fields: Partial<TaskRow> = {}) => {
    const key = await givenTask(now);
    await failTask(key, { status: 'error', error_message: 'captcha: blocked' }, now);
    await set(key, { due_at: now + 25, ...fields });
    return key;
  };

  test.each([0, 2])('is queued with the attempt after attempt %i, the last one begun', async (begun) => {
    const now = newDay();
    const key = await givenEnded(now, { delivery_attempt: begun });
    const { delivery } = await rowOf(key);
    expect(queuedDeliveries()).toHaveLength(1);

    await sweepTasks(now + 25);

    expect(queuedDeliveries()[1]).toEqual({ ...key, delivery, attempt: begun + 1 });
    expect(queuedCrawls()).toEqual([]);
    expect(await rowOf(key)).toMatchObject({ status: 'error', due_at: now + 25 + 60 });
    expect(logged('task taken up again')).toMatchObject([{ status: 'error' }]);
    // A final task is not counted as waiting.
    expect(oldest()).toEqual([[1, 0]]);
  });

  test('is queued after the deadline of the task too, and the task keeps its end', async () => {
    const now = newDay();
    const key = await givenEnded(now);
    const before = await rowOf(key);

    await sweepTasks(now + deadline);

    expect(queuedDeliveries()).toHaveLength(2);
    expect(await rowOf(key)).toEqual({ ...before, due_at: now + deadline + 60 });
  });

  test('is not queued where there is no delivery to make', async () => {
    const now = newDay();
    await givenEnded(now, { delivery: null });

    await sweepTasks(now + 25);

    expect(queuedDeliveries()).toHaveLength(1);
  });
});

test('a task past its life is deleted', async () => {
  const now = newDay();
  const key = await givenTask(now);

  expect(await sweepTasks(now + 86_400)).toBe(1);

  const { Item } = await dynamo.send(
    new GetCommand({ TableName: process.env.TASKS_TABLE, Key: rowKey(key) }),
  );
  expect(Item).toBeUndefined();
  expect(queuedCrawls()).toEqual([]);
  expect(oldest()).toEqual([[1, 0]]);
});

test.each<[string, (now: number) => Partial<TaskRow>]>([
  ['is due later', (now) => ({ due_at: now + deadline + 1 })],
  ['needs nothing more', () => ({ postponed_to: 0, due_at: undefined, unfinished: undefined })],
])('a task that %s is left alone, even if the index still has it', async (_, fields) => {
  const now = newDay();
  const key = await givenTask(now);
  afterRead('index', () => set(key, fields(now)));

  expect(await sweepTasks(now + deadline)).toBe(1);

  expect(await rowOf(key)).toMatchObject({ status: 'awaiting' });
  expect(queuedCrawls()).toEqual([]);
  expect(logged('task taken up again')).toEqual([]);
  expect(oldest()).toEqual([[1, 0]]);
});
