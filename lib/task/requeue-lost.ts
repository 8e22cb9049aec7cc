/** Recovers tasks at a start after a crash. Only the embedded stack uses it: there, the queues and the consumers die together. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { postponeRow, readOverdue, readRow } from '../store/tasks.ts';
import { isFinal } from './status.ts';

/** Tasks of each partition. Further tasks wait for the sweeper. */
const limit = 10_000;

const keyOf = ({ user_id, id }: TaskKey) => `${user_id}/${id}`;

/**
 * Makes tasks that have no message in the queues due at once, so that the sweeper re-queues them. On AWS, such a task cannot be
 * distinguished from one whose message waits for its turn, so it waits until it is unclaimed for too long.
 */
export const requeueLost = async (queued: readonly TaskKey[], now = clock()): Promise<void> => {
  const queuedKeys = new Set(queued.map(keyOf));
  const unfinished = await readOverdue(Number.MAX_SAFE_INTEGER, limit);
  for (const key of unfinished.filter((each) => !queuedKeys.has(keyOf(each)))) {
    const row = await readRow(key.user_id, key.id, now);
    // A webhook that waits has a due time of its own.
    if (row?.due_at && !isFinal(row.status)) await postponeRow(row, row.due_at, now);
  }
};
