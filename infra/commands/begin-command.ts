/** What every command does first. */
import { offerHelp } from '../help.ts';

/**
 * Offers help, and lets the work go on if what the command prints is lost: its reader has left (`npm run
 * doctor | head -1`), or the disk of a file is full. The second one is said and makes the exit code 1,
 * because a key that is shown only once may be lost. `console.log` alone says nothing.
 */
export const beginCommand = (usage?: string): void => {
  offerHelp(usage);
  let isSaid = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isSaid) return;
    isSaid = true;
    console.error(`What was printed is lost: ${message}`);
    process.exitCode = 1;
  });
  process.stderr.on('error', () => undefined);
};
