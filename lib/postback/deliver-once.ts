/**
 * One attempt at a webhook. It is recorded before it is sent, so that no message, however often it comes, makes a second
 * one of the same number. One that dies before its outcome is written is spent: the sweeper finds it overdue and asks for the
 * next at once.
 */
import type { DeliveryKey } from '../model/workflow.ts';
import { postJson } from '../net/post.ts';
import { clock } from '../runtime/clock.ts';
import { durably } from '../runtime/crash.ts';
import { log } from '../runtime/log.ts';
import { beginAttempt, recordDelivered, recordFailure } from '../store/deliveries.ts';
import type { TaskRow } from '../store/task-row.ts';
import { readRow } from '../store/tasks.ts';
import { composePayload, signedPost } from './compose.ts';
import { attemptSeconds, attempts, delayBefore, lateSeconds } from './policy.ts';

/**
 * `failed`: this attempt is spent, and the next one is wanted; `stale`: nothing is wanted of the caller, because the delivery
 * is settled, or another has this attempt in hand.
 */
export type AttemptOutcome = 'delivered' | 'failed' | 'stale';

/** Whether a delivery is still to be made: nobody took it, and it is not parked. */
export const isWaiting = ({ delivery_state }: TaskRow): boolean =>
  delivery_state === 'pending' || delivery_state === 'sending';

/** Makes the attempt that the key names, unless it was made before or the delivery is no longer wanted. */
export const deliverOnce = async (key: DeliveryKey, now = clock()): Promise<AttemptOutcome> => {
  const row = await readRow(key.user_id, key.id, now);
  const url = row?.postback_url;
  if (row?.delivery !== key.delivery || !isWaiting(row) || !url) return 'stale';
  if (row.delivery_attempt > key.attempt) return 'stale';
  if (row.delivery_attempt === key.attempt) return row.delivery_state === 'pending' ? 'failed' : 'stale';
  if (key.attempt > attempts) return 'failed';
  // Everything that can break is done before the record: from there on, only the wire can spend the attempt.
  const { payload, account } = await composePayload(row, now);
  const post = signedPost(payload, account, { delivery: key.delivery, timestamp: now });
  if (!(await beginAttempt(key, now + attemptSeconds))) return 'stale';
  const started = performance.now();
  const answer = await durably('send-delivery', () => postJson({ url, ...post }));
  log.info(
    'delivery attempt',
    {
      delivery: key.delivery,
      attempt: key.attempt,
      outcome: answer.ok ? 'delivered' : 'failed',
      reason: answer.ok ? null : answer.reason,
    },
    {
      DeliverySucceeded: answer.ok ? 1 : 0,
      DeliveryMilliseconds: Math.round(performance.now() - started),
    },
  );
  if (!answer.ok) {
    await recordFailure(key, clock() + delayBefore(key.attempt + 1) + lateSeconds);
    return 'failed';
  }
  await recordDelivered(key);
  return 'delivered';
};
