/**
 * The threads that run functions in the background. A second one starts when the service is in use, and
 * further ones while all of them are busy, up to the number of processors, as Lambda starts execution
 * environments. A service begins with one thread, and starts sooner.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { newLoad } from '../load.ts';
import type { LocalFunction } from '../local-function.ts';
import type { Call, ReportWork } from './handlers.ts';
import { newStepsAtOnce } from './steps-at-once.ts';
import { startThread, type Thread } from './thread.ts';
import { newTurns } from './turns.ts';

/** More threads would wait for the stores, which have one thread. */
const mostThreads = 4;

/**
 * The load above which a thread is busy. Lower than the load above which fewer messages are admitted, so that
 * it is reached under load.
 */
const busyLoad = 0.7;

/**
 * All threads must have been busy so many times more often than not before another one starts: a single
 * request makes one busy for a while.
 */
const busyTimes = 20;

/**
 * After so many calls the service is in use, and a second thread starts before it is needed. If it started
 * under load, the calls in progress would share the processor with its start.
 */
const callsInUse = 400;

/** One thread opens all pages of the browser, because each thread would start another browser. */
const isBrowser = (entry: string): boolean => entry === 'functions/crawl/render-page.ts';

/**
 * The steps of a task that use the processor. They take turns by user. The consumers of queues wait for
 * steps, so they take no turn.
 */
const isStep = (entry: string): boolean =>
  ['fetch-page', 'fetch-pages', 'parse-task'].some((step) => entry === `functions/crawl/${step}.ts`);

/** The user in the input of a step. */
const userOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'user_id' in event ? String(event.user_id) : '';

export type Threads = {
  /**
   * Calls a function in the thread that works on the fewest steps, or has the fewest calls in progress. A
   * step waits for its turn first.
   */
  call: Call;
  /** Milliseconds of processor time that all threads have used. */
  cpuMs: () => Promise<number>;
  /**
   * The part of the time since the last call in which the least busy thread worked, 0 to 1, or 1 if steps
   * wait for their turn. Starts another thread if that was long.
   */
  load: () => number;
  /** How many steps of tasks each thread may work on at a time: more than one only for a single user. */
  stepsAtOnce: () => number;
  /** The longest time in milliseconds for which a thread has not answered although it was asked. */
  silentMs: () => number;
  stop: () => Promise<void>;
};

/** `steps`: the number of steps of tasks that the thread works on. Its other calls mostly wait for steps. */
type Started = { thread: Thread; load: () => number; steps: number };

/**
 * Starts the first thread, in the given worker if any. `environment`: what only threads have. Rejects if a
 * handler cannot be imported.
 */
export const startThreads = async (
  functions: LocalFunction[],
  report: ReportWork,
  worker?: Worker,
  environment: Record<string, string> = {},
): Promise<Threads> => {
  const stepsAtOnce = newStepsAtOnce();
  const reportStep: ReportWork = (entry, work) => {
    if (isStep(entry)) stepsAtOnce.add(work.cpuMs);
    report(entry, work);
  };
  const begin = async (own?: Worker): Promise<Started> => {
    const thread = await startThread(functions, reportStep, own, environment);
    return { thread, load: newLoad(thread.utilization), steps: 0 };
  };
  const first = await begin(worker);
  const all = [first];
  // A crash point counts how often one thread passes it.
  const most = process.env.CRASH_AT ? 1 : Math.min(mostThreads, availableParallelism());
  let busy = 0;
  let starting: Promise<void> | null = null;

  const grow = () => {
    busy = 0;
    starting = begin()
      .then((next) => void all.push(next))
      .catch((error) => console.error(`Another thread of functions did not start: ${error}`))
      .finally(() => {
        starting = null;
      });
  };
  const isLess = (one: Started, other: Started): boolean =>
    one.steps === other.steps ? one.thread.calls() < other.thread.calls() : one.steps < other.steps;
  let calls = 0;
  const leastBusy = (): Started => {
    calls += 1;
    if (calls >= callsInUse && all.length < Math.min(2, most) && !starting) grow();
    return all.reduce((least, next) => (isLess(next, least) ? next : least));
  };

  const turns = newTurns(
    () => all.length,
    () => all.length * stepsAtOnce.now(),
  );
  const callInTurn: Call = async (entry, event, trace) => {
    const leave = await turns.take(userOf(event));
    const chosen = leastBusy();
    chosen.steps += 1;
    try {
      return await chosen.thread.call(entry, event, trace);
    } finally {
      chosen.steps -= 1;
      leave();
    }
  };

  return {
    call: (entry, event, trace) => {
      if (isBrowser(entry)) return first.thread.call(entry, event, trace);
      return (isStep(entry) ? callInTurn : leastBusy().thread.call)(entry, event, trace);
    },
    cpuMs: async () => {
      const times = await Promise.all(all.map(({ thread }) => thread.cpuMs()));
      return times.reduce((sum, ms) => sum + ms, 0);
    },
    load: () => {
      const least = Math.min(...all.map((each) => each.load()));
      // While steps wait for their turn, another thread helps, and more messages in flight do not.
      const load = turns.waiting() > 0 ? 1 : least;
      busy = Math.max(0, busy + (load > busyLoad ? 1 : -1));
      if (busy >= busyTimes && all.length < most && !starting) grow();
      return load;
    },
    stepsAtOnce: () => turns.most() / all.length,
    silentMs: () => Math.max(...all.map(({ thread }) => thread.silentMs())),
    stop: async () => {
      await starting;
      await Promise.all(all.map(({ thread }) => thread.stop()));
    },
  };
};
