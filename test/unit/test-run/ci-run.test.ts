/** `.ci/run` fails if one of its commands fails, also one of those that run beside each other. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'ci-run-'));
afterAll(() => rmSync(root, { recursive: true }));

/** npm and npx that note their arguments, and fail at those that the test names. Node itself runs. */
const stub = (name: string) => `#!/usr/bin/env bash
[ "$1" = node ] && exec "${process.execPath}" "\${@:2}"
echo "${name} $*" >> "$CALLS"
case "${name} $*" in $FAILS) echo "$SAYS"; exit 1;; esac
`;

beforeAll(() => {
  for (const name of ['npm', 'npx']) {
    writeFileSync(join(root, name), stub(name));
    chmodSync(join(root, name), 0o755);
  }
});

let count = 0;
const run = async (fails = 'nothing', says = ''): Promise<{ code: number; calls: string[] }> => {
  count += 1;
  const folder = join(root, String(count), 'project');
  mkdirSync(join(folder, '.ci'), { recursive: true });
  copyFileSync(new URL('../../../.ci/run', import.meta.url), join(folder, '.ci/run'));
  const calls = join(folder, 'calls');
  const env = { PATH: `${root}:${process.env.PATH}`, CALLS: calls, FAILS: fails, SAYS: says };
  const code = await new Promise<number>((resolve) => {
    const child = execFile('bash', [join(folder, '.ci/run')], { env }, () => resolve(child.exitCode ?? -1));
  });
  return { code, calls: readFileSync(calls, 'utf8').trimEnd().split('\n') };
};

describe.runIf(process.platform === 'linux')('.ci/run', () => {
  const suites = [
    'npm ci*',
    'npx tsc',
    'npx tsc --project lib/console',
    'npx biome ci .',
    'npm test *',
    'npm run test:emulator *',
    'npm run synth',
    'npm run lint:template',
    'npx vitest run --project contract *',
    'npm run test:refusals *',
    'npm run test:reference *',
    'npm run test:clients',
    'npm run test:crash *',
    'npm run simulate *',
  ];

  test('runs all suites, and passes if all of them pass', async () => {
    const { code, calls } = await run();

    expect(code).toBe(0);
    expect(
      suites.filter((suite) => !calls.some((call) => call.startsWith(suite.replace(/\s?\*$/, '')))),
    ).toEqual([]);
  });

  test.concurrent.each(suites)('fails if this one fails: %s', async (suite) => {
    expect((await run(suite.replaceAll(' ', '\\ '))).code).toBe(1);
  });

  test('fails at a package with a known fault, and passes if the registry does not answer', async () => {
    const audit = 'npm\\ audit*';

    expect((await run(audit, 'high severity vulnerabilities')).code).toBe(1);
    expect((await run(audit, 'npm error audit endpoint returned an error')).code).toBe(0);
  });
});
