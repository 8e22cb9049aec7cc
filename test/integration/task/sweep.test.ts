/** The sweeper: which tasks it handles, when, and how. */
import { GetQueueAttributesCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { givenTask, logged, queuedCrawls, queuedDeliveries, rowOf, tables } from './given.ts';

// The stores read their names from the environment when they are imported: import them after `given.ts`.
const { afterRead } = await import('../after-read.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { withScope } = await import('../../../lib/runtime/scope.ts');
const { moveRow, postponeRow, readRows } = await import('../../../lib/store/tasks.ts');
const { putRows } = await import('../../../lib/store/new-tasks.ts');
const { failTask } = await import('../../../lib/task/fail.ts');
const { beginAttempt } = await import('../../../lib/store/deliveries.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');
const { readOverdue } = await import('../../../lib/store/unfinished.ts');

/** Each test uses its own day, so that tasks of other tests are not overdue in it. */
let lastDay = 20_000;
const newDay = () => --lastDay * 86_400;
const quarter = 900;
const deadline = 6 * 3600;

const set = (key: TaskKey, fields: Partial<SerpRow>) =>
  moveRow(key, { from: ['awaiting', 'crawling', 'success', 'error'] }, fields);

const oldest = () => logged('swept').map(({ overdue, OldestTaskSeconds }) => [overdue, OldestTaskSeconds]);

describe('a task that no run has claimed', () => {
  test('is not queued again before 15 minutes have passed', async () => {
    const now = newDay();
    const key = await givenTask(now);

    expect(await sweepTasks(now + quarter - 1)).toBe(0);

    expect(queuedCrawls()).toEqual([]);
    expect(await rowOf(key)).toMatchObject({ status: 'awaiting', due_at: now + quarter });
    expect(oldest()).toEqual([[0, 0]]);
  });

  test('is queued again after 15 minutes, and is due again 15 minutes later', async () => {
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

  test('is queued with the trace of its creation', async () => {
    const now = newDay();
    const [root, trace] = ['1-65a1b2c3-0123456789abcdef01234567', 'Root=1-65a1b2c3-0123456789abcdef01234567'];
    const key = await withScope({ trace }, () => givenTask(now));

    await sweepTasks(now + quarter);

    expect(queuedCrawls()).toEqual([{ ...key, engine: 'google', pages: 1, trace }]);
    expect(logged('task taken up again')).toMatchObject([{ trace_id: root }]);
  });

  test('is not queued if another sweep handles it at the same time', async () => {
    const now = newDay();
    const key = await givenTask(now);
    afterRead('row', () => postponeRow(key, now + quarter, now + 2 * quarter));

    expect(await sweepTasks(now + quarter)).toBe(1);

    expect(queuedCrawls()).toEqual([]);
    expect(logged('task taken up again')).toEqual([]);
    expect(oldest()).toEqual([[1, quarter]]);
  });
});

test('a sweep queues all overdue tasks, and records the age of the oldest', async () => {
  const now = newDay();
  const keys = [];
  for (let n = 0; n < 20; n++) keys.push(await givenTask(now + n));

  expect(await sweepTasks(now + quarter + 19)).toBe(20);

  const ids = queuedCrawls().map((message) => (message as TaskKey).id);
  expect(ids.toSorted()).toEqual(keys.map(({ id }) => id).toSorted());
  expect(oldest()).toEqual([[20, quarter + 19]]);
});

test('a sweep handles all tasks of a partition, however many one query returns', async () => {
  const now = newDay();
  const first = await givenTask(now);
  const row = await rowOf(first);
  await putRows(Array.from({ length: 120 }, (_, n) => ({ ...row, id: row.id + 16 * (n + 1) })));

  expect(await sweepTasks(now + quarter)).toBe(121);

  expect(new Set(queuedCrawls().map((message) => (message as TaskKey).id)).size).toBe(121);
});

test('many tasks are read with one request, and again what the table did not return', async () => {
  const now = newDay();
  const [one, other] = [await givenTask(now), await givenTask(now)];
  const expired = await givenTask(now - 2 * 86_400);
  let requests = 0;
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      requests += 1;
      if (requests > 1) return next(args);
      const { input } = args;
      return { output: { $metadata: {}, UnprocessedKeys: Object(input).RequestItems }, response: {} };
    },
    { step: 'initialize', priority: 'high', name: 'busy' },
  );
  onTestFinished(() => void dynamo.middlewareStack.remove('busy'));

  const read = await readRows([one, other, one, expired], now);

  expect(requests).toBe(2);
  const found = (value: unknown) => ({ status: 'fulfilled', value });
  expect(read).toMatchObject([found(one), found(other), found(one), found(undefined)]);
});

describe('the deadline of a task', () => {
  test('a second before it, the task is still queued', async () => {
    const now = newDay();
    const key = await givenTask(now);

    await sweepTasks(now + deadline - 1);

    expect(queuedCrawls()).toHaveLength(1);
    expect(await rowOf(key)).toMatchObject({ status: 'awaiting' });
  });

  test.each([
    ['a task that never waited for its engine', {}, 'timeout: the task was not finished by its deadline'],
    [
      'a task that was postponed for its engine',
      { postponed_to: 1 },
      'throttled: the engine took no more searches before the deadline of the task',
    ],
  ])('%s ends at its deadline, and its webhook is queued', async (_, fields, error_message) => {
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

describe('a task that waits for the upstream provider', () => {
  const hour = 3600;
  const givenWaiting = async (now: number) => {
    const key = await givenTask(now);
    const until = now + hour;
    const chosen = { fetcher: 'upstream', line: null, walls: 0, isProbe: false } as const;
    await set(key, {
      status: 'awaiting_webhook',
      attempt: 1,
      upstream: { accepted_at: now, until, chosen },
      due_at: until,
    });
    return key;
  };

  test('is queued again when the provider is overdue, and has waited for nobody else until then', async () => {
    const now = newDay();
    const key = await givenWaiting(now);

    await sweepTasks(now + hour - 1);
    expect(queuedCrawls()).toEqual([]);
    await sweepTasks(now + hour + 60);

    expect(queuedCrawls()).toEqual([{ ...key, engine: 'google', pages: 1 }]);
    expect(oldest()).toEqual([
      [0, 0],
      [1, 60],
    ]);
  });

  test('ends at its deadline with the word of the provider', async () => {
    const now = newDay();
    const key = await givenWaiting(now);

    await sweepTasks(now + deadline);

    expect(await rowOf(key)).toMatchObject({
      status: 'error',
      error_message: 'upstream: the provider has not delivered the pages in time',
    });
  });
});

const throttling = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

/** SQS takes no messages until the returned function is called, or until the end of the test. */
const givenBusyQueue = () => {
  const acceptAgain = () => {
    tables.queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  };
  tables.queue.on(SendMessageBatchCommand).rejects(throttling);
  onTestFinished(acceptAgain);
  return acceptAgain;
};

describe('an overdue webhook', () => {
  const givenEnded = async (now: number, fields: Partial<SerpRow> = {}) => {
    const key = await givenTask(now);
    await failTask(key, { status: 'error', error_message: 'captcha: blocked' }, now);
    await set(key, { due_at: now + 25, ...fields });
    return key;
  };

  test.each([0, 2])('is queued with the attempt after the last one that began (%i)', async (begun) => {
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

  test('is also queued after the deadline of the task, and the outcome of the task does not change', async () => {
    const now = newDay();
    const key = await givenEnded(now);
    const before = await rowOf(key);

    await sweepTasks(now + deadline);

    expect(queuedDeliveries()).toHaveLength(2);
    expect(await rowOf(key)).toEqual({
      ...before,
      due_at: now + deadline + 60,
      queued_at: now + deadline,
    });
  });

  /** Messages wait in a queue until the returned function is called, or until the end of the test. */
  const givenWaiting = (queue: 'POSTBACK_QUEUE_URL' | 'PATIENT_QUEUE_URL' | 'CRAWL_QUEUE_URL') => {
    const count = (n: string) => {
      const of = tables.queue.on(GetQueueAttributesCommand, { QueueUrl: process.env[queue] });
      of.resolves({ Attributes: { ApproximateNumberOfMessages: n } });
    };
    count('3');
    onTestFinished(() => count('0'));
    return () => count('0');
  };
  const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

  test.each(['POSTBACK_QUEUE_URL', 'PATIENT_QUEUE_URL'] as const)(
    'is not queued again while messages wait in %s, but after 15 minutes, and then every 15 minutes',
    async (queue) => {
      const now = newDay();
      const key = await givenEnded(now);
      givenWaiting(queue);

      for (const minute of minutes(0, 15)) await sweepTasks(now + 25 + 60 * minute);
      expect(queuedDeliveries()).toHaveLength(1);
      expect(await rowOf(key)).toMatchObject({ due_at: now + 25 + quarter });
      expect(logged('task taken up again')).toEqual([]);

      for (const minute of minutes(15, 30)) await sweepTasks(now + 25 + 60 * minute);
      expect(queuedDeliveries()).toHaveLength(2);
      await sweepTasks(now + 25 + 2 * quarter);
      expect(queuedDeliveries()).toHaveLength(3);
    },
  );

  test('is queued as soon as no message waits', async () => {
    const now = newDay();
    await givenEnded(now);
    const takeAll = givenWaiting('POSTBACK_QUEUE_URL');
    await sweepTasks(now + 25);
    expect(queuedDeliveries()).toHaveLength(1);
    takeAll();
    await sweepTasks(now + 85);
    expect(queuedDeliveries()).toHaveLength(2);
  });

  test('is queued while only tasks wait', async () => {
    const now = newDay();
    await givenEnded(now);
    givenWaiting('CRAWL_QUEUE_URL');

    await sweepTasks(now + 25);

    expect(queuedDeliveries()).toHaveLength(2);
  });

  test('is queued once while messages wait, if its last attempt has died or no machine makes the next', async () => {
    const now = newDay();
    const died = await givenEnded(now, { delivery_attempt: 1, delivery_state: 'sending' });
    const forgotten = await givenEnded(now, { delivery_attempt: 3, delivery_state: 'pending' });
    tables.queue.resetHistory();
    givenWaiting('POSTBACK_QUEUE_URL');

    for (const minute of minutes(0, 15)) await sweepTasks(now + 25 + 60 * minute);

    expect(queuedDeliveries()).toHaveLength(2);
    expect(queuedDeliveries()).toContainEqual(expect.objectContaining({ ...died, attempt: 2 }));
    expect(queuedDeliveries()).toContainEqual(expect.objectContaining({ ...forgotten, attempt: 4 }));
  });

  test('is queued again at once if an attempt has begun since', async () => {
    const now = newDay();
    const key = await givenEnded(now, { delivery_attempt: 1, delivery_state: 'sending' });
    const { delivery } = await rowOf(key);
    tables.queue.resetHistory();
    givenWaiting('POSTBACK_QUEUE_URL');
    await sweepTasks(now + 25);

    await beginAttempt({ ...key, delivery: delivery ?? '', attempt: 2 }, now + 60, now + 35);
    await sweepTasks(now + 60);

    expect(queuedDeliveries()).toMatchObject([{ attempt: 2 }, { attempt: 3 }]);
  });

  test('that its queue did not take is queued by the next sweep, although messages wait', async () => {
    const now = newDay();
    const key = await givenEnded(now, { delivery_attempt: 1, delivery_state: 'sending' });
    tables.queue.resetHistory();
    givenWaiting('POSTBACK_QUEUE_URL');
    const acceptAgain = givenBusyQueue();
    await sweepTasks(now + 25);
    acceptAgain();
    const { due_at = 0 } = await rowOf(key);
    tables.queue.resetHistory();

    await sweepTasks(due_at);

    expect(queuedDeliveries()).toHaveLength(1);
  });

  test('is not queued if the task has no delivery', async () => {
    const now = newDay();
    await givenEnded(now, { delivery: null });

    await sweepTasks(now + 25);

    expect(queuedDeliveries()).toHaveLength(1);
  });
});

describe('back-pressure', () => {
  test('a task that the queue does not take is due again soon, and the sweep does not fail', async () => {
    const now = newDay();
    const key = await givenTask(now);
    givenBusyQueue();

    expect(await sweepTasks(now + quarter)).toBe(1);

    const { due_at = 0 } = await rowOf(key);
    expect(due_at).toBeGreaterThanOrEqual(now + quarter + 60);
    expect(due_at).toBeLessThanOrEqual(now + quarter + 120);
    expect(logged('AWS refused')).toMatchObject([{ AwsRefusals: 1 }]);
  });

  test('a sweep that cannot read ends at once, and records no age', async () => {
    const send = vi.spyOn(dynamo, 'send').mockRejectedValue(throttling as never);
    onTestFinished(() => send.mockRestore());

    expect(await sweepTasks(newDay())).toBe(0);

    expect(logged('AWS refused')).toHaveLength(1);
    expect(oldest()).toEqual([]);
  });

  test('a webhook whose last attempt has no recorded outcome is queued with a delay', async () => {
    const now = newDay();
    const key = await givenTask(now);
    await failTask(key, { status: 'error', error_message: 'captcha: blocked' }, now);
    await set(key, { delivery_state: 'sending', delivery_attempt: 1 });
    tables.queue.resetHistory();

    await sweepTasks(now + 25);

    const [sent] = tables.queue.commandCalls(SendMessageBatchCommand);
    expect(sent?.args[0].input.Entries).toMatchObject([{ DelaySeconds: 20 }]);
    expect(queuedDeliveries()).toMatchObject([{ ...key, attempt: 2 }]);
  });
});

test('an expired task is deleted, and the log says that it had work left', async () => {
  const now = newDay();
  const key = await givenTask(now);

  expect(await sweepTasks(now + 86_400)).toBe(1);

  const { Item } = await dynamo.send(
    new GetCommand({ TableName: process.env.TASKS_TABLE, Key: rowKey(key) }),
  );
  expect(Item).toBeUndefined();
  expect(queuedCrawls()).toEqual([]);
  expect(logged('expired with work left')).toMatchObject([
    { level: 'WARN', user_id: 1, task_id: key.id, status: 'awaiting' },
  ]);
  expect(oldest()).toEqual([[1, 0]]);
});

test.each<[string, (now: number) => Partial<SerpRow>]>([
  ['is due later', (now) => ({ due_at: now + deadline + 1 })],
  ['needs no further step', () => ({ postponed_to: 0, due_at: undefined, unfinished: undefined })],
])('the sweeper skips a task that %s, even if the index still lists it', async (_, fields) => {
  const now = newDay();
  const key = await givenTask(now);
  afterRead('index', () => set(key, fields(now)));

  expect(await sweepTasks(now + deadline)).toBe(1);

  expect(await rowOf(key)).toMatchObject({ status: 'awaiting' });
  expect(queuedCrawls()).toEqual([]);
  expect(logged('task taken up again')).toEqual([]);
  expect(oldest()).toEqual([[1, 0]]);
});

describe('the index of unfinished work', () => {
  test('is swept in all of its partitions, those of sixteen and those of 64', async () => {
    const now = newDay();
    const keys: TaskKey[] = [];
    for (let n = 0; n < 64; n += 1) keys.push(await givenTask(now));
    for (const [n, key] of keys.entries()) {
      await dynamo.send(
        new UpdateCommand({
          TableName: process.env.TASKS_TABLE,
          Key: rowKey(key),
          UpdateExpression: 'SET unfinished = :partition',
          ExpressionAttributeValues: { ':partition': `task#${n}` },
        }),
      );
    }

    expect(await sweepTasks(now + quarter)).toBe(64);
  });

  test('gives each key of a long partition once, and those of the last minute first', async () => {
    const now = newDay();
    const ids: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const key = await givenTask(now);
      ids.push(key.id);
      await dynamo.send(
        new UpdateCommand({
          TableName: process.env.TASKS_TABLE,
          Key: rowKey(key),
          UpdateExpression: 'SET unfinished = :partition, due_at = :due',
          ExpressionAttributeValues: { ':partition': 'task#0', ':due': now - 120 + 10 * n },
        }),
      );
    }
    const own = new Set(ids);
    const found: number[] = [];
    for await (const keys of readOverdue('task', { recent: now - 60, to: now }, 4)) {
      found.push(...keys.map(({ id }) => id).filter((id) => own.has(id)));
    }

    expect(found).toEqual([...ids.slice(6), ...ids.slice(0, 6)]);
  });
});
