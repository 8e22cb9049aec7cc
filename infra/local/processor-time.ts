/** Processor time of this process and of the browsers that it has started, in milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second. */
const tickMs = 10;

type Process = { parent: number; name: string; own: number; ofEnded: number };

/** Reads `/proc/<pid>/stat`. A process that has just ended gives undefined. */
export const readProcess = (pid: string): Process | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const ticks = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * tickMs;
    return { parent, name, own: ticks(11), ofEnded: ticks(13) };
  } catch {
    return undefined;
  }
};

/** The emulators and all other processes of Node are not browsers. */
const isBrowser = ({ name }: Process): boolean => !/^(node|MainThread)$/.test(name);

/**
 * Processor time of the browsers, with those that have ended. 0 on a system without `/proc`, for which there
 * is no Chromium either.
 */
export const browsersMs = (): number => {
  const self = readProcess('self');
  if (!self) return 0;
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const found = readProcess(pid);
        return found ? [[Number(pid), found] as const] : [];
      }),
  );
  const isOurs = ({ parent }: Process): boolean => {
    const above = all.get(parent);
    return parent === process.pid || (above !== undefined && isBrowser(above) && isOurs(above));
  };
  const running = [...all.values()].filter((each) => isBrowser(each) && isOurs(each));
  return self.ofEnded + running.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, 0);
};

/**
 * Processor time of all threads of this process: those of JavaScript, of the collector, of the compiler, and
 * of compression.
 */
export const processMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
