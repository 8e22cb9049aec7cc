/**
 * The code of the thread that `worker.ts` starts: imports the handlers of its first message, and runs their
 * calls.
 */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { traceToSources } from '../traces.ts';
import { importHandlers } from './handlers.ts';
import { lowerPriority } from './lower-priority.ts';
import { loadThreadPackages } from './packages.ts';
import type { Begin, FromThread, ToThread } from './thread.ts';

const post = (message: FromThread) => parentPort?.postMessage(message);

traceToSources();

/** The environment of the parent may have changed since this thread began. */
const setEnvironment = (environment: Begin['environment']) => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
};

if (!parentPort) throw new Error('This is the code of a thread');
const [[begin]] = await Promise.all([once(parentPort, 'message'), workerData && loadThreadPackages()]);
const { functions, environment, isServing }: Begin = begin;
if (isServing) lowerPriority();
setEnvironment(environment);
const call = await importHandlers(functions, (entry, work) => post({ entry, work }));
if (!isServing) lowerPriority();

parentPort?.on('message', async (message: ToThread) => {
  if (message === 'ping') return post('pong');
  const { id, entry, event, trace } = message;
  try {
    post({ id, answer: JSON.stringify(await call(entry, event, trace)) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    post({ id, error: { name, message } });
  }
});
post('ready');
