/** The processes of Chromium and their folders. */
import { readdirSync, readFileSync } from 'node:fs';

const statOf = (pid: string): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, 'name')
    .split(' ');

const commandOf = (pid: string): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Process ids of the browsers that this process has started. */
export const browsers = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const [, , , parent] = statOf(pid);
      return Number(parent) === process.pid && commandOf(pid).includes('chromium');
    } catch {
      return false;
    }
  });

/** The folder in which a browser keeps its profile. */
export const folderOf = (pid: string): string => /--user-data-dir=([^\0]+)/.exec(commandOf(pid))?.[1] ?? '';

/** Whether a process runs. A zombie does not run. */
export const isRunning = (pid: string): boolean => {
  try {
    return statOf(pid)[2] !== 'Z';
  } catch {
    return false;
  }
};
