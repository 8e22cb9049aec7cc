/** Ends a task without a result, and queues the webhook that reports it. */
import type { DeliveryKey, TaskKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import type { TaskRow } from '../store/task-row.ts';
import { moveRow, readTaskRow } from '../store/tasks.ts';
import { checkBatch } from './end-batch.ts';
import { finalChanges, logEnd } from './final-write.ts';
import { kinds } from './kinds.ts';
import { queueDelivery } from './queue.ts';
import { statesBefore } from './status.ts';

/**
 * The failures that no page caused: the final status, and an `error_message` of a stable word and a sentence
 * (Reading 4).
 */
export const failures = {
  late: { status: 'error', error_message: 'timeout: the task was not finished by its deadline' },
  throttled: {
    status: 'error',
    error_message: 'throttled: the engine took no more searches before the deadline of the task',
  },
  /** As `throttled`, of a task of keyword data. */
  noMoreCalls: {
    status: 'error',
    error_message: 'throttled: the source took no more calls before the deadline of the task',
  },
  overdue: { status: 'error', error_message: 'upstream: the provider has not delivered the pages in time' },
  broken: { status: 'dead_letter', error_message: 'machinery: the task could not be processed' },
} as const;

type Failure = { status: 'error' | 'dead_letter'; error_message: string };

/**
 * Ends a task whose row was read before, unless it is final already or a new run has claimed it. Returns the
 * delivery that the caller must queue; null if there is none.
 */
export const endFailed = async (row: TaskRow, failure: Failure, now: number): Promise<DeliveryKey | null> => {
  const { user_id, id } = row;
  const changes = {
    ...finalChanges(row, failure, now),
    ...kinds[row.kind].failed(row),
  };
  const moved = await moveRow(
    row,
    { from: statesBefore(row.kind, failure.status), attempt: row.attempt },
    changes,
  );
  if (!moved) return null;
  logEnd(row, failure, now);
  return changes.delivery ? { user_id, id, delivery: changes.delivery, attempt: 1 } : null;
};

/**
 * Ends the task, and queues its webhook and that of its batch, unless the task is final already or has
 * expired.
 */
export const failTask = async ({ user_id, id }: TaskKey, failure: Failure, now = clock()): Promise<void> => {
  const row = await readTaskRow(user_id, id, now);
  const delivery = row && (await endFailed(row, failure, now));
  if (delivery) await queueDelivery(delivery);
  if (row?.batch_id !== undefined) await queueBatchDelivery({ user_id, id: row.batch_id }, id, now);
};

/** Ends a batch after the task `ended`, if that was its last unfinished task, and queues its webhook. */
export const queueBatchDelivery = async (batch: TaskKey, ended: number, now = clock()): Promise<void> => {
  const delivery = await checkBatch(batch, ended, now);
  if (delivery) await queueDelivery(delivery);
};
