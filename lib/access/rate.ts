/** Rate limits: fixed windows of one minute, counted with atomic increments (Reading 26). */
import { randomInt } from 'node:crypto';
import { HttpError } from '../model/http-error.ts';
import { failedKeysPerMinute, pagesPerRequest } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { countInWindow, countInWindowBelow } from '../store/limits.ts';

const windowSeconds = 60;

const windowEnd = (now: number): number => (Math.floor(now / windowSeconds) + 1) * windowSeconds;

/** Requests of a minute that one item counts: DynamoDB takes 1,000 writes of an item in a second. */
const requestsPerItem = 60_000;

/**
 * Counts in one of as many items as the limit needs, each with its part of the limit. The random choice makes
 * them almost equal.
 */
const count = async (counter: string, limit: number, now: number): Promise<Record<string, string>> => {
  const end = windowEnd(now);
  const items = Math.ceil(limit / requestsPerItem);
  const name = items === 1 ? counter : `${counter}/${randomInt(items)}`;
  const used = (await countInWindow(name, end)) * items;
  const headers = {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(0, limit - used)),
    'RateLimit-Reset': String(end - now),
  };
  if (used > limit) {
    throw new HttpError(429, 'Too many requests: wait for the next minute', {
      ...headers,
      'Retry-After': String(end - now),
    });
  }
  return headers;
};

/**
 * Counts a request of a user and returns the `RateLimit-*` headers. Requests of an account without a limit
 * are not counted.
 * @throws HttpError 429 with the same headers and `Retry-After`.
 */
export const countRequest = async (user: Account, now = clock()): Promise<Record<string, string>> =>
  user.rate_limit === 0 ? {} : count(`user#${user.id}`, user.rate_limit, now);

/**
 * Counts the pages of a batch. In a minute, a user may queue batches until their pages reach 25 times the
 * user's limit of requests. The batch that reaches it is accepted, so that each batch is accepted in some
 * minute.
 * @throws HttpError 429 with `Retry-After`.
 */
export const countPages = async (user: Account, pages: number, now = clock()): Promise<void> => {
  if (user.rate_limit === 0) return;
  const end = windowEnd(now);
  if (!(await countInWindowBelow(user.rate_limit * pagesPerRequest, `pages#${user.id}`, end, pages))) {
    throw new HttpError(429, 'Too many pages: wait for the next minute', {
      'Retry-After': String(end - now),
    });
  }
};

/**
 * Counts a failed key of an address.
 * @throws HttpError 429 if there were too many. It replaces the 401, so that guessing keys is not worthwhile.
 */
export const countFailedKey = async (address: string, now = clock()): Promise<void> => {
  await count(`failed-key#${address}`, failedKeysPerMinute, now);
};
