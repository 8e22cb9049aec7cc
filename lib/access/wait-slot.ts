/**
 * Limits how many requests wait for a task at a time: those of a user, and those of all users of an area of
 * the interface. Each of them occupies a function, so without limits the waits of one user, or of a few,
 * could leave no function for other requests. A slot that is not released, because the function died, is free
 * again after the window. They have no function to themselves: `wait` is a parameter of the requests that
 * others make without it, and API Gateway routes by path and method only.
 */
import { HttpError } from '../model/http-error.ts';
import type { Account } from '../model/user.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { addToScope } from '../runtime/scope.ts';
import { countInWindowBelow, uncountInWindow } from '../store/limits.ts';

/** Longer than a request can wait, so that at most the waits of two windows overlap. */
const windowSeconds = 30;

/**
 * Runs with a slot of the counter, which is free again afterwards. `refuse` gives the error if all slots are
 * taken. `limit`: 0 = any number of slots.
 */
const withSlot = async <Output>(
  counter: string,
  limit: number,
  end: number,
  refuse: () => HttpError,
  run: () => Promise<Output>,
): Promise<Output> => {
  if (limit === 0) return run();
  if (!(await countInWindowBelow(limit, counter, end))) throw refuse();
  try {
    return await run();
  } finally {
    // A slot that is not released is free after the window.
    await isAccepted(uncountInWindow(counter, end));
  }
};

/**
 * Runs a request that waits for the end of a task. An account without a rate limit has no limit of waits of
 * its own.
 * @throws HttpError 429 with `Retry-After` if too many requests of the user wait, 503 if too many of all
 * users do.
 */
export const whileWaiting = async <Output>(
  { id, rate_limit }: Account,
  run: () => Promise<Output>,
  now = clock(),
): Promise<Output> => {
  addToScope({ waits: true });
  const end = (Math.floor(now / windowSeconds) + 1) * windowSeconds;
  const again = String(end - now);
  const area = setting('AREA');
  return withSlot(
    `waits#${area}#${id}`,
    rate_limit === 0 ? 0 : Number(setting('WAITS_PER_USER')),
    end,
    () =>
      new HttpError(429, 'Too many requests that wait: wait until some of them have ended', {
        'Retry-After': again,
      }),
    () =>
      withSlot(
        `waits#${area}`,
        Number(setting('WAITS')),
        end,
        () =>
          new HttpError(503, 'Too many requests of all users wait now: send the request again later', {
            'Retry-After': again,
          }),
        run,
      ),
  );
};
