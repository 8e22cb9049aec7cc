/**
 * The embedded Lambda: calls the functions of the template by name, in the main thread or in background
 * threads.
 */
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { addUsage, addWork, type Meter } from '../../cost/meter.ts';
import { newLoad } from '../load.ts';
import type { LocalFunction } from '../local-function.ts';
import { FunctionError, importHandlers, type ReportWork } from './handlers.ts';
import { startThreads } from './threads.ts';

export type Functions = {
  all: LocalFunction[];
  /**
   * Calls a function by ARN, name or entry file, in the caller's trace if any. Rejects with a FunctionError
   * if the handler throws or times out, or if there is no such function.
   */
  invoke: (target: string, event: unknown, trace?: string) => Promise<unknown>;
  /**
   * Milliseconds of processor time of the threads that run JavaScript: the main thread, and those of the
   * functions.
   */
  threadsMs: () => Promise<number>;
  /** Waits until no call is in progress, for at most `timeoutMs`. */
  drain: (timeoutMs: number) => Promise<void>;
  /**
   * The part of the time since the last call in which the main thread worked, or the functions' threads if
   * they worked longer: 0 to 1.
   */
  load: () => number;
  /** How many steps of tasks each thread may work on at a time: more than one only for a single user. */
  stepsAtOnce: () => number;
  /** Whether all threads of functions answer. One that computes for long answers only after it. */
  answers: () => boolean;
  stop: () => Promise<void>;
};

/** A thread that gives no answer for so long does nothing else than its current computation. */
const longestSilenceMs = 10_000;

/**
 * Loads all functions. Set the environment first. Functions for which `inThread` is true run in background
 * threads, so that background work does not delay the functions that clients wait for. The first thread is
 * that of `worker`, if it is given. `environment`: what only the threads have.
 */
export const loadFunctions = async (
  all: LocalFunction[],
  inThread: (fn: LocalFunction) => boolean,
  meter: Meter,
  worker?: Worker,
  environment: Record<string, string> = {},
): Promise<Functions> => {
  const report: ReportWork = (entry, work) => addWork(meter.work, entry, work);
  const [here, threads] = await Promise.all([
    importHandlers(
      all.filter((fn) => !inThread(fn)),
      report,
    ),
    startThreads(all.filter(inThread), report, worker, environment),
  ]);
  const byTarget = new Map(
    all.flatMap((fn) => [fn.arn, fn.name, fn.entry].map((target) => [target, fn] as const)),
  );
  const mainLoad = newLoad(() => performance.eventLoopUtilization());
  let inProgress = 0;

  return {
    all,
    invoke: async (target, event, trace) => {
      const fn = byTarget.get(target);
      if (!fn) throw new FunctionError('ResourceNotFoundException', `Function not found: ${target}`);
      const started = performance.now();
      inProgress += 1;
      try {
        return await (inThread(fn) ? threads.call : here)(fn.entry, event, trace);
      } finally {
        inProgress -= 1;
        addUsage(meter.functions, fn.entry, performance.now() - started);
      }
    },
    threadsMs: async () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000 + (await threads.cpuMs());
    },
    drain: async (timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (inProgress > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    load: () => Math.max(mainLoad(), threads.load()),
    stepsAtOnce: threads.stepsAtOnce,
    answers: () => threads.silentMs() < longestSilenceMs,
    stop: threads.stop,
  };
};
