/**
 * The state of a webhook delivery, in its task's row. Every write is conditional: the row must still have
 * this delivery. A row stays in the index of unfinished work until its delivery is delivered or parked.
 */
import { randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import type { DurableWork } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { rowKey, unfinishedPartition } from './partitions.ts';
import type { LoggedAttempt } from './reported.ts';
import { readReported } from './tasks.ts';

const table = resource('TASKS_TABLE');

type Write = { update: string; condition: string; values: Record<string, unknown> };

/** The states of a delivery that is not yet delivered or parked. */
const waiting = { ':pending': 'pending', ':sending': 'sending' };

/**
 * Returns the row's log of attempts if the write changes it; undefined, and writes nothing, if the row is
 * gone, has another delivery, or fails the condition.
 */
const writeIf = async (
  work: DurableWork,
  key: Omit<DeliveryKey, 'attempt'>,
  { update, condition, values }: Write,
): Promise<{ log: LoggedAttempt[] } | undefined> => {
  const write = new UpdateCommand({
    TableName: table,
    Key: rowKey(key),
    UpdateExpression: update,
    ConditionExpression: `delivery = :delivery AND ${condition}`,
    ExpressionAttributeValues: { ':delivery': key.delivery, ...values },
    ReturnValues: 'UPDATED_NEW',
  });
  const output = await durablyIf(work, () => dynamo.send(write));
  return output && { log: output.Attributes?.attempt_log ?? [] };
};

/** The most characters of an error that the log keeps. */
const maxErrorLength = 200;

/** An outcome, and its place in the row's log, as `beginAttempt` returned it. */
export type Outcome = { place: number; attempt: LoggedAttempt };

/** The part of an update that records an outcome in the log. */
const logging = ({ place, attempt: [time, status, milliseconds, error] }: Outcome) => ({
  update: `, attempt_log[${place}] = :logged`,
  values: {
    ':logged': [time, status, milliseconds, ...(error === undefined ? [] : [error.slice(0, maxErrorLength)])],
  },
});

/**
 * Records that an attempt begins. Returns its place in the log; undefined if it began before: each attempt
 * begins once, however often it is requested. After `dueAt`, the attempt counts as dead, and the sweeper
 * queues the next one. `run`: the attempt at which the run began that makes it; absent for a consumer.
 */
export const beginAttempt = async (
  key: DeliveryKey,
  dueAt: number,
  now: number,
  run?: number,
): Promise<number | undefined> => {
  const retries = key.attempt - 1;
  const claim = randomBytes(6).toString('base64url');
  const begun = await writeIf('begin-attempt', key, {
    update:
      'SET delivery_state = :sending, delivery_attempt = :attempt, due_at = :due, claim = :claim, ' +
      'attempt_log = list_append(if_not_exists(attempt_log, :empty), :begun)' +
      `${run === undefined ? '' : ', delivery_run = :run'}${retries > 0 ? ', postback_retries_count = :retries' : ''}` +
      // Absent means 0: the row of most deliveries stays smaller.
      ` REMOVE queued_at${run === undefined ? ', delivery_run' : ''}${retries > 0 ? '' : ', postback_retries_count'}`,
    condition: 'delivery_state IN (:pending, :sending) AND delivery_attempt < :attempt',
    values: {
      ...waiting,
      ':attempt': key.attempt,
      ...(retries > 0 && { ':retries': retries }),
      ':due': dueAt,
      ':claim': claim,
      ':empty': [],
      ':begun': [[now]],
      ...(run !== undefined && { ':run': run }),
    },
  });
  if (begun) return begun.log.length - 1;
  // The SDK repeats a write whose answer is lost, and its condition then refuses the second write. The
  // attempt has begun, and its caller must make it.
  const row = await readReported(key, now);
  return row?.claim === claim ? (row.attempt_log ?? []).length - 1 : undefined;
};

/** Records that an attempt failed, and the time at which the sweeper checks on the next one. */
export const recordFailure = async (key: DeliveryKey, dueAt: number, outcome: Outcome): Promise<boolean> => {
  const { update, values } = logging(outcome);
  const written = await writeIf('record-failure', key, {
    update: `SET delivery_state = :pending, due_at = :due${update}`,
    condition: 'delivery_state = :sending AND delivery_attempt = :attempt',
    values: { ...waiting, ...values, ':due': dueAt, ':attempt': key.attempt },
  });
  return written !== undefined;
};

/**
 * Records that the receiver accepted the delivery. A parked delivery can be delivered too: it was sent again,
 * or the response was late. `outcome`: absent if it is not known any more.
 */
export const recordDelivered = async (
  key: Omit<DeliveryKey, 'attempt'>,
  outcome?: Outcome,
): Promise<boolean> => {
  const { update, values } = outcome ? logging(outcome) : { update: '', values: {} };
  const written = await writeIf('record-delivered', key, {
    update: `SET delivery_state = :delivered${update} REMOVE unfinished, due_at`,
    condition: 'delivery_state IN (:pending, :sending, :parked)',
    values: { ...waiting, ...values, ':delivered': 'delivered', ':parked': 'parked' },
  });
  return written !== undefined;
};

/**
 * Records that the delivery is parked, unless it is delivered or parked already. `ready`: the partition of
 * the index in which the task is then listed.
 */
export const recordParked = async (key: DeliveryKey, ready?: string): Promise<boolean> => {
  const written = await writeIf('record-parked', key, {
    update: `SET delivery_state = :parked${ready ? ', failed = :ready' : ''} REMOVE unfinished, due_at`,
    condition: 'delivery_state IN (:pending, :sending)',
    values: { ...waiting, ':parked': 'parked', ...(ready && { ':ready': ready }) },
  });
  return written !== undefined;
};

/**
 * Starts a delivered or parked delivery over, with its first attempt. `resends`: how often this was done
 * before. Returns false, and writes nothing, if the delivery is under way, or if another request has started
 * it.
 */
export const restartDelivery = async (
  key: Omit<DeliveryKey, 'attempt'>,
  resends: number,
  now: number,
  dueAt: number,
): Promise<boolean> => {
  const written = await writeIf('restart-delivery', key, {
    update:
      'SET delivery_state = :pending, delivery_attempt = :zero, resends = :more, waits_since = :now, unfinished = :unfinished, ' +
      'due_at = :due REMOVE queued_at',
    condition: `delivery_state IN (:delivered, :parked) AND ${
      resends === 0 ? 'attribute_not_exists(resends)' : 'resends = :resends'
    }`,
    values: {
      ':pending': 'pending',
      ':delivered': 'delivered',
      ':parked': 'parked',
      ':zero': 0,
      ':more': resends + 1,
      ':now': now,
      ...(resends > 0 && { ':resends': resends }),
      ':unfinished': unfinishedPartition('delivery', key.id),
      ':due': dueAt,
    },
  });
  return written !== undefined;
};
