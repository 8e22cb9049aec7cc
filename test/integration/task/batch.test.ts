/** Batches: their ids, and the one webhook at the end of all tasks (Reading 46). */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import { accountOf } from '../account.ts';
import { queuedDeliveries, rowOf, tables } from './given.ts';

// The stores read their names from the environment when they are imported: import them after `given.ts`.
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { readBatchProgress } = await import('../../../lib/crawl/read-batch.ts');
const { readBatch } = await import('../../../lib/store/batches.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { checkBatch } = await import('../../../lib/task/end-batch.ts');
const { failTask } = await import('../../../lib/task/fail.ts');
const { batchIdOf, batchTaskIds } = await import('../../../lib/task/id.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

/** Each test uses its own day, so that rows of other tests are not overdue in it. */
let lastDay = 19_000;
const newDay = () => --lastDay * 86_400;
const hook = 'https://receiver.example/batch';
const failure = { status: 'error', error_message: 'captcha: blocked' } as const;

const givenBatch = async (now: number, count: number, postbackUrl: string | null = hook, userId = 1) => {
  const requests = Array.from({ length: count }, (_, n) =>
    v.parse(GoogleCrawlRequest, { keyword: `tea ${n}`, location_name: 'Canada', iso_code: 'CA' }),
  );
  const tasks = await createV2Tasks(accountOf(userId), requests, 'https://here.example', now, {
    batch: { postbackUrl },
  });
  tables.queue.resetHistory();
  const ids = tasks.map(({ id }) => id);
  return { key: { user_id: userId, id: batchIdOf(ids[0] ?? 0) }, ids };
};

/** Ends a task without the check of its batch, as a process that is killed after the final write does. */
const endUnnoticed = (id: number, userId = 1) =>
  moveRow({ user_id: userId, id }, { from: ['awaiting'] }, { status: 'success' });

const delivered = ({ user_id, id }: { user_id: number; id: number }) => ({
  user_id,
  id,
  delivery: `msg_${user_id}_${id}_0`,
  attempt: 1,
});

describe('the ids', () => {
  test('of a batch and its tasks follow each other, also over the end of a counter', async () => {
    const last = 2 ** 16 - 1;
    const id = 5 * 2 ** 21 + 3 * 2 ** 16 + last;

    expect(batchTaskIds(id, 3)).toEqual([0, 1, 2].map((n) => 5 * 2 ** 21 + 3 * 2 ** 16 + n));
    expect(batchIdOf(5 * 2 ** 21 + 3 * 2 ** 16)).toBe(id);
  });

  test('of the tasks are those that the batch names, and the batch itself is no task', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 5);

    expect(batchTaskIds(key.id, 5)).toEqual(ids);
    expect(Number.isSafeInteger(key.id)).toBe(true);
    expect(await readRow(1, key.id, now)).toBeUndefined();
    expect(await readBatch({ user_id: 1, id: ids[0] ?? 0 }, now)).toBeUndefined();
  });

  test('a batch of one task is a batch', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 1);

    expect(batchTaskIds(key.id, 1)).toEqual(ids);
    expect(await readBatchProgress(accountOf(1), key.id, now)).toMatchObject({ total: 1 });
  });
});

describe('the progress', () => {
  test('counts the tasks by status, and has a link to the results once all are final', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 3, null);
    await endUnnoticed(ids[1] ?? 0);

    const running = await readBatchProgress(accountOf(1), key.id, now);
    expect(running).toMatchObject({ status: 'running', total: 3, created_at: now, results_url: null });
    expect(running.counts).toMatchObject({ awaiting: 2, success: 1, error: 0 });

    for (const id of ids) await failTask({ user_id: 1, id }, failure, now);
    expect(await readBatchProgress(accountOf(1), key.id, now)).toMatchObject({
      status: 'finished',
      counts: { awaiting: 0, success: 1, error: 2 },
      results_url: `https://here.example/api/v2/serp/batches/${key.id}/results`,
    });
  });

  test('of an unknown, a foreign and an expired batch, and of a task, is 404', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 2);
    const read = (userId: number, id: number, at = now) => readBatchProgress(accountOf(userId), id, at);
    const notFound = { statusCode: 404, detail: 'Batch not found' };

    await expect(read(2, key.id)).rejects.toMatchObject(notFound);
    await expect(read(1, key.id + 16)).rejects.toMatchObject(notFound);
    await expect(read(1, ids[0] ?? 0)).rejects.toMatchObject(notFound);
    await expect(read(1, key.id, now + 86_400)).rejects.toMatchObject(notFound);
  });
});

describe('the webhook', () => {
  test.each([
    ['first to last', (ids: number[]) => ids],
    ['last to first', (ids: number[]) => ids.toReversed()],
    ['middle first', (ids: number[]) => [...ids.slice(5), ...ids.slice(0, 5)]],
  ])('is queued once, after the last end, if the tasks end %s', async (_, order) => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 12);
    const ending = order(ids);

    for (const id of ending.slice(0, -1)) await failTask({ user_id: 1, id }, failure, now);
    expect(queuedDeliveries()).toEqual([]);
    await failTask({ user_id: 1, id: ending.at(-1) ?? 0 }, failure, now);

    expect(queuedDeliveries()).toEqual([delivered(key)]);
    expect(await readBatch(key, now)).toMatchObject({
      delivery: `msg_1_${key.id}_0`,
      delivery_state: 'pending',
      counts: { error: 12, success: 0 },
    });
  });

  test('has one delivery if all tasks end at once', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 40);

    await Promise.all(ids.map((id) => failTask({ user_id: 1, id }, failure, now)));

    const ofBatch = queuedDeliveries();
    expect(new Set(ofBatch.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify(delivered(key))]),
    );
    expect(await readBatch(key, now)).toMatchObject({ counts: { error: 40 } });
  });

  test('of a repeated check is the same, until its first attempt begins', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 2);
    for (const id of ids) await failTask({ user_id: 1, id }, failure, now);

    expect(await checkBatch(key, ids[0], now)).toEqual(delivered(key));
    await dynamo.send(
      new UpdateCommand({
        TableName: process.env.TASKS_TABLE,
        Key: rowKey(key),
        UpdateExpression: 'SET delivery_attempt = :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expect(await checkBatch(key, ids[0], now)).toBeNull();
  });

  test('is queued by the sweeper if nothing followed the last end', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 6);
    for (const id of ids.slice(0, 5)) await endUnnoticed(id);
    await sweepTasks(now + 60);
    expect(queuedDeliveries()).toEqual([]);

    await endUnnoticed(ids[5] ?? 0);
    await sweepTasks(now + 121);
    expect(queuedDeliveries()).toEqual([delivered(key)]);
    expect(await readBatch(key, now)).toMatchObject({ counts: { success: 6 } });
  });

  test('is queued again by the sweeper if its message was lost', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 1);
    await endUnnoticed(ids[0] ?? 0);
    await checkBatch(key, ids[0], now);

    await sweepTasks(now + 25);

    expect(queuedDeliveries()).toEqual([delivered(key)]);
  });

  test('follows the deadline of the last task', async () => {
    const now = newDay();
    const { key } = await givenBatch(now, 3);

    await sweepTasks(now + 6 * 3600);

    expect(queuedDeliveries()).toEqual([delivered(key)]);
  });

  test('waits for a task that an operator started again', async () => {
    const now = newDay();
    const { key, ids } = await givenBatch(now, 3);
    const [first = 0, second = 0, third = 0] = ids;
    await failTask({ user_id: 1, id: third }, { ...failure, status: 'dead_letter' }, now);
    await moveRow({ user_id: 1, id: third }, { from: ['dead_letter'] }, { status: 'awaiting' });
    await failTask({ user_id: 1, id: first }, failure, now);
    await failTask({ user_id: 1, id: second }, failure, now);
    expect(queuedDeliveries()).toEqual([]);

    await failTask({ user_id: 1, id: third }, failure, now);
    expect(queuedDeliveries()).toEqual([delivered(key)]);
  });

  test('costs no read and no attribute in the tasks of a batch without one', async () => {
    const now = newDay();
    const { ids } = await givenBatch(now, 2, null);

    expect(await rowOf({ user_id: 1, id: ids[0] ?? 0 })).not.toHaveProperty('batch_id');
  });
});
