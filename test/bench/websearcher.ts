/**
 * Times WebSearcher, the open parser that the goal for our reading compares with. Runs it in a Python
 * process.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePythonEnvironment } from '../python-environment.ts';

export type WebSearcher = {
  /**
   * Milliseconds of processor time for one reading of a file, as the mean of so many. Null if WebSearcher
   * cannot read it.
   */
  time: (path: string, repeats: number) => Promise<number | null>;
  stop: () => void;
};

/** Installs WebSearcher if needed, and starts its process. Throws if there is no Python 3.12. */
export const startWebSearcher = (): WebSearcher => {
  const folder = join(import.meta.dirname, '../../.reference/websearcher');
  const programIn = makePythonEnvironment(folder, join(import.meta.dirname, 'requirements.txt'), 12);
  const child = spawn(programIn('python'), [join(import.meta.dirname, 'websearcher.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    time: async (path, repeats) => {
      child.stdin.write(`${JSON.stringify([path, repeats])}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('The process of WebSearcher ended');
      const milliseconds = Number(value);
      return milliseconds < 0 ? null : milliseconds;
    },
    stop: () => void child.stdin.end(),
  };
};
