/** The pace of engines and fetchers can be forgotten, for a machine whose clock was set back. */
import { afterAll, expect, test } from 'vitest';
import { startTables } from '../../tables.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTables();
const { clearPace } = await import('../../../lib/store/clear-pace.ts');
const { holdLine, readLine, restLine, takeFreeTurn } = await import('../../../lib/store/pace.ts');
const { markTurn, readUser, takeShare } = await import('../../../lib/store/pace-users.ts');
afterAll(() => tables.stop());

test('no turn, wait or rest of later hours is left, also in a table of many lines', async () => {
  const [now, later] = [1_800_000_000, 1_800_007_200];
  await holdLine('google', later);
  await restLine('google', 5, later);
  const seen = await readUser('google', 7);
  await takeShare('google', 7, seen, { seconds: 1, from: later, latest: later + 60 });
  await markTurn('google', 7, later + 1);
  await Promise.all(Array.from({ length: 60 }, (_, n) => holdLine(`bing/${n}`, later)));
  expect(await takeFreeTurn('google', { now, seconds: 1 }, 5, true)).toBe(false);

  await clearPace();

  expect(await readLine('google')).toEqual({ free_at: 0, waiting_until: 0, walls: 0, rested_until: 0 });
  expect(await readUser('google', 7)).toEqual(seen);
  expect(await readLine('bing/59')).toMatchObject({ free_at: 0 });
  expect(await takeFreeTurn('google', { now, seconds: 1 }, 5, true)).toBe(true);
  await clearPace();
});
