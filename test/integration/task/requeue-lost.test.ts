/** When the embedded stack starts, it makes tasks due at once if their messages are lost. */
import { expect, test } from 'vitest';
import { givenTask, rowOf } from './given.ts';

const { failures, failTask } = await import('../../../lib/task/fail.ts');
const { requeueLost } = await import('../../../lib/task/requeue-lost.ts');
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
