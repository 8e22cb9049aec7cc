/**
 * Recovers tasks at a start after a crash. Only the embedded stack uses it: there, the queues and the
 * consumers die together.
 */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { moveRow, postponeRow, readTaskRow } from '../store/tasks.ts';
import { readOverdue } from '../store/unfinished.ts';
import { isLeased } from './lease.ts';
import { isFinal } from './status.ts';

/** Tasks of each partition that one query returns. */
const limit = 1000;

const keyOf = ({ user_id, id }: TaskKey) => `${user_id}/${id}`;

/**
 * Ends the leases of the runs that died with the former process. Makes tasks that have no message in the
 * queues due at once, so that the sweeper queues them again. On AWS, such a task cannot be distinguished from
 * one whose message waits for its turn, so it waits until it is unclaimed for too long.
 */
export const requeueLost = async (queued: readonly TaskKey[], now = clock()): Promise<void> => {
  const queuedKeys = new Set(queued.map(keyOf));
  // Read all keys first: a task that is made due at once would move in the index.
  const unfinished: TaskKey[] = [];
  for await (const keys of readOverdue('task', { to: Number.MAX_SAFE_INTEGER }, limit))
    unfinished.push(...keys);
  await inParallel(unfinished, 8, async (key) => {
    const row = await readTaskRow(key.user_id, key.id, now);
    if (!row?.due_at || isFinal(row.status)) return;
    if (isLeased(row, now)) {
      await moveRow(row, { from: [row.status], attempt: row.attempt }, { lease_until: 0 });
    }
    if (!queuedKeys.has(keyOf(key))) await postponeRow(row, row.due_at, now);
  });
};
