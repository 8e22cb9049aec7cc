/** An operator's redrive restarts a task in `dead_letter`, once. A task in any other state is left alone. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { clock } = await import('../../../lib/runtime/clock.ts');
const { moveRow, readOverdue, readRow } = await import('../../../lib/store/tasks.ts');
const { createTasks } = await import('../../../lib/crawl/create.ts');
const { failures, failTask } = await import('../../../lib/task/fail.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { statesBefore } = await import('../../../lib/task/status.ts');
afterAll(() => tables.stop());
beforeEach(() => tables.queue.resetHistory());

const account = accountOf(1);

const givenTask = async (now = clock()): Promise<TaskKey> => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword: 'tea',
    location_name: 'Canada',
    iso_code: 'CA',
    postback_url: 'https://receiver.example/hook',
  });
  const [task] = await createTasks(account, [request], 'https://here.example', now);
  tables.queue.resetHistory();
  return { user_id: 1, id: task?.id ?? 0 };
};

const queued = () =>
  tables.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args: [{ input }] }) =>
      (input.Entries ?? []).map(({ MessageBody = '' }) => JSON.parse(MessageBody)),
    );

test('sets a dead task back to awaiting and queues it', async () => {
  const key = await givenTask();
  await failTask(key, failures.broken);
  expect(await readRow(key.user_id, key.id)).toMatchObject({
    status: 'dead_letter',
    delivery_state: 'pending',
  });

  expect(await redriveTask(key)).toBe('queued');

  const row = await readRow(key.user_id, key.id);
  expect(row).toMatchObject({
    status: 'awaiting',
    error_message: null,
    delivery: null,
    pages: [{ status: 'awaiting' }],
  });
  expect(row).not.toHaveProperty('delivery_state');
  expect(queued()).toEqual([{ ...key, engine: 'google', pages: 1 }]);
  expect(await readOverdue(clock() + 3600, 1000)).toContainEqual(key);
});

test('a second redrive queues a waiting task again and changes nothing', async () => {
  const key = await givenTask();
  await failTask(key, failures.broken);
  await redriveTask(key);
  const first = await readRow(key.user_id, key.id);

  expect(await redriveTask(key)).toBe('queued');

  expect(await readRow(key.user_id, key.id)).toEqual(first);
  expect(queued()).toEqual([
    { ...key, engine: 'google', pages: 1 },
    { ...key, engine: 'google', pages: 1 },
  ]);
});

test.each(['crawling', 'parsing', 'success', 'error'] as const)(
  'leaves a task in %s alone',
  async (status) => {
    const key = await givenTask();
    await moveRow(key, { from: statesBefore('serp', 'dead_letter') }, { status });

    expect(await redriveTask(key)).toBe('left alone');

    expect(await readRow(key.user_id, key.id)).toMatchObject({ status });
    expect(queued()).toEqual([]);
  },
);

test('answers expired for a task that has expired', async () => {
  const key = await givenTask(clock() - 2 * 86_400);

  expect(await redriveTask(key)).toBe('expired');
});
