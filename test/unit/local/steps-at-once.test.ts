/** How many steps of tasks a thread of the embedded stack works on at a time. */
import { expect, test } from 'vitest';
import { newStepsAtOnce } from '../../../infra/local/lambda/steps-at-once.ts';

/** The steps at once after many steps that need so many milliseconds of processor time. */
const after = (...times: number[]): number => {
  const steps = newStepsAtOnce();
  for (const cpuMs of times) for (let n = 0; n < 100; n += 1) steps.add(cpuMs);
  return steps.now();
};

test('a thread works on one step until the first ones have shown how long they compute', () => {
  expect(newStepsAtOnce().now()).toBe(1);
});

test('a thread works on as many steps as compute for 32 ms together, on three at most', () => {
  expect(after(0)).toBe(3);
  expect(after(1)).toBe(3);
  expect(after(10)).toBe(3);
  expect(after(12)).toBe(2);
  expect(after(18)).toBe(1);
  expect(after(500)).toBe(1);
});

test('the last steps count, not those before', () => {
  expect(after(500, 5)).toBe(3);
  expect(after(5, 500)).toBe(1);
});

test('a single step that computes for long does not change the number for long', () => {
  const steps = newStepsAtOnce();
  for (let n = 0; n < 100; n += 1) steps.add(4);
  steps.add(200);
  expect(steps.now()).toBe(1);
  for (let n = 0; n < 20; n += 1) steps.add(4);

  expect(steps.now()).toBe(3);
});
