/**
 * The worker of a thread of functions. It waits for its first message (`Begin`), which names the functions.
 */
import { Worker } from 'node:worker_threads';

const code = new URL('function-thread.ts', import.meta.url);

export const newWorker = (): Worker => new Worker(code, { execArgv: [] });

/** A worker that loads packages of the functions until the functions are known. */
export const prepareWorker = (): Worker => new Worker(code, { execArgv: [], workerData: 'load packages' });
