/** The slots of a user in the postback consumer, and how long they stay taken. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { attemptSeconds, promptMs, slotsPerUser, slotWindowSeconds } from '../../../lib/postback/policy.ts';
import { startTables } from '../../tables.ts';

const tables = await startTables();
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { acquireSlot } = await import('../../../lib/postback/fair-share.ts');

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
  vi.setSystemTime(1000 * slotWindowSeconds * 1_000_000);
});

const batches = (count: number) => Array.from({ length: count }, () => ({}));
const take = (of = userId) => acquireSlot({}, of);
const takeAll = () => Promise.all(batches(slotsPerUser).map((batch) => acquireSlot(batch, userId)));

test('a user has a fixed number of slots', async () => {
  const taken = await Promise.all(batches(slotsPerUser + 3).map((batch) => acquireSlot(batch, userId)));

  expect(taken.filter((slot) => slot !== null)).toHaveLength(slotsPerUser);
});

test('deliveries of one batch share a slot', async () => {
  const batch = {};
  const shared = await Promise.all(Array.from({ length: 10 }, () => acquireSlot(batch, userId)));
  const others = await Promise.all(batches(slotsPerUser).map((other) => acquireSlot(other, userId)));

  expect(shared.every((slot) => slot !== null)).toBe(true);
  expect(others.filter((slot) => slot !== null)).toHaveLength(slotsPerUser - 1);
});

test('a user does not take the slots of another user', async () => {
  await takeAll();

  expect(await take()).toBeNull();
  expect(await take(1000 + userId)).not.toBeNull();
});

test('a slot is free again when the last of its deliveries has ended', async () => {
  const batch = {};
  const [first, last] = [await acquireSlot(batch, userId), await acquireSlot(batch, userId)];
  const others = await Promise.all(batches(slotsPerUser - 1).map((other) => acquireSlot(other, userId)));
  expect(others).not.toContain(null);

  await first?.();
  expect(await take()).toBeNull();
  await last?.();
  expect(await take()).not.toBeNull();
});

test('a batch that has released its slot needs a new one', async () => {
  const batch = {};
  const leave = await acquireSlot(batch, userId);
  await leave?.();
  await takeAll();

  expect(await acquireSlot(batch, userId)).toBeNull();
});

test('a slot that is released just in time is free again at once', async () => {
  const taken = await takeAll();
  vi.advanceTimersByTime(promptMs);
  for (const leave of taken) await leave?.();

  expect(await take()).not.toBeNull();
});

test('the count of slots is kept for an hour after its window', async () => {
  await take();

  const end = slotWindowSeconds * 1_000_001;
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: process.env.LIMITS_TABLE, Key: { key: `deliveries#${userId}#${end}` } }),
  );
  expect(Item).toMatchObject({ hits: 1, ttl: end + 3600 });
});

test('a slot that is released too late is free again only in the next window', async () => {
  const taken = await takeAll();
  vi.advanceTimersByTime(promptMs + 1);
  for (const leave of taken) await leave?.();

  expect(await take()).toBeNull();
  // The attempt may have gone on into the next window.
  vi.advanceTimersByTime(slotWindowSeconds * 1000);
  expect(await take()).toBeNull();
  vi.advanceTimersByTime(attemptSeconds * 1000);
  expect(await take()).not.toBeNull();
});
