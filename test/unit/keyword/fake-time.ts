/**
 * Time that only the test moves. A test file that uses it replaces Node's own timers of promises by the global ones, which are faked:
 * `vi.mock('node:timers/promises', () => import('./fake-time.ts').then(({ promises }) => promises))`.
 */
import { vi } from 'vitest';

/** The module `node:timers/promises` on the global timers. */
export const promises = {
  setTimeout: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Unix seconds at which each test begins. */
export const start = 1_800_000_000;

export const startTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: start * 1000 });
};

/** Seconds since the test began. */
export const elapsed = (): number => Number((Date.now() / 1000 - start).toFixed(3));

/** Moves the time from timer to timer until the promise is settled. Calls that are mocked take no time. */
export const settled = async <Value>(promise: Promise<Value>): Promise<Value> => {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  promise.then(end, end);
  while (!isSettled) {
    // What is not a timer runs first, such as the loading of a module.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!isSettled && vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
  return promise;
};
