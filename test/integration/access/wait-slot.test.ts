/**
 * Slots for requests that wait: a limit for each user and one for all, released at the end of a request, or
 * of the window.
 */
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { HttpError } from '../../../lib/model/http-error.ts';
import { startTables } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { whileWaiting } = await import('../../../lib/access/wait-slot.ts');
afterAll(() => tables.stop());

const slots = 50;
const now = 1_800_000_000;
let users = 0;
let end: PromiseWithResolvers<void>;
beforeEach(() => {
  vi.unstubAllEnvs();
  users += 1;
  end = Promise.withResolvers();
});

const user = (rate_limit = 2000) => ({ ...accountOf(users), rate_limit });

/** Starts requests that wait until `end`. Resolves when each of them waits or is refused. */
const start = async (count: number, account = user(), at = now) => {
  const refused: unknown[] = [];
  const begun = Array.from({ length: count }, () => {
    const waiting = Promise.withResolvers<void>();
    const run = whileWaiting(
      account,
      () => {
        waiting.resolve();
        return end.promise;
      },
      at,
    ).catch((error: unknown) => {
      refused.push(error);
      waiting.resolve();
    });
    return { waiting: waiting.promise, run };
  });
  await Promise.all(begun.map(({ waiting }) => waiting));
  return { refused, ended: () => Promise.all(begun.map(({ run }) => run)) };
};

test('fifty requests of a user wait at a time, and others get 429', async () => {
  const first = await start(slots);
  const second = await start(2);

  expect(first.refused).toEqual([]);
  expect(second.refused).toHaveLength(2);
  const [error] = second.refused;
  if (!(error instanceof HttpError)) throw error;
  expect(error.statusCode).toBe(429);

  end.resolve();
  await first.ended();
  expect((await start(slots)).refused).toEqual([]);
});

test('requests that began in the window before hold their slots until they end', async () => {
  const [before, after] = [now - 1, now];
  const old = await start(slots - 1, user(), before);
  const next = await start(slots, user(), after);

  expect(next.refused).toHaveLength(slots - 1);
  end.resolve();
  await Promise.all([old.ended(), next.ended()]);
  expect((await start(slots, user(), after)).refused).toEqual([]);
});

test('the waits of all users of an area in two windows take no more than its slots', async () => {
  vi.stubEnv('WAITS', '60');
  vi.stubEnv('AREA', 'border');
  const others = Array.from({ length: 4 }, (_, n) => ({ ...user(), id: 30_000 + n }));
  const old = await Promise.all(others.map((each) => start(15, each, now - 1)));
  const next = await Promise.all(others.map((each) => start(15, each, now)));

  expect(old.flatMap(({ refused }) => refused)).toEqual([]);
  expect(next.flatMap(({ refused }) => refused)).toHaveLength(60);
  end.resolve();
  await Promise.all([...old, ...next].map(({ ended }) => ended()));
  expect((await start(40, others[0], now)).refused).toEqual([]);
});

test('refused requests come back at different times, none later than a wait can last', async () => {
  await start(slots);
  const { refused } = await start(40);
  const seconds = refused.map((error) => Number((error as HttpError).headers['Retry-After']));

  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...seconds)).toBeLessThan(30);
  expect(new Set(seconds).size).toBeGreaterThan(5);
});

test('a slot that was never released is free after the next window', async () => {
  await start(slots);

  expect((await start(1)).refused).toHaveLength(1);
  expect((await start(1, user(), now + 30)).refused).toHaveLength(1);
  expect((await start(1, user(), now + 60)).refused).toEqual([]);
});

test('a request that fails releases its slot', async () => {
  await start(slots - 1);
  const fail = () => whileWaiting(user(), () => Promise.reject(new Error('broken')), now);

  await expect(fail()).rejects.toThrow('broken');
  await expect(fail()).rejects.toThrow('broken');
  expect((await start(1)).refused).toEqual([]);
});

test('another user has slots of its own, and a user without a rate limit needs none', async () => {
  await start(slots);
  const other = { ...user(), id: 10_000 };

  expect((await start(1, other)).refused).toEqual([]);
  expect((await start(slots + 5, user(0))).refused).toEqual([]);
});

test('a stage with few functions gives a user fewer slots, in each area of the interface', async () => {
  vi.stubEnv('WAITS_PER_USER', '2');
  vi.stubEnv('AREA', 'serp');
  expect((await start(3)).refused).toHaveLength(1);

  vi.stubEnv('AREA', 'mcp');
  expect((await start(2)).refused).toEqual([]);
});

test('in a new account, the slow calls of one user leave slots to others, in all areas together', async () => {
  vi.stubEnv('WAITS_PER_USER', '2');
  vi.stubEnv('WAITS', '5');
  const refused = async (count: number, id: number) =>
    (await start(count, { ...user(), id })).refused.map((error) => (error as HttpError).statusCode);

  expect(await refused(3, 41)).toEqual([429]);
  expect(await refused(2, 42)).toEqual([]);
  expect(await refused(2, 43)).toEqual([503]);
  end.resolve();
});

test('many users together cannot take all functions of an area, and get 503', async () => {
  vi.stubEnv('WAITS', '60');
  vi.stubEnv('AREA', 'busy');
  const first = await start(40);
  const second = await start(30, { ...user(), id: 20_000 });
  // Without a rate limit, too.
  const third = await start(1, { ...user(0), id: 20_001 });

  expect(first.refused).toEqual([]);
  expect(second.refused).toHaveLength(10);
  expect(third.refused).toHaveLength(1);
  const [error] = second.refused;
  if (!(error instanceof HttpError)) throw error;
  expect(error.statusCode).toBe(503);

  end.resolve();
  await Promise.all([first.ended(), second.ended(), third.ended()]);
  // A refused request has given back the slot of its user.
  const again = await start(40, { ...user(), id: 20_000 });
  expect(again.refused).toEqual([]);
  await again.ended();
});
