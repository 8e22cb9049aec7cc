/** The code of the thread that `thread.ts` starts: imports the given handlers and runs their calls. */
import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { importHandlers } from './handlers.ts';
import type { FromThread, ToThread } from './thread.ts';

/** At this priority the thread gets a third of the processor time of others, while the processor is busy. */
const backgroundPriority = 5;

/** Gives precedence to the main thread, which serves clients. Only Linux has a priority for each thread. */
const lowerPriority = () => {
  const self = '/proc/thread-self';
  if (existsSync(self)) setPriority(Number(basename(readlinkSync(self))), backgroundPriority);
};

const post = (message: FromThread) => parentPort?.postMessage(message);

lowerPriority();
const call = await importHandlers(workerData, (entry, work) => post({ entry, work }));

parentPort?.on('message', async ({ id, entry, event, trace }: ToThread) => {
  try {
    post({ id, answer: JSON.stringify(await call(entry, event, trace)) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    post({ id, error: { name, message } });
  }
});
post('ready');
