/** What the runs of a long line write to the pace table, and how the engine is shared. */
import { expect, test, vi } from 'vitest';
import { start } from '../keyword/fake-time.ts';
import { playLine } from './play-line.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

const usersOf = (count: number, users: number) => Array.from({ length: count }, (_, n) => 1 + (n % users));

test.each([
  [1000, 1],
  [100, 1],
  [300, 3],
])(
  'a batch of %i searches of %i users writes at most 1.2 times for each message handled',
  async (count, users) => {
    const { handled, writes, starts } = await playLine(usersOf(count, users));

    expect(starts).toHaveLength(count);
    expect(handled).toBeGreaterThanOrEqual(count);
    expect(writes / handled).toBeLessThanOrEqual(1.2);
    // The rate is used, and not exceeded.
    expect((starts.at(-1)?.at ?? 0) - start).toBeGreaterThan(count - 15);
    expect((starts.at(-1)?.at ?? 0) - start).toBeLessThan(count + 15);
  },
);

test('users whose runs wait at the same time get equal parts', async () => {
  const { starts } = await playLine([...Array(200).fill(1), ...Array(60).fill(2)]);
  const first = starts.slice(0, 100).map(({ user }) => user);

  expect(first.filter((user) => user === 1).length).toBeGreaterThan(40);
  expect(first.filter((user) => user === 2).length).toBeGreaterThan(40);
});
