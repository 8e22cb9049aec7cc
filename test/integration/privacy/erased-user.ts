/** What the tests of a user's export and deletion share. */
import type { World } from '../reporting/tracked-world.ts';
import { fillUser, readEverything, type Stored } from './stored-things.ts';

const day = 86_400;

/** Time that passes only while the deletion waits. */
export const at = (now: number, whileWaiting: () => Promise<unknown> = async () => {}) => {
  const waits: number[] = [];
  let present = now;
  return {
    waits,
    options: {
      time: () => present,
      wait: async (until: number) => {
        waits.push(until - present);
        present = until;
        await whileWaiting();
      },
    },
  };
};

export const exportLines = async (id: number, now: number): Promise<string[]> => {
  const { exportUser } = await import('../../../lib/privacy/export-user.ts');
  const lines: string[] = [];
  for await (const line of exportUser(id, 'https://here.example', { clock: now, calendar: now }))
    lines.push(JSON.stringify(line));
  return lines;
};

/** What names the user: places and times to live. */
export const namesOf = async (id: number): Promise<Stored[]> =>
  (await readEverything()).filter(({ text }) => text.includes(String(id)));

/** Whether an item is one that cannot be listed by user, and that expires soon. */
export const expires = (place: string, item: Record<string, unknown>, start: number): boolean =>
  (place === 'LIMITS_TABLE' || String(item.partition).includes('#request#')) &&
  Number(item.ttl) <= start + day;

export const placesOf = (stored: readonly Stored[]): string[] =>
  stored.map(({ place, item }) => `${place} ${Object.values(item).slice(0, 2).join(' ').slice(0, 200)}`);

/**
 * Two users with the same keywords, whose searches were crawled and are recorded. Returns the one that is not
 * erased.
 */
export const giveTwo = async (world: World, erased: number, start: number): Promise<number> => {
  const { readRow } = await import('../../../lib/store/tasks.ts');
  const other = await world.user();
  await world.user(erased);
  await fillUser(world, other, start);
  await fillUser(world, erased, start);
  await world.plan(start);
  for (const key of world.takeQueued()) {
    const row = await readRow(key.user_id, key.id, 0);
    if (row?.status === 'awaiting' && row.keyword !== 'c')
      await world.end(key, { hosts: ['own.example.com'], crawled_at: start + 20 });
  }
  await world.record(start + 95);
  return other;
};
