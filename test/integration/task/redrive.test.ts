/** An operator's redrive: a task in `dead_letter` begins anew, once, and one in any other state does not. */
import { expect, test } from 'vitest';
import { givenTask, queuedCrawls } from './given.ts';

const { clock } = await import('../../../lib/runtime/clock.ts');
const { moveRow, readOverdue, readRow } = await import('../../../lib/store/tasks.ts');
const { endings, endTask } = await import('../../../lib/task/fail.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { statesBefore } = await import('../../../lib/task/status.ts');

test('puts a dead task back to its beginning, and on the queue', async () => {
  const now = clock();
  const key = await givenTask(now);
  await endTask(key, endings.broken);
  expect(await readRow(key.user_id, key.id)).toMatchObject({
    status: 'dead_letter',
    delivery_state: 'pending',
  });

  expect(await redriveTask(key, now)).toBe('queued');

  const row = await readRow(key.user_id, key.id);
  expect(row).toMatchObject({
    status: 'awaiting',
    error_message: null,
    delivery: null,
    due_at: now + 900,
    pages: [{ status: 'awaiting' }],
  });
  expect(row).not.toHaveProperty('delivery_state');
  expect(queuedCrawls()).toEqual([{ ...key, pages: 1 }]);
  expect(await readOverdue(clock() + 3600, 1000)).toContainEqual(key);
});

test('a second time queues what still waits again, and changes nothing', async () => {
  const key = await givenTask(clock());
  await endTask(key, endings.broken);
  await redriveTask(key);
  const first = await readRow(key.user_id, key.id);

  expect(await redriveTask(key)).toBe('queued');

  expect(await readRow(key.user_id, key.id)).toEqual(first);
  expect(queuedCrawls()).toEqual([
    { ...key, pages: 1 },
    { ...key, pages: 1 },
  ]);
});

test.each(['crawling', 'parsing', 'success', 'error'] as const)(
  'leaves a task in %s alone',
  async (status) => {
    const key = await givenTask(clock());
    await moveRow(key, { from: statesBefore('dead_letter') }, { status });

    expect(await redriveTask(key)).toBe('left alone');

    expect(await readRow(key.user_id, key.id)).toMatchObject({ status });
    expect(queuedCrawls()).toEqual([]);
  },
);

test('says so where the task has expired', async () => {
  const key = await givenTask(clock() - 2 * 86_400);

  expect(await redriveTask(key)).toBe('expired');
});
