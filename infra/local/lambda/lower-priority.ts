/** The priority of threads that work in the background. */
import { existsSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** With so much more, a thread gets a third of the processor time of others while the processor is busy. */
const background = 5;

/**
 * Gives precedence to the main thread, which serves clients. Only Linux has a priority for each thread. The
 * process may have a low priority itself (`nice`), which only root may raise.
 */
export const lowerPriority = (): void => {
  const self = '/proc/thread-self';
  if (!existsSync(self)) return;
  const id = Number(basename(readlinkSync(self)));
  setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority(id) + background));
};
