/** The service continues when nothing takes what it prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Prints when its standard input has ended: lines for people, and an error of a function. */
const program = (file: string) => `
  const { openLogOutput } = await import('./infra/local/log-output.ts');
  const { say } = openLogOutput(${JSON.stringify(file)});
  for await (const _ of process.stdin);
  for (let n = 0; n < 10; n += 1) {
    say('ready');
    process.stdout.write('{"level":"ERROR"}\\n');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  process.stdout.write('the end\\n');
  process.exit(7);
`;

const run = async (terminal: 'pipe' | number): Promise<{ code: number; log: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'lost-terminal-'));
  const file = join(folder, 'service.log');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(file)], {
    stdio: ['pipe', terminal, terminal],
  });
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.stdin?.end();
  const [code] = await once(child, 'exit');
  const log = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return { code, log };
};

test('npm start | head: the reader of a pipe has ended', async () => {
  const { code, log } = await run('pipe');

  expect(log).toMatch(/the end\n$/);
  expect(code).toBe(7);
});

// Linux only.
test.skipIf(!existsSync('/dev/full'))('npm start > file: the disk has no room', async () => {
  const full = openSync('/dev/full', 'w');
  const { code, log } = await run(full);
  closeSync(full);

  expect(log).toMatch(/the end\n$/);
  expect(code).toBe(7);
});
