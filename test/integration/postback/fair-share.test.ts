/** The places of a user in the postback consumer, and how long they are kept. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { placesPerUser, placesWindowSeconds, promptMs } from '../../../lib/postback/policy.ts';
import { startTables } from '../../tables.ts';

const tables = await startTables();
const { takePlace } = await import('../../../lib/postback/fair-share.ts');

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await tables.stop();
});

let userId = 0;
beforeEach(() => {
  userId += 1;
  // The start of a window.
  vi.setSystemTime(1000 * placesWindowSeconds * 1_000_000);
});

const batches = (count: number) => Array.from({ length: count }, () => ({}));
const take = (of = userId) => takePlace({}, of);
const takeAll = () => Promise.all(batches(placesPerUser).map((batch) => takePlace(batch, userId)));

test('a user has a fixed number of places', async () => {
  const taken = await Promise.all(batches(placesPerUser + 3).map((batch) => takePlace(batch, userId)));

  expect(taken.filter((place) => place !== null)).toHaveLength(placesPerUser);
});

test('deliveries of one batch share a place', async () => {
  const batch = {};
  const shared = await Promise.all(Array.from({ length: 10 }, () => takePlace(batch, userId)));
  const others = await Promise.all(batches(placesPerUser).map((other) => takePlace(other, userId)));

  expect(shared.every((place) => place !== null)).toBe(true);
  expect(others.filter((place) => place !== null)).toHaveLength(placesPerUser - 1);
});

test('a user does not take the places of another user', async () => {
  await takeAll();

  expect(await take()).toBeNull();
  expect(await take(1000 + userId)).not.toBeNull();
});

test('a place is free again when the last of its deliveries has ended', async () => {
  const batch = {};
  const [first, last] = [await takePlace(batch, userId), await takePlace(batch, userId)];
  const others = await Promise.all(batches(placesPerUser - 1).map((other) => takePlace(other, userId)));
  expect(others).not.toContain(null);

  await first?.();
  expect(await take()).toBeNull();
  await last?.();
  expect(await take()).not.toBeNull();
});

test('a place that was held too long is free again only in the next window', async () => {
  const taken = await takeAll();
  vi.advanceTimersByTime(promptMs + 1);
  for (const leave of taken) await leave?.();

  expect(await take()).toBeNull();
  vi.advanceTimersByTime(placesWindowSeconds * 1000);
  expect(await take()).not.toBeNull();
});
