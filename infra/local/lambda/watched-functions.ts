/** Functions whose calls by the event sources say when the load of the stack is read. */
import type { Functions } from './functions.ts';

/** Longer than most steps of a task, so that the load is a mean over several. */
const readEveryMs = 50;

/**
 * After so long without a call, no thread counts as busy, and the load is no longer read. This would be a
 * third of the processor time of a stack without work.
 */
const quietMs = 1000;

/**
 * Calls `read` when a call begins, then every 50 ms while calls are in progress, and for a second after the
 * last one. `end` stops it.
 */
export const watchFunctions = (
  functions: Functions,
  read: () => void,
): { watched: Functions; end: () => void } => {
  let calls = 0;
  let calledAt = 0;
  let reading: NodeJS.Timeout | undefined;
  const end = () => {
    clearInterval(reading);
    reading = undefined;
  };
  const readOrEnd = () => {
    read();
    if (calls > 0) calledAt = performance.now();
    else if (performance.now() - calledAt > quietMs) end();
  };
  const invoke: Functions['invoke'] = async (...call) => {
    calls += 1;
    calledAt = performance.now();
    if (!reading) {
      read();
      reading = setInterval(readOrEnd, readEveryMs);
    }
    try {
      return await functions.invoke(...call);
    } finally {
      calls -= 1;
    }
  };
  return { watched: { ...functions, invoke }, end };
};
