/** The other side of `thread.ts`: imports the handlers it is given and answers calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { importHandlers } from './handlers.ts';
import type { FromThread, ToThread } from './thread.ts';

const say = (message: FromThread) => parentPort?.postMessage(message);

const call = await importHandlers(workerData);

parentPort?.on('message', async ({ id, entry, event }: ToThread) => {
  try {
    say({ id, answer: JSON.stringify(await call(entry, event)) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    say({ id, error: { name, message } });
  }
});
say('ready');
