/** `npm run verify` against the embedded stack: a table of checks, and exit code 1 if one of them failed. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandHere, type Printed } from '../../command-here.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';

const { dataDir = '' } = sharedService();

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** The command in a separate process. */
const verifyAsProcess = (dataDir: string, ...args: string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir };
    const command = ['infra/commands/verify.ts', ...args];
    const child = execFile(process.execPath, command, { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const verify = (dataDir: string, ...args: string[]): Promise<Printed> =>
  commandHere('verify', args, { DATA_DIR: dataDir });

/** Name and result of each check, in the order of the table. */
const resultsIn = (stdout: string): string[] =>
  [...stdout.matchAll(/^(\w+) +(pass|FAIL|skip) +[\d.]+ {2}\S/gm)].map(
    ([, name, result]) => `${name} ${result}`,
  );

test.concurrent('every check passes on the sandbox, and a webhook arrives at a receiver of the command', async () => {
  const { code, stdout } = await verifyAsProcess(dataDir);

  expect(resultsIn(stdout), stdout).toEqual([
    ...['search pass', 'batch pass', 'webhook pass', 'browser pass', 'misfortune pass'],
  ]);
  expect(stdout).toContain('delivered to loopback, the signature is valid');
  expect(code).toBe(0);
});

test.concurrent('a webhook goes to the given receiver, and a receiver that refuses it fails the check', async () => {
  const [accepting, refusing] = [await startReceiver(), await startReceiver(() => 500)];
  ends.push(accepting.stop, refusing.stop);

  const accepted = await verify(dataDir, '--receiver', accepting.url);
  const refused = await verify(dataDir, '--receiver', refusing.url);

  expect(resultsIn(accepted.stdout)).toContain('webhook pass');
  expect(accepting.received).toHaveLength(1);
  expect(accepted.code).toBe(0);
  expect(resultsIn(refused.stdout)).toContain('webhook FAIL');
  expect(refused.stdout).toContain('the receiver did not accept the first attempt');
  expect(refused.code).toBe(1);
});

describe.concurrent('with SANDBOX_MISFORTUNE', () => {
  let walled: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    walled = await startService({ SANDBOX_MISFORTUNE: 'consent' });
  });
  afterAll(() => walled.stop());

  test('a check that fails shows the error of the task, and the exit code is 1', async () => {
    const { code, stdout } = await verifyAsProcess(walled.dataDir);

    // A prefix has precedence over the misfortune of the whole sandbox.
    expect(stdout).toMatch(/^search +FAIL .* ended in error: consent: /m);
    expect(resultsIn(stdout)).toEqual([
      ...['search FAIL', 'batch FAIL', 'webhook pass', 'browser pass', 'misfortune pass'],
    ]);
    expect(code).toBe(1);
  });

  test('the misfortune applies to all searches', async () => {
    const tasks = await Promise.all(
      ['coffee beans', 'tea'].map((keyword) => clientOf(walled).searched({ keyword })),
    );

    expect(tasks).toMatchObject(
      tasks.map(() => ({ status: 'error', error_message: expect.stringMatching(/^consent: /) })),
    );
  });
});

test.each([
  [['--receiver', 'nowhere'], '--receiver must be a URL'],
  [['now'], 'Unknown arguments: now'],
  [[], 'No stack runs in'],
])('%j fails with a clear message', async (args, message) => {
  const { code, stderr } = await verify(tmpdir(), ...args);

  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
