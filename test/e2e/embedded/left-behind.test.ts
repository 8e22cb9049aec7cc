/** A test run that is killed leaves no stack and no Chromium behind. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { until } from '../until.ts';

const starter = fileURLToPath(new URL('killed-run.ts', import.meta.url));

let run: ChildProcess | undefined;
let folder = '';
afterEach(() => {
  run?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

test('a stack and a Chromium end when the process that has started them is killed', async () => {
  run = fork(starter);
  const [started]: { pids: number[]; dataDir: string }[] = await once(run, 'message');
  folder = started?.dataDir ?? '';
  const running = () => started?.pids.filter((pid) => existsSync(`/proc/${pid}`));
  expect(running()).toHaveLength(2);

  run.kill('SIGKILL');

  await until(
    () => running()?.length === 0,
    () => `left behind: ${running()}`,
  );
});
