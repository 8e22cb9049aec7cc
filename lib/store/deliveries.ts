/**
 * How far a webhook delivery is, on its task's row: every write of an attempt, each on the condition that the row still
 * wants this very delivery. A row stays in the index of unfinished work until its delivery is delivered or parked.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import type { DurableWork } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';

const table = resource('TASKS_TABLE');

type Write = { update: string; condition: string; values: Record<string, string | number> };

/** The states of a delivery that is still to be made. */
const waiting = { ':pending': 'pending', ':sending': 'sending' };

/** Answers false, and writes nothing, if the row is gone, wants another delivery, or fails the condition. */
const writeIf = async (
  work: DurableWork,
  key: Omit<DeliveryKey, 'attempt'>,
  { update, condition, values }: Write,
): Promise<boolean> => {
  const write = new UpdateCommand({
    TableName: table,
    Key: { user_id: key.user_id, id: key.id },
    UpdateExpression: update,
    ConditionExpression: `delivery = :delivery AND ${condition}`,
    ExpressionAttributeValues: { ':delivery': key.delivery, ...values },
  });
  return (await durablyIf(work, () => dynamo.send(write))) !== undefined;
};

/**
 * Records that an attempt begins; false if it was begun before: each attempt is begun once, whoever asks for it. From
 * `dueAt` on it counts as dead, and the sweeper asks for the next.
 */
export const beginAttempt = (key: DeliveryKey, dueAt: number): Promise<boolean> =>
  writeIf('begin-attempt', key, {
    update:
      'SET delivery_state = :sending, delivery_attempt = :attempt, postback_retries_count = :retries, due_at = :due',
    condition: 'delivery_state IN (:pending, :sending) AND delivery_attempt < :attempt',
    values: { ...waiting, ':attempt': key.attempt, ':retries': key.attempt - 1, ':due': dueAt },
  });

/** Records that an attempt has failed, and when the sweeper shall look after the next one. */
export const recordFailure = (key: DeliveryKey, dueAt: number): Promise<boolean> =>
  writeIf('record-failure', key, {
    update: 'SET delivery_state = :pending, due_at = :due',
    condition: 'delivery_state = :sending AND delivery_attempt = :attempt',
    values: { ...waiting, ':due': dueAt, ':attempt': key.attempt },
  });

/** Records that the receiver has it. This holds for a parked delivery too: it was sent again, or the answer came late. */
export const recordDelivered = (key: Omit<DeliveryKey, 'attempt'>): Promise<boolean> =>
  writeIf('record-delivered', key, {
    update: 'SET delivery_state = :delivered REMOVE unfinished, due_at',
    condition: 'delivery_state IN (:pending, :sending, :parked)',
    values: { ...waiting, ':delivered': 'delivered', ':parked': 'parked' },
  });

export const recordParked = (key: DeliveryKey): Promise<boolean> =>
  writeIf('record-parked', key, {
    update: 'SET delivery_state = :parked REMOVE unfinished, due_at',
    condition: 'delivery_state IN (:pending, :sending)',
    values: { ...waiting, ':parked': 'parked' },
  });
