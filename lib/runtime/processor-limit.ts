/**
 * Ends work that uses the processor for too long. Only another thread can do so: V8 has one that ends a
 * script, with all functions that it calls and in the middle of a regular expression.
 */
import { createContext, Script } from 'node:vm';
import { stopwatch } from './clock.ts';

/** A global object with the work, for the script that calls it. */
const context = createContext({ run: (): unknown => undefined });
const script = new Script('run()');

/**
 * V8 measures the time that passes, in which a busy machine or a function with a part of a core may do
 * little. So work that has not had its processor time is done again, with three times the time. For two
 * seconds of processor time, both fit twice into the time limit of a function that reads a page.
 */
const waitsMs = (limitMs: number): number[] => [1.5, 4.5].map((times) => Math.ceil(times * limitMs));

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The error is of the script's own global object, so it is no `Error` of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Milliseconds for which such work has held this thread so far: nothing else was done in them. */
let held = 0;
export const heldMs = (): number => held;

/** Whether such work runs. It may contain more of it, which the limit of the outer one can end. */
let isHeld = false;

const limited = <T>(limitMs: number, run: () => T): T | undefined => {
  const before = processorMs();
  for (const timeout of waitsMs(limitMs)) {
    let value: T | undefined;
    context.run = () => {
      value = run();
    };
    try {
      script.runInContext(context, { timeout });
      return value;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (processorMs() - before >= limitMs) return undefined;
    }
  }
  return undefined;
};

/**
 * Does synchronous work that may be done several times. Undefined if all times together need more
 * processor time than `limitMs`; it then ends in the middle, without its `finally` blocks.
 */
export const withinProcessorTime = <T>(limitMs: number, run: () => T): T | undefined => {
  if (isHeld) return limited(limitMs, run);
  const began = stopwatch();
  isHeld = true;
  try {
    return limited(limitMs, run);
  } finally {
    isHeld = false;
    held += stopwatch() - began;
  }
};
