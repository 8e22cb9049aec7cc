/** Who holds up the postback consumer, and for how long. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { placesPerUser, placesWindowSeconds, promptMs } from '../../../lib/postback/policy.ts';
import { startTables } from '../../tables.ts';

const tables = await startTables();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
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
  // The beginning of a window.
  vi.setSystemTime(1000 * placesWindowSeconds * 1_000_000);
});

const batches = (count: number) => Array.from({ length: count }, () => ({}));
const take = (of = userId) => takePlace({}, of);
const takeAll = () => Promise.all(batches(placesPerUser).map((batch) => takePlace(batch, userId)));

test('a user has so many places, and no more', async () => {
  const taken = await Promise.all(batches(placesPerUser + 3).map((batch) => takePlace(batch, userId)));

  expect(taken.filter((place) => place !== null)).toHaveLength(placesPerUser);
});

test('deliveries that came in one batch share a place', async () => {
  const batch = {};
  const shared = await Promise.all(Array.from({ length: 10 }, () => takePlace(batch, userId)));
  const others = await Promise.all(batches(placesPerUser).map((other) => takePlace(other, userId)));

  expect(shared.every((place) => place !== null)).toBe(true);
  expect(others.filter((place) => place !== null)).toHaveLength(placesPerUser - 1);
});

test("a user's places are nobody else's", async () => {
  await takeAll();

  expect(await take()).toBeNull();
  expect(await take(1000 + userId)).not.toBeNull();
});

test('a place comes back when the last of its deliveries has ended', async () => {
  const batch = {};
  const [first, last] = [await takePlace(batch, userId), await takePlace(batch, userId)];
  const others = await Promise.all(batches(placesPerUser - 1).map((other) => takePlace(other, userId)));
  expect(others).not.toContain(null);

  await first?.();
  expect(await take()).toBeNull();
  await last?.();
  expect(await take()).not.toBeNull();
});

test('a place that was left is not that of later deliveries in the same batch', async () => {
  const batch = {};
  const leave = await takePlace(batch, userId);
  await leave?.();
  await takeAll();

  expect(await takePlace(batch, userId)).toBeNull();
});

test('one that was held just long enough comes back', async () => {
  const taken = await takeAll();
  vi.advanceTimersByTime(promptMs);
  for (const leave of taken) await leave?.();

  expect(await take()).not.toBeNull();
});

test('the count of places is kept for an hour past its window', async () => {
  await take();

  const end = placesWindowSeconds * 1_000_001;
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: process.env.LIMITS_TABLE, Key: { key: `deliveries#${userId}#${end}` } }),
  );
  expect(Item).toMatchObject({ hits: 1, ttl: end + 3600 });
});

test('one that was held too long is gone until the window ends', async () => {
  const taken = await takeAll();
  vi.advanceTimersByTime(promptMs + 1);
  for (const leave of taken) await leave?.();

  expect(await take()).toBeNull();
  vi.advanceTimersByTime(placesWindowSeconds * 1000);
  expect(await take()).not.toBeNull();
});
