/**
 * Time that only the test moves. A test file that uses it replaces Node's own timers of promises by the
 * global ones, which are faked: `vi.mock('node:timers/promises', () => import('./fake-time.ts').then(({
 * promises }) => promises))`.
 */
import { vi } from 'vitest';

/** The module `node:timers/promises` on the global timers. */
export const promises = {
  setTimeout: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Unix seconds at which each test begins. */
export const start = 1_800_000_000;

export const startTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: start * 1000 });
};

let days = 0;

/**
 * Real timers, for tests with sockets, on a day of their own: what was kept for some minutes is read again.
 */
export const realTimers = (): void => {
  vi.useRealTimers();
  days += 1;
  vi.setSystemTime((start + days * 86_400) * 1000);
};

/** Seconds since the test began. */
export const elapsed = (): number => Number((Date.now() / 1000 - start).toFixed(3));

/**
 * Timers that a promise may need, and pauses without any timer. Code that needs more waits for what never
 * comes.
 */
const most = { timers: 2000, pauses: 5000 };

/** The real timer. */
const { setTimeout: realTimeout } = globalThis;

/** Lets work in other threads go on, such as compression. */
const pause = () => new Promise((resolve) => realTimeout(resolve, 1));

/**
 * Moves the time from timer to timer until the promise is settled. Calls that are mocked take no time.
 * @throws if the promise needs too many timers, or if there is no timer left that it could wait for.
 */
export const settled = async <Value>(promise: Promise<Value>): Promise<Value> => {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  promise.then(end, end);
  for (let [timers, pauses] = [0, 0]; !isSettled; ) {
    // What is not a timer runs first, such as the loading of a module.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (isSettled) break;
    if (vi.getTimerCount() > 0) {
      timers += 1;
      await vi.advanceTimersToNextTimerAsync();
    } else {
      pauses += 1;
      await pause();
    }
    if (timers > most.timers || pauses > most.pauses) throw new Error('The promise is never settled');
  }
  return promise;
};
