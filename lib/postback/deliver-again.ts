/**
 * The attempts that the `postback` state machine makes after its waits. One state makes those of a run: the
 * retries of the state are the waits, so each call has the key with which the run began, and the row says how
 * far the delivery has come.
 */
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DeliveryKey } from '../model/workflow.ts';
import { sqs } from '../runtime/aws.ts';
import { isBackPressure, logRefusal } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { RetriedError } from '../runtime/retried-error.ts';
import type { Reported } from '../store/reported.ts';
import { postponedMessage } from './attempt-message.ts';
import { type AttemptOutcome, makeAttempt, readWaiting } from './deliver-once.ts';
import { attempts } from './policy.ts';

const postbackQueue = resource('POSTBACK_QUEUE_URL');

/** `attempt`: the attempt that was made; that of the key if none was. */
type Attempted = DeliveryKey & { outcome: Exclude<AttemptOutcome, 'unrecorded'> | 'moved' };

/**
 * The attempt that a call of a run makes; undefined if another process makes the attempts of this delivery,
 * or if none is left. A run that finds another process at work ends, because that process begins a run too.
 */
const attemptOf = (row: Reported, key: DeliveryKey, now: number): number | undefined => {
  const { delivery_attempt: last, delivery_state, delivery_run, due_at = 0, resends = 0 } = row;
  // The delivery was sent again since the run began.
  if (resends !== (key.round ?? 0) || last < key.attempt - 1) return undefined;
  if (last >= key.attempt && delivery_run !== key.attempt) return undefined;
  // After its time, an attempt whose outcome is not recorded counts as failed.
  if (delivery_state === 'sending' && due_at > now) return undefined;
  return last < attempts ? last + 1 : undefined;
};

/**
 * Hands the attempt to the consumer of the queue, because an AWS service refused a call. The consumer repeats
 * it until it is accepted, and begins a run for the attempts after it.
 * @throws if the queue refuses it. The sweeper then finds the overdue delivery.
 */
export const handOver = async (key: DeliveryKey): Promise<DeliveryKey & { outcome: 'moved' }> => {
  const send = new SendMessageCommand({
    QueueUrl: postbackQueue,
    ...postponedMessage({ ...key, patient: false }),
  });
  await durably('postpone-delivery', () => sqs.send(send));
  return { ...key, outcome: 'moved' };
};

/**
 * Makes the next attempt of the run. `failed`: the run makes another one after its wait.
 * @throws if the row cannot be read, and if the queue refuses an attempt that a service refused.
 */
export const deliverAgain = async (key: DeliveryKey, now = clock()): Promise<Attempted> => {
  const row = await readWaiting(key, now);
  const attempt = row && attemptOf(row, key, now);
  if (!row || attempt === undefined) return { ...key, outcome: 'stale' };
  const made = { ...key, attempt };
  try {
    const outcome = await makeAttempt(row, made, now, key.attempt);
    if (outcome !== 'unrecorded') return { ...made, outcome };
  } catch (error) {
    if (!isBackPressure(error)) throw error;
    logRefusal(error);
    return handOver(made);
  }
  // Only the record is missing. Without it, the sweeper would take the attempt for dead and repeat it.
  return handOver({ ...made, sent: true });
};

/** The answer of the state. @throws RetriedError if the attempt failed. */
export const orRetry = (made: Attempted): Attempted => {
  if (made.outcome === 'failed') throw new RetriedError(`Attempt ${made.attempt} has failed`);
  return made;
};

/**
 * For a row that could not be read. The sweeper queues the attempt before the run comes back, and the run
 * ends.
 * @throws RetriedError always.
 */
export const retryLater = (): never => {
  throw new RetriedError('A service refused a call');
};
