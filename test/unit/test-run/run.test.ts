/** `npm test` fails if one of its two runs of vitest fails, and prints what both print. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'test-run-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A vitest that prints its first project on both streams, and ends with the code for it. */
const vitest = `
  const [name] = process.argv.slice(process.argv.indexOf('--project') + 1);
  console.log('output of', name);
  console.error('errors of', name);
  process.exit(Number(process.env[name]));
`;

beforeAll(() => {
  for (const folder of ['infra', 'test', 'node_modules/vitest'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['run.ts', 'vitest-arguments.ts'])
    copyFileSync(new URL(`../../${name}`, import.meta.url), join(root, 'test', name));
  const files = {
    'package.json': '{"type":"module"}',
    'infra/bundler.ts': 'export const bundlerFault = async () => process.env.FAULT;',
    'infra/help.ts': 'export const offerHelp = () => undefined;',
    'node_modules/vitest/package.json': '{"name":"vitest"}',
    'node_modules/vitest/vitest.mjs': vitest,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
});

const run = (env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, ['test/run.ts'], { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [0, 1, 1],
  [2, 1, 2],
])('if the runs end with %i and %i, npm test ends with %i', async (contract, unit, expected) => {
  const { code, stdout, stderr } = await run({ contract: String(contract), unit: String(unit) });

  expect(code).toBe(expected);
  for (const name of ['contract', 'unit']) {
    expect(stdout).toContain(`output of ${name}`);
    expect(stderr).toContain(`errors of ${name}`);
  }
});

test('a run that a signal ends is a failure', async () => {
  writeFileSync(
    join(root, 'node_modules/vitest/vitest.mjs'),
    vitest.replace(
      'process.exit',
      "process.env[name] === 'killed' ? process.kill(process.pid) : process.exit",
    ),
  );

  expect((await run({ contract: 'killed', unit: '0' })).code).toBe(1);
  expect((await run({ contract: '0', unit: 'killed' })).code).toBe(1);
});

test('without a bundler, it says so and runs nothing', async () => {
  const { code, stdout, stderr } = await run({ FAULT: 'there is no esbuild', contract: '0', unit: '0' });

  expect([code, stdout, stderr]).toEqual([1, '', 'there is no esbuild\n']);
});
