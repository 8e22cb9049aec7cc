/**
 * A thread of this process that runs functions. If an error ends it, a new one starts, as with Lambda's
 * execution environments.
 */
import type { EventLoopUtilization } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import type { Work } from '../../cost/meter.ts';
import type { LocalFunction } from '../local-function.ts';
import { type Call, FunctionError, type ReportWork } from './handlers.ts';
import { newWorker } from './worker.ts';

/** The first message to a thread: what it loads. */
export type Begin = {
  functions: LocalFunction[];
  environment: Record<string, string | undefined>;
  /** Whether the service may already answer requests, which must not wait for the start of this thread. */
  isServing: boolean;
};
export type ToThread = { id: number; entry: string; event: unknown; trace?: string };
export type FromThread =
  | 'ready'
  | { entry: string; work: Work }
  | { id: number; answer: string }
  | { id: number; error: { name: string; message: string } };

export type Thread = {
  call: Call;
  /** The number of calls in progress. */
  calls: () => number;
  /** How long the thread has been idle and active since it started, in milliseconds. */
  utilization: () => EventLoopUtilization;
  /** Milliseconds of processor time that the thread has used. */
  cpuMs: () => Promise<number>;
  stop: () => Promise<void>;
};

type Waiting = { resolve: (answer: unknown) => void; reject: (error: FunctionError) => void };

/**
 * Starts the thread. Before the service answers requests, give a worker that has begun to load its packages.
 * Rejects if a handler cannot be imported.
 */
export const startThread = async (
  functions: LocalFunction[],
  report: ReportWork,
  prepared?: Worker,
): Promise<Thread> => {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let calls = 0;
  let isStopping = false;
  let current: Worker;

  const receive = (message: FromThread) => {
    if (message === 'ready') return;
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
    const environment = { ...process.env };
    worker.postMessage({ functions, environment, isServing: !prepared } satisfies Begin);
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    current = worker;
    worker.on('message', receive);
    worker.on('error', (error) => console.error(`The functions' thread broke: ${error.message}`));
    worker.once('exit', () => {
      for (const { reject } of waiting.values()) {
        reject(new FunctionError('Runtime.ExitError', 'The thread of the function ended'));
      }
      waiting.clear();
      if (!isStopping) running = start();
    });
    return worker;
  };
  let running = start(prepared);
  await running;

  return {
    call: async (entry, event, trace) => {
      calls += 1;
      try {
        const worker = await running;
        lastId += 1;
        const answer = Promise.withResolvers<unknown>();
        waiting.set(lastId, answer);
        worker.postMessage({ id: lastId, entry, event, trace } satisfies ToThread);
        return await answer.promise;
      } finally {
        calls -= 1;
      }
    },
    calls: () => calls,
    utilization: () => current.performance.eventLoopUtilization(),
    cpuMs: async () => {
      const { user, system } = await (await running).cpuUsage();
      return (user + system) / 1000;
    },
    stop: async () => {
      isStopping = true;
      await (await running).terminate();
    },
  };
};
