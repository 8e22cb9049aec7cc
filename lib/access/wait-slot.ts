/**
 * Limits how many requests wait for a task or a source at a time: those of a user, and those of all users
 * of an area of the interface, or of all areas if these have no functions of their own. Each of them occupies
 * a function, so without limits the waits of one user, or of a few, could leave no function for other
 * requests. A slot that is not released, because the function died, is free again after the window that
 * follows its own. They have no function to themselves: `wait` is a parameter of the requests that others
 * make without it, and API Gateway routes by path and method only.
 */
import { randomInt } from 'node:crypto';
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { addToScope } from '../runtime/scope.ts';
import { countBesideEarlier, uncountInWindow } from '../store/limits.ts';

/** Longer than a request can wait, so that no wait is left of the window before the last one. */
const windowSeconds = 30;

/**
 * Runs with a slot of the counter, which is free again afterwards. `refuse` gives the error if all slots are
 * taken. `limit`: 0 = any number of slots.
 */
const withSlot = async <Output>(
  counter: string,
  limit: number,
  now: number,
  refuse: () => HttpError,
  run: () => Promise<Output>,
): Promise<Output> => {
  if (limit === 0) return run();
  const begin = Math.floor(now / windowSeconds) * windowSeconds;
  const end = begin + windowSeconds;
  if (!(await countBesideEarlier(limit, counter, end, begin))) throw refuse();
  try {
    return await run();
  } finally {
    // A slot that is not released is free after the next window.
    await isAccepted(uncountInWindow(counter, end));
  }
};

/**
 * Seconds after which a refused client may find a slot. Slots become free one by one, so the time is random:
 * otherwise all refused clients would come back at once.
 */
const secondsUntilFree = (): string => String(randomInt(1, windowSeconds));

/**
 * Runs a request that waits for the end of a task, or for a source of keyword data. An account without a rate
 * limit may wait with any number of requests.
 * @throws HttpError 429 with `Retry-After` if too many requests of the user wait, 503 if too many of all
 * users do.
 */
export const whileWaiting = async <Output>(
  { id, rate_limit }: Account,
  run: () => Promise<Output>,
  now = clock(),
): Promise<Output> => {
  addToScope({ waits: true });
  const area = setting('AREA');
  return withSlot(
    `waits#${area}#${id}`,
    rate_limit === 0 ? 0 : Number(setting('WAITS_PER_USER')),
    now,
    () =>
      new HttpError(429, 'Too many requests that wait: wait until some of them have ended', {
        'Retry-After': secondsUntilFree(),
      }),
    () =>
      withSlot(
        `waits#${area}`,
        Number(setting('WAITS')),
        now,
        () =>
          new HttpError(503, 'Too many requests of all users wait now: send the request again later', {
            'Retry-After': secondsUntilFree(),
          }),
        run,
      ),
  );
};
