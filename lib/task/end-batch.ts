/**
 * Finds the end of a batch with a webhook. The row of the batch names one task that was not final. Only the
 * end of that task is followed by a search for another one, so that all searches of a batch together read
 * each task about twice, however the tasks end.
 */
import { type BatchCounts, noCounts } from '../model/batch.ts';
import type { DeliveryKey, TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { endBatch, readBatch, waitForTask } from '../store/batches.ts';
import { unfinishedPartition } from '../store/partitions.ts';
import type { BatchRow } from '../store/task-row.ts';
import { readRows } from '../store/tasks.ts';
import { batchTaskIds } from './id.ts';
import { isFinal } from './status.ts';
import { unsentSeconds } from './timing.ts';

/** Tasks that the first and the largest read of a search have. The next unfinished task is usually close. */
const firstRead = 4;
const largestRead = 100;

/**
 * The tasks of a batch in the order of a search: from the one that the batch waits for to the first, then
 * from the last to that one.
 */
const searchOrder = (row: BatchRow): number[] => {
  const ids = batchTaskIds(row.id, row.tasks);
  const at = ids.indexOf(row.waits_for);
  return [...ids.slice(0, at + 1).toReversed(), ...ids.slice(at + 1).toReversed()];
};

/**
 * Returns a task that is not final, or the counts of all tasks if there is none. Reads as few tasks as that
 * needs.
 */
const search = async (row: BatchRow, now: number): Promise<{ open: number } | { counts: BatchCounts }> => {
  const { user_id } = row;
  const counts = { ...noCounts };
  const ids = searchOrder(row);
  for (let size = firstRead; ids.length > 0; size = Math.min(largestRead, size * 4)) {
    const keys = ids.splice(0, size).map((id) => ({ user_id, id }));
    for (const read of await readRows(keys, now)) {
      if (read.status === 'rejected') throw read.reason;
      const task = read.value;
      if (!task || task.kind === 'batch' || task.kind === 'alert') continue;
      if (!isFinal(task.status)) return { open: task.id };
      if (task.status !== 'completed') counts[task.status] += 1;
    }
  }
  return { counts };
};

/**
 * The delivery that no attempt has begun yet, and that must therefore be queued (again); null if there is
 * none.
 */
const waitingDelivery = ({
  user_id,
  id,
  delivery,
  delivery_state,
  delivery_attempt,
}: BatchRow): DeliveryKey | null =>
  delivery && delivery_state === 'pending' && delivery_attempt === 0
    ? { user_id, id, delivery, attempt: 1 }
    : null;

/**
 * Ends the batch if all of its tasks are final. Call it after the final write of a task, with the task's id
 * as `ended`, or at any time without it. Returns the delivery that the caller must queue; null if there is
 * none. A repeated call returns the same delivery.
 */
export const checkBatch = async (
  key: TaskKey,
  ended?: number,
  now = clock(),
): Promise<DeliveryKey | null> => {
  const { user_id, id } = key;
  for (;;) {
    const row = await readBatch({ user_id, id }, now);
    if (!row?.postback_url) return null;
    if (row.delivery) return waitingDelivery(row);
    if (ended !== undefined && row.waits_for !== ended) return null;
    const found = await search(row, now);
    if ('open' in found) {
      if (found.open === row.waits_for || !(await waitForTask(row, found.open))) return null;
      // That task may have ended before the write, and then it did not find itself in the row. Look again.
      ended = found.open;
      continue;
    }
    const delivery = `msg_${user_id}_${id}_0`;
    const isEnded = await endBatch(row, {
      counts: found.counts,
      delivery,
      delivery_state: 'pending',
      delivery_attempt: 0,
      waits_since: now,
      unfinished: unfinishedPartition('delivery', id),
      due_at: now + unsentSeconds,
    });
    if (!isEnded) return null;
    log.info('batch ended', { batch: id, tasks: row.tasks, seconds: now - row.created_at });
    return { user_id, id, delivery, attempt: 1 };
  }
};
