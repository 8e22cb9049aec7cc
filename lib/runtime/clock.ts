/**
 * The clock of the machine. No other file of the service reads it (`test/contract/clock.test.ts`). A time is
 * a parameter with one of these as its default, so that a test can pass its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Unix time in milliseconds. */
export const clockMs = (): number => Date.now();

/** Unix time in whole seconds. */
export const clock = (): number => Math.floor(clockMs() / 1000);

/** Unix time in seconds, with fractions: for turns and waits. */
export const preciseClock = (): number => clockMs() / 1000;

/** Milliseconds of a clock that only moves forward, to measure how long something takes. */
export const stopwatch = (): number => Math.round(performance.now());

/** Waits until a Unix time (seconds). Does not wait if it has passed. */
export const sleepUntil = (at: number): Promise<void> => sleep(Math.max(0, at * 1000 - clockMs()));
