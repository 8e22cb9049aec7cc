/** The processes of this machine, from `/proc`: an image of Node may have no `ps`. */
import { readdirSync, readFileSync } from 'node:fs';
import { readProcess } from '../infra/local/processor-time.ts';

/** Process ids of the children of a process. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => readProcess(name)?.parent === pid)
    .map(Number);

/** The program of a process and its arguments, each with a null byte behind it. Empty if it has ended. */
export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
