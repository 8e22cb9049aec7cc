/** What a start after a crash does where everything dies at once, queues and consumers with it: the embedded stack. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { postponeRow, readOverdue, readRow } from '../store/tasks.ts';
import { isFinal } from './status.ts';

/** Of each partition; whoever lies behind them waits for the sweeper. */
const limit = 10_000;

const keyOf = ({ user_id, id }: TaskKey) => `${user_id}/${id}`;

/**
 * Makes tasks due at once that no message in the queues stands for. Elsewhere nobody can tell those from tasks whose message
 * waits its turn, and so they lie until the sweeper finds them unclaimed for too long.
 */
export const requeueLost = async (queued: readonly TaskKey[], now = clock()): Promise<void> => {
  const queuedKeys = new Set(queued.map(keyOf));
  const unfinished = await readOverdue(Number.MAX_SAFE_INTEGER, limit);
  for (const key of unfinished.filter((each) => !queuedKeys.has(keyOf(each)))) {
    const row = await readRow(key.user_id, key.id, now);
    // A webhook that waits has its own time.
    if (row?.due_at && !isFinal(row.status)) await postponeRow(row, row.due_at, now);
  }
};
