/**
 * `npm run <script> -- --help` explains every script that this project has written, and does nothing else.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** Name and file of each script that Node runs. Vitest and CDK have help of their own. */
const ours = Object.entries<string>(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (\S+)/.exec(command) ?? [];
  return file ? [{ name, file }] : [];
});

/**
 * These run as processes. `start` shows that the process ends. `help` asks for its help only as the main
 * module of a process. `simulate` ends without `process.exit`. The others import a script, or are imported by
 * one, that has ended before, and a module runs only once.
 */
const alone = ['start', 'help', 'simulate', 'docs', 'data:engines'];
const [processes, together] = [
  ours.filter(({ name }) => alone.includes(name)),
  ours.filter(({ name }) => !alone.includes(name)),
];

test('there are more than 20 scripts, and those that run alone are among them', () => {
  expect(ours.length).toBeGreaterThan(20);
  expect(processes.length).toBe(alone.length);
});

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: new URL('../../../', import.meta.url) });

const expectHelp = (name: string, printed: string): void => {
  expect(printed).toMatch(
    ['start', 'test'].includes(name)
      ? new RegExp(`\`npm ${name}\``)
      : new RegExp(`npm run (--silent )?${name}`),
  );
  expect(printed.trim().split('\n').length).toBeLessThan(30);
};

/** What each script of `together` printed, by its file, and the code with which it ended the process. */
let ends: Map<string, { printed: string; end: unknown }>;
let errors: string;
beforeAll(async () => {
  const printHelp = 'test/integration/commands/print-help.ts';
  const { stdout, stderr } = await run(printHelp, ...together.map(({ file }) => file));
  const lines = stdout.trimEnd().split('\n');
  ends = new Map(lines.map((line) => JSON.parse(line)).map((each) => [each.file, each]));
  errors = stderr;
});

// A script that does not know the option fails, or does its work.
test.each(together)('npm run $name -- --help', ({ name, file }) => {
  const { printed = '', end } = ends.get(file) ?? {};

  expect(end).toBe(0);
  expectHelp(name, printed);
});

test('no script prints a warning or an error', () => {
  expect(errors).toBe('');
});

test.each(processes)('npm run $name -- --help, as a process', async ({ name, file }) => {
  const { stdout, stderr } = await run(file, '--help');

  expectHelp(name, stdout);
  expect(stderr).toBe('');
});
