/**
 * Limits how many batches of the postback consumer a user's deliveries occupy. All deliveries of a user in
 * one batch share one slot, and a user has `slotsPerUser` slots. So receivers that hang delay two batches at
 * most, and never the whole consumer. A slot that is not released promptly (the receiver is slow, or the
 * function died) stays taken until the window ends, so that the same receivers do not take it again and
 * again. It is taken for as long as an attempt lasts in the next window, too.
 */
import { clock, stopwatch } from '../runtime/clock.ts';
import { countBesideEarlier, countInWindowBelow, uncountInWindow } from '../store/limits.ts';
import { attemptSeconds, promptMs, slotsPerUser, slotWindowSeconds } from './policy.ts';

/**
 * `isGranted`: whether the counter had room. `holders`: deliveries of the batch that use the slot. `window`:
 * Unix time of its end.
 */
type Slot = { isGranted: Promise<boolean>; holders: number; window: number; since: number };

const slotsOfBatches = new WeakMap<object, Map<number, Slot>>();

const counterOf = (userId: number): string => `deliveries#${userId}`;

const requestSlot = (userId: number): Slot => {
  const now = clock();
  const begin = Math.floor(now / slotWindowSeconds) * slotWindowSeconds;
  const window = begin + slotWindowSeconds;
  const count = [slotsPerUser, counterOf(userId), window] as const;
  // Until then, attempts of the window before may still be in their batches.
  const isGranted =
    now < begin + attemptSeconds ? countBesideEarlier(...count, begin) : countInWindowBelow(...count);
  return { isGranted, holders: 0, window, since: stopwatch() };
};

/**
 * Acquires the user's slot for this batch. Returns the function that releases it, or null if the user has no
 * free slot.
 */
export const acquireSlot = async (batch: object, userId: number): Promise<(() => Promise<void>) | null> => {
  const slots = slotsOfBatches.get(batch) ?? new Map<number, Slot>();
  slotsOfBatches.set(batch, slots);
  const slot = slots.get(userId) ?? requestSlot(userId);
  slots.set(userId, slot);
  slot.holders += 1;
  if (!(await slot.isGranted)) return null;
  return async () => {
    slot.holders -= 1;
    if (slot.holders > 0) return;
    slots.delete(userId);
    if (stopwatch() - slot.since <= promptMs) await uncountInWindow(counterOf(userId), slot.window);
  };
};
