/** Virtual time. */
import { expect, test } from 'vitest';
import { newScheduler } from './world/scheduler.ts';

test('runs events in the order of their times', async () => {
  const scheduler = newScheduler(0);
  const seen: number[] = [];
  for (const time of [20, 10, 30]) scheduler.at(time, () => seen.push(scheduler.now()));

  await scheduler.runUntil(25);

  expect(seen).toEqual([10, 20]);
  expect(scheduler.now()).toBe(25);
});

test('a loop without a pause ends with an error', async () => {
  const scheduler = newScheduler(0);
  const again = () => void scheduler.after(0, again);
  again();

  await expect(scheduler.runUntil(1)).rejects.toThrow('events in a minute');
});
