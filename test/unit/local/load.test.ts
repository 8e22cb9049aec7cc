/** The load of a thread and of the machine. */
import { type CpuInfo, cpus } from 'node:os';
import { expect, test } from 'vitest';
import { newLoad, newProcessorLoad } from '../../../infra/local/load.ts';

/** Two processors that have worked, and been idle, for so many milliseconds each. */
const processors = (worked: number, idle: number): CpuInfo[] =>
  Array.from({ length: 2 }, () => ({
    model: '',
    speed: 0,
    times: { user: worked / 4, nice: worked / 4, sys: worked / 4, irq: worked / 4, idle },
  }));

test('the load of the machine is the part of the time in which its processors worked', () => {
  let [worked, idle] = [1000, 9000];
  const load = newProcessorLoad(() => processors(worked, idle));
  expect(load()).toBe(0);

  worked += 45;
  idle += 5;
  expect(load()).toBeCloseTo(0.9);
});

test('the load of the machine is that of its last four calls', () => {
  let [worked, idle] = [0, 0];
  const load = newProcessorLoad(() => processors(worked, idle));
  for (let n = 0; n < 10; n += 1) {
    worked += 50;
    load();
  }
  const loads = [1, 2, 3, 4].map(() => {
    idle += 50;
    return load();
  });

  expect(loads).toEqual([0.75, 0.5, 0.25, 0]);
});

test('the load of this machine is between 0 and 1', () => {
  const load = newProcessorLoad(cpus)();
  expect(load).toBeGreaterThanOrEqual(0);
  expect(load).toBeLessThanOrEqual(1);
});

test('the load of a thread is the part of the time since the last call in which its event loop worked', () => {
  let [active, idle] = [100, 900];
  const load = newLoad(() => ({ active, idle, utilization: active / (active + idle) }));
  active += 30;
  idle += 10;
  expect(load()).toBeCloseTo(0.75);

  idle += 40;
  expect(load()).toBe(0);
});

test('a thread that has just started has no load', () => {
  let [active, idle] = [100, 900];
  const load = newLoad(() => ({ active, idle, utilization: active / (active + idle) }));
  active = 1;
  idle = 0;
  expect(load()).toBe(0);
});
