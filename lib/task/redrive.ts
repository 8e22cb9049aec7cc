/**
 * Starts a task again that broken machinery ended, after the machinery is repaired: `dead_letter` to
 * `awaiting`.
 */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import { moveRow, readTaskRow } from '../store/tasks.ts';
import { kinds } from './kinds.ts';
import { queueTasks } from './queue.ts';
import { statesBefore } from './status.ts';
import { unclaimedSeconds } from './timing.ts';

/**
 * Resets the task and queues it. A repeated call is harmless: a waiting task is queued again, which costs a
 * crawl at worst, and a running or ended task is left alone. Returns whether the task was queued, or why not.
 */
export const redriveTask = async (
  { user_id, id }: TaskKey,
  now = clock(),
): Promise<'queued' | 'expired' | 'left alone'> => {
  const row = await readTaskRow(user_id, id, now);
  if (!row) return 'expired';
  const moved = await moveRow(
    row,
    { from: statesBefore(row.kind, 'awaiting'), attempt: row.attempt },
    {
      status: 'awaiting',
      error_message: null,
      ...kinds[row.kind].reset(row),
      // Reading 35: the new run has its own delivery. The former delivery, which reports an error, is no
      // longer made.
      delivery: null,
      delivery_state: undefined,
      delivery_attempt: 0,
      lease_until: 0,
      failed: undefined,
      collected: undefined,
      // The sweeper finds the task again, in case the process dies before the task is queued.
      unfinished: unfinishedPartition('task', id),
      due_at: now + unclaimedSeconds,
    },
  );
  if (!moved && row.status !== 'awaiting') return 'left alone';
  await queueTasks([row]);
  return 'queued';
};
