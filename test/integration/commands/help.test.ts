/**
 * `npm run <script> -- --help` explains every script that this project has written, and does nothing else.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** Name and file of each script that Node runs. Vitest and CDK have help of their own. */
const ours = Object.entries<string>(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (\S+)/.exec(command) ?? [];
  return file ? [{ name, file }] : [];
});

test('there are more than 20 scripts', () => {
  expect(ours.length).toBeGreaterThan(20);
});

test.each(ours)('npm run $name -- --help', async ({ name, file }) => {
  const run = promisify(execFile);

  // A script that does not know the option fails, or does its work.
  const { stdout, stderr } = await run(process.execPath, [file, '--help'], {
    cwd: new URL('../../../', import.meta.url),
  });

  expect(stdout).toMatch(
    ['start', 'test'].includes(name)
      ? new RegExp(`\`npm ${name}\``)
      : new RegExp(`npm run (--silent )?${name}`),
  );
  expect(stdout.trim().split('\n').length).toBeLessThan(30);
  expect(stderr).toBe('');
});
