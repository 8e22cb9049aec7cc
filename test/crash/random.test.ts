/** A stack killed at moments that nobody chose. */
import { expect, test } from 'vitest';
import { killAtRandom } from './random.ts';

test('killed five times at random moments, a stack loses none of its tasks and none of their webhooks', async () => {
  const toll = await killAtRandom({ kills: 5, tasks: 60, seed: 4 });

  expect(toll.accepted).toBeGreaterThan(0);
  const all = toll.accepted;
  expect(toll).toMatchObject({ final: all, success: all, delivered: all, doubled: 0, excess: 0 });
});
