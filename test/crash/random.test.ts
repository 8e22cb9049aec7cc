/** Kills a stack at random moments. */
import { expect, test } from 'vitest';
import { killAtRandom } from './random.ts';

test('a stack that is killed five times at random loses no tasks and no webhooks', async () => {
  const counts = await killAtRandom({ kills: 5, tasks: 60, seed: 4 });

  expect(counts.accepted).toBeGreaterThan(0);
  const all = counts.accepted;
  expect(counts).toMatchObject({ final: all, success: all, delivered: all, doubled: 0, excess: 0 });
});
