/** The processes of Chromium and their folders. */
import { readFileSync } from 'node:fs';
import { childrenOf, commandOf } from '../../processes.ts';

/** Process ids of the browsers that this process has started. */
export const browsers = (): number[] =>
  childrenOf(process.pid).filter((pid) => commandOf(pid).includes('chromium'));

/** The folder in which a browser keeps its profile. */
export const folderOf = (pid: number): string => /--user-data-dir=([^\0]+)/.exec(commandOf(pid))?.[1] ?? '';

/** Whether a process runs. A zombie does not run. */
export const isRunning = (pid: number): boolean => {
  try {
    const [, , state] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/, 'name')
      .split(' ');
    return state !== 'Z';
  } catch {
    return false;
  }
};
