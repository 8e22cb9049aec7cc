/** Tracked searches and their subscribers: the index of waiting work, and the conditions of the writes. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { NewSubscriber, SearchRow, SearchState } from '../../../lib/store/searches.ts';
import { startTableService } from '../../tables.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTableService();
afterAll(() => tables.stop());
const {
  dropSearch,
  dropSubscriber,
  readSearch,
  readWaiting,
  searchShards,
  settleSubscriber,
  subscribe,
  unsubscribe,
  writeSearch,
} = await import('../../../lib/store/searches.ts');

const now = 1_800_000_000;

const newHash = (): string => randomUUID().replaceAll('-', '');

const subscriberOf = (search_hash: string, keyword_id: number, change = {}): NewSubscriber => ({
  search: {
    engine: 'google',
    engine_domain: 'google.com',
    keyword: 'coffee',
    location_name: '',
    iso_code: 'US',
    language_code: 'en',
    device: 'desktop',
  },
  search_hash,
  keyword_id,
  user_id: 1,
  project_id: 7,
  chunk: 0,
  update_frequency: 24,
  first_at: now,
  ...change,
});

const rowOf = (search_hash: string, change: Partial<SearchRow> = {}): SearchRow => ({
  search_hash,
  search: subscriberOf(search_hash, 1).search,
  state: 'due',
  at: now,
  next_at: now,
  crawl_at: 0,
  task_user: 0,
  task_id: 0,
  checks: 0,
  turns: 0,
  revision: 0,
  ...change,
});

const waitingAt = async (state: SearchState, time: number): Promise<string[]> => {
  const found: string[] = [];
  for (let shard = 0; shard < searchShards; shard++) {
    for await (const page of readWaiting(state, shard, time, 3)) {
      found.push(...page.map(({ search_hash }) => search_hash));
    }
  }
  return found;
};

test('a new subscriber waits for its first crawl from its time on', async () => {
  const hash = newHash();
  await subscribe([subscriberOf(hash, 1)], now);

  expect(await waitingAt('due', now - 1)).not.toContain(hash);
  expect(await waitingAt('due', now)).toContain(hash);
  expect(await readSearch(hash)).toMatchObject({ subscribers: [{ keyword_id: 1, subscribed_at: now }] });
});

test('a subscriber whose first crawl has begun does not wait any more', async () => {
  const hash = newHash();
  await subscribe([subscriberOf(hash, 1)], now);
  const { subscribers } = await readSearch(hash);

  for (const subscriber of subscribers) await settleSubscriber(subscriber);

  expect(await waitingAt('due', now)).not.toContain(hash);
  const [settled] = (await readSearch(hash)).subscribers;
  expect(settled).toMatchObject({ keyword_id: 1 });
  expect(settled).not.toHaveProperty('first_at');
});

test('a repeated call replaces the subscriber', async () => {
  const hash = newHash();
  await subscribe([subscriberOf(hash, 1)], now);
  await subscribe([subscriberOf(hash, 1, { update_frequency: 6 })], now);

  const { subscribers } = await readSearch(hash);
  expect(subscribers.map(({ update_frequency }) => update_frequency)).toEqual([6]);
});

test('a subscriber that was written since it was read is neither settled nor removed', async () => {
  const hash = newHash();
  await subscribe([subscriberOf(hash, 1)], now);
  const [read] = (await readSearch(hash)).subscribers;
  if (!read) throw new Error('There is no subscriber');
  await subscribe([subscriberOf(hash, 1)], now + 5);

  await settleSubscriber(read);
  await dropSubscriber(read);

  expect(await waitingAt('due', now)).toContain(hash);
});

test('a removed subscriber is not made again by a late write', async () => {
  const hash = newHash();
  await subscribe([subscriberOf(hash, 1)], now);
  const { subscribers } = await readSearch(hash);
  await unsubscribe(subscribers);

  for (const subscriber of subscribers) await settleSubscriber(subscriber);

  expect((await readSearch(hash)).subscribers).toEqual([]);
});

test('of two writes of a search at the same time, one happens', async () => {
  const hash = newHash();
  const both = await Promise.all([writeSearch(rowOf(hash)), writeSearch(rowOf(hash, { at: now + 1 }))]);
  expect(both.toSorted()).toEqual([false, true]);

  const { row } = await readSearch(hash);
  if (!row) throw new Error('There is no search');
  const later = await Promise.all([
    writeSearch({ ...row, state: 'running' }),
    writeSearch({ ...row, state: 'running', task_id: 5 }),
  ]);
  expect(later.toSorted()).toEqual([false, true]);
});

test('a search waits in the state of its last write', async () => {
  const hash = newHash();
  await writeSearch(rowOf(hash));
  const { row } = await readSearch(hash);
  if (!row) throw new Error('There is no search');
  await writeSearch({ ...row, state: 'running', at: now + 90 });

  expect(await waitingAt('due', now + 1000)).not.toContain(hash);
  expect(await waitingAt('running', now + 89)).not.toContain(hash);
  expect(await waitingAt('running', now + 90)).toContain(hash);
});

test('a search that was written since it was read is not removed', async () => {
  const hash = newHash();
  await writeSearch(rowOf(hash));
  const { row } = await readSearch(hash);
  if (!row) throw new Error('There is no search');
  await writeSearch({ ...row, at: now + 1 });

  await dropSearch(row);
  const kept = (await readSearch(hash)).row;
  expect(kept).toMatchObject({ at: now + 1 });

  if (kept) await dropSearch(kept);
  expect((await readSearch(hash)).row).toBeUndefined();
});

test('the waiting searches of a shard come page by page, the oldest first', async () => {
  const hashes = Array.from({ length: 8 }, () => `${newHash().slice(1)}f`);
  await subscribe(
    hashes.map((hash, n) => subscriberOf(hash, n, { first_at: now - 100 - n })),
    now,
  );

  const found: string[] = [];
  for await (const page of readWaiting('due', 15, now - 100, 3)) {
    expect(page.length).toBeLessThanOrEqual(3);
    found.push(...page.map(({ search_hash }) => search_hash));
  }
  expect(found.filter((hash) => hashes.includes(hash))).toEqual(hashes.toReversed());
});
