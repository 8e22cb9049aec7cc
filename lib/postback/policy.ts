/**
 * The schedule of webhook deliveries (Reading 32). Plain values, because the definition of the `postback`
 * state machine uses them too.
 */
import type { DeliveryKey } from '../model/workflow.ts';

/**
 * Seconds to wait before an attempt, by its number. The first attempt has no delay. Fifteen minutes in total.
 */
export const delaysSeconds = { 2: 60, 3: 120, 4: 240, 5: 480 } as const;

/** Number of attempts before a delivery is parked. */
export const attempts = 5;

/**
 * Maximum duration of an attempt until its outcome is recorded: 15.5 s on the network, and the reads and
 * writes around it.
 */
export const attemptSeconds = 25;

/**
 * How late the next attempt may be before the sweeper queues it. Short, because a race with the state machine
 * is harmless.
 */
export const lateSeconds = 10;

/**
 * Batches of the postback queue that a user's deliveries may occupy at a time. Its other deliveries wait in
 * the patient queue.
 */
export const slotsPerUser = 2;

/**
 * A slot is released if its deliveries took no longer than this. It is less than other users may have to
 * wait.
 */
export const promptMs = 2000;

/**
 * Slots are counted in windows of this length. A slot that was not released is free again some
 * seconds after its window.
 */
export const slotWindowSeconds = 300;

const isDelayed = (attempt: number): attempt is keyof typeof delaysSeconds => attempt in delaysSeconds;

/** Seconds to wait before an attempt. 0 before the first attempt and before parking. */
export const delayBefore = (attempt: number): number => (isDelayed(attempt) ? delaysSeconds[attempt] : 0);

/**
 * The key to continue with after a failed attempt: the next attempt, or parking, which has the number after
 * the last attempt.
 */
export const nextDelivery = ({ user_id, id, delivery, attempt, round }: DeliveryKey): DeliveryKey => ({
  user_id,
  id,
  delivery,
  attempt: Math.min(attempt, attempts) + 1,
  ...(round !== undefined && { round }),
});
