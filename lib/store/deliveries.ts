/**
 * The state of a webhook delivery, in its task's row. Every write is conditional: the row must still have this delivery. A row stays in the
 * index of unfinished work until its delivery is delivered or parked.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import type { DurableWork } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { rowKey } from './partitions.ts';

const table = resource('TASKS_TABLE');

type Write = { update: string; condition: string; values: Record<string, string | number> };

/** The states of a delivery that is not yet delivered or parked. */
const waiting = { ':pending': 'pending', ':sending': 'sending' };

/** Returns false, and writes nothing, if the row is gone, has another delivery, or fails the condition. */
const writeIf = async (
  work: DurableWork,
  key: Omit<DeliveryKey, 'attempt'>,
  { update, condition, values }: Write,
): Promise<boolean> => {
  const write = new UpdateCommand({
    TableName: table,
    Key: rowKey(key),
    UpdateExpression: update,
    ConditionExpression: `delivery = :delivery AND ${condition}`,
    ExpressionAttributeValues: { ':delivery': key.delivery, ...values },
  });
  return (await durablyIf(work, () => dynamo.send(write))) !== undefined;
};

/**
 * Records that an attempt begins. Returns false if it began before: each attempt begins once, however often it is requested. After `dueAt`,
 * the attempt counts as dead, and the sweeper queues the next one.
 */
export const beginAttempt = (key: DeliveryKey, dueAt: number): Promise<boolean> =>
  writeIf('begin-attempt', key, {
    update:
      'SET delivery_state = :sending, delivery_attempt = :attempt, postback_retries_count = :retries, due_at = :due',
    condition: 'delivery_state IN (:pending, :sending) AND delivery_attempt < :attempt',
    values: { ...waiting, ':attempt': key.attempt, ':retries': key.attempt - 1, ':due': dueAt },
  });

/** Records that an attempt failed, and the time at which the sweeper checks on the next one. */
export const recordFailure = (key: DeliveryKey, dueAt: number): Promise<boolean> =>
  writeIf('record-failure', key, {
    update: 'SET delivery_state = :pending, due_at = :due',
    condition: 'delivery_state = :sending AND delivery_attempt = :attempt',
    values: { ...waiting, ':due': dueAt, ':attempt': key.attempt },
  });

/** Records that the receiver accepted the delivery. A parked delivery can be delivered too: it was sent again, or the response was late. */
export const recordDelivered = (key: Omit<DeliveryKey, 'attempt'>): Promise<boolean> =>
  writeIf('record-delivered', key, {
    update: 'SET delivery_state = :delivered REMOVE unfinished, due_at',
    condition: 'delivery_state IN (:pending, :sending, :parked)',
    values: { ...waiting, ':delivered': 'delivered', ':parked': 'parked' },
  });

/** Records that the delivery is parked, unless it is delivered or parked already. */
export const recordParked = (key: DeliveryKey): Promise<boolean> =>
  writeIf('record-parked', key, {
    update: 'SET delivery_state = :parked REMOVE unfinished, due_at',
    condition: 'delivery_state IN (:pending, :sending)',
    values: { ...waiting, ':parked': 'parked' },
  });
