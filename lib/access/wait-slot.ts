/**
 * Limits how many requests of a user wait for a task at a time. Each of them occupies a function of the API,
 * so without a limit one user's waits could leave no function for the requests of others. A slot that is not
 * released, because the function died, is free again after the window.
 */
import { HttpError } from '../model/http-error.ts';
import { waitsPerUser } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { addToScope } from '../runtime/scope.ts';
import { countInWindowBelow, uncountInWindow } from '../store/limits.ts';

/** Longer than a request can wait, so that at most the waits of two windows overlap. */
const windowSeconds = 30;

/**
 * Runs a request that waits for the end of a task. An account without a rate limit has no limit of waits
 * either.
 * @throws HttpError 429 with `Retry-After` if too many requests of the user wait.
 */
export const whileWaiting = async <Output>(
  { id, rate_limit }: Account,
  run: () => Promise<Output>,
  now = clock(),
): Promise<Output> => {
  addToScope({ waits: true });
  if (rate_limit === 0) return run();
  const end = (Math.floor(now / windowSeconds) + 1) * windowSeconds;
  const counter = `waits#${id}`;
  if (!(await countInWindowBelow(waitsPerUser, counter, end))) {
    throw new HttpError(429, 'Too many requests that wait: wait until some of them have ended', {
      'Retry-After': String(end - now),
    });
  }
  try {
    return await run();
  } finally {
    // A slot that is not released is free after the window.
    await isAccepted(uncountInWindow(counter, end));
  }
};
