/** The time limit of a scheduled run, which stops early enough that its function does not time out. */
import { stopwatch } from './clock.ts';

/** Returns a function that says whether so many seconds have passed. */
export const timeLimit = (seconds: number): (() => boolean) => {
  const end = stopwatch() + seconds * 1000;
  return () => stopwatch() >= end;
};
