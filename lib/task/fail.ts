/** Ends a task without a result, and queues the webhook that reports it. */
import type { TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { moveRow, readRow } from '../store/tasks.ts';
import { finalChanges, logEnd } from './final-write.ts';
import { kinds } from './kinds.ts';
import { queueDelivery } from './queue.ts';
import { statesBefore } from './status.ts';

/** The failures that no page caused: the final status, and an `error_message` of a stable word and a sentence (Reading 4). */
export const failures = {
  late: { status: 'error', error_message: 'timeout: the task was not finished by its deadline' },
  throttled: {
    status: 'error',
    error_message: 'throttled: the engine took no more searches before the deadline of the task',
  },
  broken: { status: 'dead_letter', error_message: 'machinery: the task could not be processed' },
} as const;

type Failure = { status: 'error' | 'dead_letter'; error_message: string };

/** Ends the task, unless it is final already or has expired. */
export const failTask = async ({ user_id, id }: TaskKey, failure: Failure, now = clock()): Promise<void> => {
  const row = await readRow(user_id, id, now);
  if (!row) return;
  const changes = {
    ...finalChanges(row, failure, now),
    ...kinds[row.kind].failed(row),
  };
  const moved = await moveRow(
    row,
    { from: statesBefore(row.kind, failure.status), attempt: row.attempt },
    changes,
  );
  if (!moved) return;
  logEnd(row, failure, now);
  if (changes.delivery) await queueDelivery({ user_id, id, delivery: changes.delivery, attempt: 1 });
};
