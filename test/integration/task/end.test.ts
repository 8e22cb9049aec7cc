/** Tasks that end without a result. */
import { expect, test } from 'vitest';
import { givenTask, logged, queuedDeliveries, rowOf } from './given.ts';

// The stores read their names from the environment when they are imported: import them after `given.ts`.
const { afterRead } = await import('../after-read.ts');
const { moveRow } = await import('../../../lib/store/tasks.ts');
const { failures, failTask } = await import('../../../lib/task/fail.ts');

const now = 1_790_000_000;

test.each([
  ['timeout', failures.late, 'error'],
  ['throttled', failures.throttled, 'error'],
  ['machinery', failures.broken, 'dead_letter'],
])('a task that ends for %s has failed pages and a queued webhook', async (reason, end, status) => {
  const key = await givenTask(now, { depth: 20 });

  await failTask(key, end, now + 5);

  const row = await rowOf(key);
  expect(row).toMatchObject({
    ...end,
    status,
    succeed_at: 0,
    pages: [{ status: 'failed' }, { status: 'failed' }],
    delivery: `msg_1_${key.id}_0`,
    due_at: now + 5 + 25,
  });
  expect(end.error_message.startsWith(`${reason}: `)).toBe(true);
  expect(queuedDeliveries()).toEqual([{ ...key, delivery: row.delivery, attempt: 1 }]);
  expect(logged('task ended')).toMatchObject([
    { engine: 'google', status, reason, reused: false, pages: 2, TaskSucceeded: 0, TaskSeconds: 5 },
  ]);
});

test('a task without a webhook ends without a delivery', async () => {
  const key = await givenTask(now, { postback_url: null });

  await failTask(key, failures.late, now);

  expect(await rowOf(key)).toMatchObject({ status: 'error', delivery: null });
  expect(queuedDeliveries()).toEqual([]);
});

test('failTask does not change a task that is already final', async () => {
  const key = await givenTask(now);
  await failTask(key, failures.broken, now);
  const before = await rowOf(key);

  await failTask(key, failures.late, now + 1);

  expect(await rowOf(key)).toEqual(before);
  expect(queuedDeliveries()).toHaveLength(1);
  expect(logged('task ended')).toHaveLength(1);
});

test('failTask does not change an expired task', async () => {
  const key = await givenTask(now);
  const before = await rowOf(key);

  await failTask(key, failures.late, now + 86_400);

  expect(await rowOf(key)).toEqual(before);
  expect(queuedDeliveries()).toEqual([]);
});

test('failTask does not change a task that a new run claims at the same time', async () => {
  const key = await givenTask(now);
  afterRead('row', () => moveRow(key, { from: ['awaiting'] }, { status: 'crawling', attempt: 1 }));

  await failTask(key, failures.broken, now);

  expect(await rowOf(key)).toMatchObject({ status: 'crawling', attempt: 1 });
  expect(queuedDeliveries()).toEqual([]);
});
