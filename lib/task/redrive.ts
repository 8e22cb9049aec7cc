/** Gives a task that broken machinery ended another life, once the machinery is repaired: `dead_letter` to `awaiting`. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { moveRow, readRow, unfinishedPartition } from '../store/tasks.ts';
import { kinds } from './kinds.ts';
import { queueTasks } from './queue.ts';
import { statesBefore } from './status.ts';
import { unclaimedSeconds } from './timing.ts';

/**
 * Puts the task back to the beginning and on the crawl queue. A second time changes nothing: what waits is queued again,
 * which costs a crawl at worst, and what runs or has ended is left alone. Answers whether it was queued, or why not.
 */
export const redriveTask = async (
  { user_id, id }: TaskKey,
  now = clock(),
): Promise<'queued' | 'expired' | 'left alone'> => {
  const row = await readRow(user_id, id, now);
  if (!row) return 'expired';
  const moved = await moveRow(
    row,
    { from: statesBefore(row.kind, 'awaiting'), attempt: row.attempt },
    {
      status: 'awaiting',
      error_message: null,
      ...kinds[row.kind].reset(row),
      // Reading 35: it delivers anew. What is left of the former delivery, which tells of an error, is wanted no longer.
      delivery: null,
      delivery_state: undefined,
      delivery_attempt: 0,
      // The sweeper looks after it again, in case we die before it is queued.
      unfinished: unfinishedPartition(id),
      due_at: now + unclaimedSeconds,
    },
  );
  if (!moved && row.status !== 'awaiting') return 'left alone';
  await queueTasks([row]);
  return 'queued';
};
