/**
 * A thread of this process that runs functions. If an error ends it, a new one starts, as with Lambda's
 * execution environments. A call that exceeds the time limit of its function fails in the thread itself; if
 * the call does not let the thread do so, the thread is ended, as Lambda ends the environment.
 */
import { randomUUID } from 'node:crypto';
import type { EventLoopUtilization } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import type { Work } from '../../cost/meter.ts';
import type { LocalFunction } from '../local-function.ts';
import { type Call, FunctionError, logFailedCall, type ReportWork, timedOut } from './handlers.ts';
import { newWorker } from './worker.ts';

/** The first message to a thread: what it loads. */
export type Begin = {
  functions: LocalFunction[];
  environment: Record<string, string | undefined>;
  /** Whether the service may already answer requests, which must not wait for the start of this thread. */
  isServing: boolean;
};
export type ToThread = 'ping' | { id: number; entry: string; event: unknown; trace?: string };
export type FromThread =
  | 'ready'
  | 'pong'
  | { entry: string; work: Work }
  | { id: number; answer: string }
  | { id: number; error: { name: string; message: string } };

export type Thread = {
  call: Call;
  /** The number of calls in progress. */
  calls: () => number;
  /** How long the thread has been idle and active since it started, in milliseconds. */
  utilization: () => EventLoopUtilization;
  /** For how many milliseconds the thread has not answered although it was asked; 0 if it answers. */
  silentMs: () => number;
  /** Milliseconds of processor time that the thread has used. */
  cpuMs: () => Promise<number>;
  stop: () => Promise<void>;
};

type Waiting = { resolve: (answer: unknown) => void; reject: (error: FunctionError) => void };

/** A thread that works has so much longer than a function to report that the function is late. */
const graceMs = 2000;

const pingEveryMs = 1000;

/**
 * Starts the thread. Before the service answers requests, give a worker that has begun to load its packages.
 * Rejects if a handler cannot be imported. `more`: variables that this process does not have.
 */
export const startThread = async (
  functions: LocalFunction[],
  report: ReportWork,
  prepared?: Worker,
  more: Record<string, string> = {},
): Promise<Thread> => {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let calls = 0;
  let isStopping = false;
  /** Whether a late call has ended the thread. The calls that follow wait for the next one. */
  let isReplacing = false;
  let current: Worker;
  /** When the thread was asked for an answer that it has not given. */
  let askedAt: number | null = null;

  const receive = (message: FromThread) => {
    if (message === 'ready') return;
    if (message === 'pong') {
      askedAt = null;
      return;
    }
    if ('work' in message) {
      report(message.entry, message.work);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) call?.reject(new FunctionError(message.error.name, message.error.message));
    else call?.resolve(JSON.parse(message.answer));
  };

  const start = async (prepared?: Worker): Promise<Worker> => {
    const worker = prepared ?? newWorker();
    const environment = { ...process.env, ...more };
    worker.postMessage({ functions, environment, isServing: !prepared } satisfies Begin);
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    current = worker;
    askedAt = null;
    worker.on('message', receive);
    worker.on('error', (error) => console.error(`The functions' thread broke: ${error.message}`));
    worker.once('exit', () => {
      for (const { reject } of waiting.values()) {
        reject(new FunctionError('Runtime.ExitError', 'The thread of the function ended'));
      }
      waiting.clear();
      if (!isStopping && !isReplacing) running = start();
    });
    return worker;
  };
  let running = start(prepared);
  await running;
  const pinging = setInterval(() => {
    if (askedAt !== null) return;
    askedAt = performance.now();
    current.postMessage('ping' satisfies ToThread);
  }, pingEveryMs).unref();

  const byEntry = new Map(functions.map((fn) => [fn.entry, fn]));
  /** Ends the thread if a call has no answer although its function is late. Returns the end of the watch. */
  const watch = (id: number, entry: string, worker: Worker): (() => void) => {
    const fn = byEntry.get(entry);
    if (!fn) return () => undefined;
    const end = () => {
      const call = waiting.get(id);
      if (!call) return;
      waiting.delete(id);
      const error = timedOut(fn);
      logFailedCall(fn, randomUUID(), error.name);
      call.reject(error);
      isReplacing = true;
      running = worker.terminate().then(() => {
        isReplacing = false;
        return start();
      });
    };
    const timer = setTimeout(end, fn.timeoutMs + graceMs);
    return () => clearTimeout(timer);
  };

  return {
    call: async (entry, event, trace) => {
      calls += 1;
      let endWatch = (): void => undefined;
      try {
        const worker = await running;
        lastId += 1;
        const answer = Promise.withResolvers<unknown>();
        waiting.set(lastId, answer);
        endWatch = watch(lastId, entry, worker);
        worker.postMessage({ id: lastId, entry, event, trace } satisfies ToThread);
        return await answer.promise;
      } finally {
        endWatch();
        calls -= 1;
      }
    },
    calls: () => calls,
    silentMs: () => (askedAt === null ? 0 : performance.now() - askedAt),
    utilization: () => current.performance.eventLoopUtilization(),
    cpuMs: async () => {
      const { user, system } = await (await running).cpuUsage();
      return (user + system) / 1000;
    },
    stop: async () => {
      isStopping = true;
      clearInterval(pinging);
      await (await running).terminate();
    },
  };
};
