/**
 * An operator's redrive restarts a task in `dead_letter`, once. It does not change a task in any other state.
 */
import { expect, test } from 'vitest';
import { givenTask, queuedCrawls } from './given.ts';

const { clock } = await import('../../../lib/runtime/clock.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { readOverdue } = await import('../../../lib/store/unfinished.ts');
const { failures, failTask } = await import('../../../lib/task/fail.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { statesBefore } = await import('../../../lib/task/status.ts');

test('sets a dead task back to awaiting and queues it', async () => {
  const now = clock();
  const key = await givenTask(now);
  await failTask(key, failures.broken);
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
  expect(queuedCrawls()).toEqual([{ ...key, engine: 'google', pages: 1 }]);
  const { value: overdue } = await readOverdue('task', { to: clock() + 3600 }, 1000).next();
  expect(overdue).toContainEqual(key);
});

test('a second redrive queues the waiting task again and does not change its row', async () => {
  const key = await givenTask(clock());
  await failTask(key, failures.broken);
  await redriveTask(key);
  const first = await readRow(key.user_id, key.id);

  expect(await redriveTask(key)).toBe('queued');

  expect(await readRow(key.user_id, key.id)).toEqual(first);
  expect(queuedCrawls()).toEqual([
    { ...key, engine: 'google', pages: 1 },
    { ...key, engine: 'google', pages: 1 },
  ]);
});

test.each(['crawling', 'parsing', 'success', 'error'] as const)(
  'neither changes nor queues a task in %s',
  async (status) => {
    const key = await givenTask(clock());
    await moveRow(key, { from: statesBefore('serp', 'dead_letter') }, { status });

    expect(await redriveTask(key)).toBe('left alone');

    expect(await readRow(key.user_id, key.id)).toMatchObject({ status });
    expect(queuedCrawls()).toEqual([]);
  },
);

test('returns expired for an expired task', async () => {
  const key = await givenTask(clock() - 2 * 86_400);

  expect(await redriveTask(key)).toBe('expired');
});
