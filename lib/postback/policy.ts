/** The schedule of webhook deliveries (Reading 32), as plain values: the `postback` machine is made from them too. */
import type { DeliveryKey } from '../model/workflow.ts';

/** Seconds to wait before an attempt, by its number; the first is made at once. Fifteen minutes in all. */
export const delaysSeconds = { 2: 60, 3: 120, 4: 240, 5: 480 } as const;

/** Attempts at a delivery, before it is parked. */
export const attempts = 5;

/** What an attempt may take from its record to its outcome: 15.5 s on the wire, and the reads and writes around it. */
export const attemptSeconds = 25;

/** What the next attempt may be late before the sweeper takes it up. Short: to race the machine is harmless. */
export const lateSeconds = 10;

/** Batches of the postback queue that a user's deliveries may occupy at a time. Its other deliveries wait in the patient queue. */
export const slotsPerUser = 2;

/** A slot is released if its deliveries took no longer than this. It is less than other users may have to wait. */
export const promptMs = 2000;

/** Slots are counted in windows of this length. A slot that was not released stays taken until its window ends. */
export const slotWindowSeconds = 300;

/** A payload's `html_url` works for a day (Reading 33). */
export const linkSeconds = 86_400;

const isDelayed = (attempt: number): attempt is keyof typeof delaysSeconds => attempt in delaysSeconds;

/** Seconds between a failed attempt and the next; none before the first, nor before parking. */
export const delayBefore = (attempt: number): number => (isDelayed(attempt) ? delaysSeconds[attempt] : 0);

/** What is wanted after a failed attempt: the next one, or parking, which counts as one more than the last. */
export const nextDelivery = (key: DeliveryKey): DeliveryKey => ({
  ...key,
  attempt: Math.min(key.attempt, attempts) + 1,
});
