/** Moves the clock of a service, so that a test does not wait for what the service waits for by its clock. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { patienceMs } from '../until.ts';

/**
 * The clock of the service with this folder. It is right until it is set. Timers do not move, and neither do
 * the waits of the state machines.
 */
export const movedClock = (dataDir: string) => {
  const folder = join(dataDir, 'clock');
  mkdirSync(folder);
  const set = (seconds: number) => writeFileSync(join(folder, 'seconds'), String(seconds));
  const used = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('seconds-'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  return {
    /** The settings with which the service starts. */
    environment: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'moved-date.ts'))}`,
      MOVED_CLOCK: join(folder, 'seconds'),
    },
    /** Sets the clock to so many seconds before or behind. */
    set,
    /** As `set`, and waits until all processes and threads of the service use it. */
    move: async (seconds: number) => {
      set(seconds);
      await expect.poll(() => new Set(used()), { timeout: patienceMs }).toEqual(new Set([String(seconds)]));
    },
  };
};
