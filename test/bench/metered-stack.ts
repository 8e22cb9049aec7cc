/** Starts an embedded stack that measures its own use of resources, in a process and a folder of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ready, Used } from './stack-process.ts';

export type MeteredStack = Ready & { used: () => Promise<Used>; stop: () => Promise<void> };

export const startMeteredStack = async (): Promise<MeteredStack> => {
  const folder = await mkdtemp(join(tmpdir(), 'load-'));
  const child = fork(new URL('stack-process.ts', import.meta.url), {
    execArgv: [],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: folder, RATE_LIMIT: '0' },
  });
  const ended = once(child, 'exit');
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('The embedded stack ended'))),
    ]);
    return message;
  };
  const ready: Ready = await answer();
  return {
    ...ready,
    used: () => {
      const used = answer();
      child.send('used');
      return used;
    },
    stop: async () => {
      child.send('stop');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
