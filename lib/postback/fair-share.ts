/**
 * Places in the hands of the postback consumer. All of a user's deliveries in one batch share a place, and a user has
 * `placesPerUser` of them: receivers that hang hold up two batches, and never the consumer. A place that was not given back
 * promptly (the receiver is slow, or the function died) is gone until the window ends, so that the same receivers do not take
 * it again and again.
 */
import { clock } from '../runtime/clock.ts';
import { countInWindowBelow, uncountInWindow } from '../store/limits.ts';
import { placesPerUser, placesWindowSeconds, promptMs } from './policy.ts';

type Place = { isOurs: Promise<boolean>; holders: number; window: number; since: number };

const placesOfBatches = new WeakMap<object, Map<number, Place>>();

const what = (userId: number): string => `deliveries#${userId}`;

const ask = (userId: number): Place => {
  const window = (Math.floor(clock() / placesWindowSeconds) + 1) * placesWindowSeconds;
  const isOurs = countInWindowBelow(placesPerUser, what(userId), window);
  return { isOurs, holders: 0, window, since: performance.now() };
};

/** Takes part in the user's place in this batch; answers how to leave it, or null where the user has no place left. */
export const takePlace = async (batch: object, userId: number): Promise<(() => Promise<void>) | null> => {
  const places = placesOfBatches.get(batch) ?? new Map<number, Place>();
  placesOfBatches.set(batch, places);
  const place = places.get(userId) ?? ask(userId);
  places.set(userId, place);
  place.holders += 1;
  if (!(await place.isOurs)) return null;
  return async () => {
    place.holders -= 1;
    if (place.holders > 0) return;
    places.delete(userId);
    if (performance.now() - place.since <= promptMs) await uncountInWindow(what(userId), place.window);
  };
};
