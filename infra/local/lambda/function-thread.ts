/** The other side of `thread.ts`: imports the handlers it is given and answers calls. */
import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { importHandlers } from './handlers.ts';
import type { FromThread, ToThread } from './thread.ts';

/** A third of the processor time that others get, while they want it. */
const backgroundPriority = 5;

/** Lets those who wait for an answer go first where processors are short. Linux alone gives each thread a priority of its own. */
const giveWay = () => {
  const self = '/proc/thread-self';
  if (existsSync(self)) setPriority(Number(basename(readlinkSync(self))), backgroundPriority);
};

const say = (message: FromThread) => parentPort?.postMessage(message);

giveWay();
const call = await importHandlers(workerData);

parentPort?.on('message', async ({ id, entry, event, trace }: ToThread) => {
  try {
    say({ id, answer: JSON.stringify(await call(entry, event, trace)) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    say({ id, error: { name, message } });
  }
});
say('ready');
