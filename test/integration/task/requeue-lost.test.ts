/** When the embedded stack starts, it makes tasks due at once if their messages are lost. */
import { expect, test } from 'vitest';
import { givenTask, logged, queuedCrawls, rowOf } from './given.ts';

const { failures, failTask } = await import('../../../lib/task/fail.ts');
const { requeueLost } = await import('../../../lib/task/requeue-lost.ts');
const { withScope } = await import('../../../lib/runtime/scope.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');
const { putRows } = await import('../../../lib/store/new-tasks.ts');

const now = 1_790_000_000;

test('makes only tasks without a message due at once', async () => {
  const [lost, queued, ended] = [await givenTask(now), await givenTask(now), await givenTask(now)];
  await failTask(ended, failures.broken, now);
  const expired = await givenTask(now - 2 * 86_400);

  await requeueLost([queued], now + 1);

  expect(await rowOf(lost)).toMatchObject({ status: 'awaiting', due_at: now + 1 });
  expect(await rowOf(queued)).toMatchObject({ due_at: now + 900 });
  // A pending webhook has its own due time.
  expect(await rowOf(ended)).toMatchObject({ due_at: now + 25 });
  expect(await rowOf(expired)).toMatchObject({ due_at: now - 2 * 86_400 + 900 });
});

test('distinguishes tasks of two users with the same id', async () => {
  const one = await givenTask(now, {}, 7);
  const other = { user_id: 8, id: one.id };
  await putRows([{ ...(await rowOf(one)), ...other }]);

  await requeueLost([one], now + 1);

  expect(await rowOf(one)).toMatchObject({ due_at: now + 900 });
  expect(await rowOf(other)).toMatchObject({ due_at: now + 1 });
});

test('a task that was never queued keeps its trace when the sweeper queues it', async () => {
  const [root, trace] = ['1-65a1b2c3-0123456789abcdef01234567', 'Root=1-65a1b2c3-0123456789abcdef01234567'];
  const key = await withScope({ trace }, () => givenTask(now));

  await requeueLost([], now + 1);
  await sweepTasks(now + 1);

  expect(queuedCrawls()).toContainEqual({ ...key, engine: 'google', pages: 1, trace });
  expect(logged('task taken up again').filter(({ task_id }) => task_id === key.id)).toMatchObject([
    { trace_id: root },
  ]);
});
