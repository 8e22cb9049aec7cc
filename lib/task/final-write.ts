/** What every final write of a task sets, and what is logged after it, whoever makes it. */
import { log } from '../runtime/log.ts';
import type { TaskRow } from '../store/task-row.ts';
import { unfinishedPartition } from '../store/tasks.ts';
import { unsentSeconds } from './timing.ts';

type End = { status: 'success' } | { status: 'error' | 'dead_letter'; error_message: string };

/**
 * The changes that end a task. A task with a `postback_url` stays among the unfinished until its webhook is delivered or
 * parked; the id of the delivery is bound to the run, so that a redriven task delivers under another (Reading 35).
 */
export const finalChanges = (row: TaskRow, end: End, now: number) => ({
  ...end,
  succeed_at: end.status === 'success' ? now : 0,
  ...(row.postback_url === null
    ? { delivery: null, unfinished: undefined, due_at: undefined }
    : {
        delivery: `msg_${row.user_id}_${row.id}_${row.attempt}`,
        delivery_state: 'pending' as const,
        delivery_attempt: 0,
        // A redriven task has left the index: it comes back to it.
        unfinished: unfinishedPartition(row.id),
        due_at: now + unsentSeconds,
      }),
});

/** Logs the end of a task, once it is written. */
export const logEnd = (row: TaskRow, end: End, now: number): void => {
  const { status } = end;
  log.info(
    'task ended',
    {
      engine: row.engine,
      status,
      // The stable word before the colon.
      reason: status === 'success' ? undefined : end.error_message.split(':')[0],
      reused: row.reused,
      pages: row.pages.length,
    },
    { TaskSucceeded: status === 'success' ? 1 : 0, TaskSeconds: now - row.created_at },
  );
};
