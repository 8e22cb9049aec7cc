/** Ends a task that gets no result, and queues the webhook that tells so. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { moveRow, readRow } from '../store/tasks.ts';
import { finalChanges, logEnd } from './final-write.ts';
import { queueDelivery } from './queue.ts';
import { statesBefore } from './status.ts';

/** The reasons that are no page's: for `error_message`, a stable word and a sentence (Reading 4). */
export const endings = {
  late: { status: 'error', error_message: 'timeout: the task was not finished by its deadline' },
  throttled: {
    status: 'error',
    error_message: 'throttled: the engine took no more searches before the deadline of the task',
  },
  broken: { status: 'dead_letter', error_message: 'machinery: the task could not be processed' },
} as const;

type End = { status: 'error' | 'dead_letter'; error_message: string };

/** Nothing happens to a task that is final already, or gone. */
export const endTask = async ({ user_id, id }: TaskKey, end: End, now = clock()): Promise<void> => {
  const row = await readRow(user_id, id, now);
  if (!row) return;
  const changes = {
    ...finalChanges(row, end, now),
    // Reading 2: nobody will fetch them now.
    pages: row.pages.map((page) => ({ ...page, status: 'failed' as const })),
  };
  const moved = await moveRow(row, { from: statesBefore(end.status), attempt: row.attempt }, changes);
  if (!moved) return;
  logEnd(row, end, now);
  if (changes.delivery) await queueDelivery({ user_id, id, delivery: changes.delivery, attempt: 1 });
};
