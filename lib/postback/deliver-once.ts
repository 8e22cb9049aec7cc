/**
 * Makes one attempt at a webhook. The attempt is recorded before it is sent, so a message that is received
 * again never repeats an attempt number. If the process dies before it records the outcome, the attempt
 * counts as failed: the sweeper finds it overdue and queues the next attempt immediately.
 */
import type { DeliveryKey } from '../model/workflow.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { clock, stopwatch } from '../runtime/clock.ts';
import { durably } from '../runtime/crash.ts';
import { log } from '../runtime/log.ts';
import { beginAttempt, type Outcome, recordDelivered, recordFailure } from '../store/deliveries.ts';
import type { Reported } from '../store/reported.ts';
import type { ReportedRow } from '../store/task-row.ts';
import { readReported } from '../store/tasks.ts';
import { composePayload, formWebhookOf, webhookAddress } from './compose.ts';
import { attemptSeconds, attempts, delayBefore, lateSeconds } from './policy.ts';
import { readyToSend } from './send-delivery.ts';
import { isSandbox } from './sign.ts';

/**
 * `failed`: the attempt has failed, and the caller starts the next one. `stale`: the caller does nothing,
 * because the delivery is finished, or another process is making this attempt. `unrecorded`: the receiver has
 * accepted the attempt, but the table refused the record of it. The caller comes back soon with `sent`, so
 * that the sweeper does not take the attempt for dead and repeat the webhook.
 */
export type AttemptOutcome = 'delivered' | 'failed' | 'stale' | 'unrecorded';

/** Whether the delivery is unfinished: not delivered and not parked. */
export const isWaiting = ({ delivery_state }: Reported): boolean =>
  delivery_state === 'pending' || delivery_state === 'sending';

/**
 * Deletes the parked copy of a delivery that was sent again, if there is one. It is made again if the record
 * of the delivery is lost.
 */
const forgetParked = async (key: DeliveryKey): Promise<void> => {
  // Imported on demand: few deliveries are sent again, but the client of S3 would slow down every cold start.
  const { dropParked } = await import('../store/drop-parked.ts');
  await isAccepted(dropParked(key));
};

/** A row whose delivery waits for an attempt. */
export type WaitingRow = ReportedRow & { postback_url: string };

/** The row of the delivery; undefined if the task no longer waits for this delivery. */
export const readWaiting = async (key: DeliveryKey, now: number): Promise<WaitingRow | undefined> => {
  const row = await readReported(key, now);
  const url = row?.postback_url;
  return row?.delivery === key.delivery && isWaiting(row) && url ? { ...row, postback_url: url } : undefined;
};

/**
 * Makes the attempt that the key names, unless it was already made. `run`: the attempt at which the run of
 * the state machine began that makes it; absent for a consumer of the queues.
 */
export const makeAttempt = async (
  row: WaitingRow,
  key: DeliveryKey,
  now: number,
  run?: number,
): Promise<AttemptOutcome> => {
  if (row.delivery_attempt > key.attempt) return 'stale';
  if (row.delivery_attempt === key.attempt) return row.delivery_state === 'pending' ? 'failed' : 'stale';
  if (key.attempt > attempts) return 'failed';
  // Do everything that can throw before recording the attempt, so that only the network can use up an
  // attempt.
  const attempted = { ...row, postback_retries_count: key.attempt - 1 };
  const { payload, account } = await composePayload(attempted, now);
  const send = await readyToSend(webhookAddress(row), payload, account, {
    kind: row.kind,
    delivery: key.delivery,
    timestamp: now,
    sandbox: isSandbox(),
    form_webhook: formWebhookOf(row),
  });
  const place = await beginAttempt(key, now + attemptSeconds, now, run);
  if (place === undefined) return 'stale';
  const started = stopwatch();
  const response = await durably('send-delivery', send);
  const milliseconds = stopwatch() - started;
  log.info(
    'delivery attempt',
    {
      delivery: key.delivery,
      attempt: key.attempt,
      outcome: response.ok ? 'delivered' : 'failed',
      reason: response.ok ? null : response.reason,
    },
    {
      DeliverySucceeded: response.ok ? 1 : 0,
      ...(key.attempt === 1 && { FirstAttemptSucceeded: response.ok ? 1 : 0 }),
      DeliveryMilliseconds: milliseconds,
    },
  );
  const outcome: Outcome = {
    place,
    attempt: [now, response.status ?? 0, milliseconds, response.ok ? undefined : response.reason],
  };
  if (!response.ok) {
    // Without the record, the sweeper takes the attempt for dead and queues the next one earlier. Each
    // attempt is still made once.
    await isAccepted(recordFailure(key, clock() + delayBefore(key.attempt + 1) + lateSeconds, outcome));
    return 'failed';
  }
  if (row.resends !== undefined) await forgetParked(key);
  return (await isAccepted(recordDelivered(key, outcome))) ? 'delivered' : 'unrecorded';
};

/** Makes the attempt that the key names, unless it was made or the task no longer waits for this delivery. */
export const deliverOnce = async (key: DeliveryKey, now = clock()): Promise<AttemptOutcome> => {
  if (key.sent) {
    await recordDelivered(key);
    return 'delivered';
  }
  const row = await readWaiting(key, now);
  return row ? makeAttempt(row, key, now) : 'stale';
};
