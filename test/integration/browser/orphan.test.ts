/** When a process is killed, its browser ends too, even a busy one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { folderOf, isRunning } from './processes.ts';

test('a hanging browser ends when the process that started it is killed', async () => {
  const child = spawn(process.execPath, ['test/integration/browser/fixtures/hang.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line');
  const pid = Number(line?.split(' ')[1]);
  expect(isRunning(pid)).toBe(true);
  const folder = folderOf(pid);
  expect(existsSync(folder)).toBe(true);

  child.kill('SIGKILL');

  await vi.waitFor(() => expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]), 120_000);
});
