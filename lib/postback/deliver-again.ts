/**
 * The attempts that the `postback` state machine makes after its waits. One state makes all of them: an
 * attempt that fails ends the call with an error, whose name says after which wait the state runs again.
 */
import type { DeliveryKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { StateRetry } from '../runtime/state-retry.ts';
import type { Reported } from '../store/reported.ts';
import { deliverOnce } from './deliver-once.ts';
import { attempts, failedAttempt, lastAttemptFailed, recordMissing } from './policy.ts';

/**
 * An attempt that failed so recently is not the one after which this call runs again: its wait has only
 * begun.
 */
const recentSeconds = 2;

const failureOf = (attempt: number): StateRetry =>
  attempt < attempts
    ? new StateRetry(failedAttempt(attempt), `Attempt ${attempt} has failed`)
    : new StateRetry(lastAttemptFailed, 'No attempt is left');

/**
 * The attempt that a call makes. A call that runs again has the key of the first one, so the row tells how
 * far the delivery has come. Undefined if another process is making an attempt: the sweeper goes on if it
 * dies.
 * @throws StateRetry if another process has just made the attempt, or a call whose answer was lost.
 */
const attemptOf =
  ({ attempt }: DeliveryKey, now: number) =>
  ({ delivery_attempt, delivery_state, due_at = 0, attempt_log = [] }: Reported): number | undefined => {
    if (delivery_attempt < attempt) return attempt;
    if (delivery_state === 'sending') return due_at > now ? undefined : delivery_attempt + 1;
    const [begunAt = 0, , milliseconds = 0] = attempt_log.at(-1) ?? [];
    if (now < begunAt + milliseconds / 1000 + recentSeconds) throw failureOf(delivery_attempt);
    return delivery_attempt + 1;
  };

/**
 * Makes the next attempt of the delivery.
 * @throws StateRetry if it fails, and if the table does not record that the receiver has accepted it.
 */
export const deliverAgain = async (
  key: DeliveryKey,
  now = clock(),
): Promise<{ outcome: 'delivered' | 'stale' }> => {
  const { outcome, attempt } = await deliverOnce(key, now, attemptOf(key, now));
  if (outcome === 'delivered' || outcome === 'stale') return { outcome };
  if (outcome === 'unrecorded') {
    throw new StateRetry(recordMissing, 'The receiver has accepted the webhook, and no record says so');
  }
  throw failureOf(attempt);
};
