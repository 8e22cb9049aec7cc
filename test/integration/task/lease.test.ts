/** The lease of a run: no other run claims the task before its end. */
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import { givenTask, queuedCrawls, rowOf, tables } from './given.ts';

const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { requeueLost } = await import('../../../lib/task/requeue-lost.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { putRows } = await import('../../../lib/store/new-tasks.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');

const dropRow = (key: TaskKey) =>
  dynamo.send(new DeleteCommand({ TableName: process.env.TASKS_TABLE, Key: rowKey(key) }));

describe('a task that a run has claimed', () => {
  test('is not claimed again before the lease ends', async () => {
    const now = clock();
    const key = await givenTask(now, { frequency: 0 });

    expect(await planPages(key, now)).toMatchObject({ outcome: 'claimed', attempt: 1 });
    expect(await planPages(key, now + 299)).toMatchObject({ outcome: 'stale' });
    expect(await rowOf(key)).toMatchObject({ attempt: 1, lease_until: now + 300, status: 'crawling' });

    expect(await planPages(key, now + 300)).toMatchObject({ outcome: 'claimed', attempt: 2 });
  });

  test('is free when the embedded stack starts again, because the run died with the process', async () => {
    const now = clock();
    const key = await givenTask(now, { frequency: 0 });
    await planPages(key, now);

    await requeueLost([key], now + 1);

    expect(await rowOf(key)).toMatchObject({ lease_until: 0, due_at: now + 900 });
    expect(await planPages(key, now + 1)).toMatchObject({ outcome: 'claimed', attempt: 2 });
  });
});

test.each([
  ['0', 1],
  ['3', 0],
])('with %s messages in its queue, an unclaimed task gets %i more', async (count, messages) => {
  const now = clock();
  await givenTask(now, { frequency: 0 });
  tables.queue.on(GetQueueAttributesCommand).resolves({ Attributes: { ApproximateNumberOfMessages: count } });

  await sweepTasks(now + 900);

  expect(queuedCrawls().length >= 1 ? 1 : 0).toBe(messages);
});

test('a row that cannot be read does not keep the sweeper from other tasks, and the sweep fails', async () => {
  const now = clock();
  const unreadable = await givenTask(now, { frequency: 0 });
  await putRows([{ ...(await rowOf(unreadable)), version: 99 }]);
  const other = await givenTask(now, { frequency: 0 });

  await expect(sweepTasks(now + 900)).rejects.toThrow('written by a later release');

  expect(await rowOf(other)).toMatchObject({ due_at: now + 1800 });
  await dropRow(unreadable);
});

test('a sweep ends when its time is up', async () => {
  const now = clock();
  await givenTask(now, { frequency: 0 });

  expect(await sweepTasks(now + 900, () => true)).toBe(0);
});
