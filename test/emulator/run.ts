/**
 * `npm run test:emulator`: starts an emulator of AWS and deploys the stack to it like a user. Runs the
 * end-to-end tests for any address on it, then the tests that deploy a second time. Passes its arguments to
 * vitest.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundlesVariable } from '../../infra/bundle.ts';
import { offerHelp } from '../../infra/help.ts';
import { readFirstUser } from '../../infra/local/first-user.ts';
import { deploy } from './commands.ts';
import { startEmulator } from './emulator.ts';
import { makeFolder } from './make-folder.ts';
import { extendTimeLimits } from './time-limits.ts';

offerHelp();

/** The same as on the embedded stack of the same tests. */
const waitScale = 1 / 60;

/** Seconds, before they are shortened: ministack waits no longer before the retry of a state. */
const longestRetry = 60;

const interruption = new AbortController();
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      reject(new Error(`Ended by ${signal}`));
      interruption.abort();
    });
  }
  // The reader of the output has ended, as in `… | head`.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      reject(error);
      interruption.abort();
    });
  }
});

const vitestFile = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const vitest = (env: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const projects = ['--project', 'deployed', '--project', 'redeployed'];
    const child = spawn(process.execPath, [vitestFile, 'run', ...projects, ...process.argv.slice(2)], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
      signal: interruption.signal,
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

try {
  const programs = makeFolder();
  const dataDir = await mkdtemp(join(tmpdir(), 'emulator-data-'));
  const logFile = join(dirname(programs('ministack')), '..', 'ministack.log');
  const emulator = await startEmulator(programs('ministack'), { waitScale, logFile });
  try {
    const env = {
      AWS_ENDPOINT_URL: emulator.endpoint,
      DATA_DIR: dataDir,
      RATE_LIMIT: '0',
      // All deployments have the same code. The changed apps change it (`changed-app.ts`).
      [bundlesVariable]: process.env[bundlesVariable] ?? join(dataDir, 'bundles'),
    };
    const test = async () => {
      const url = await deploy([], { env, show: (text) => process.stdout.write(text) });
      await extendTimeLimits(emulator.endpoint);
      const user = readFirstUser(join(dataDir, 'localstack'));
      return vitest({
        ...env,
        E2E_BASE_URL: url,
        E2E_API_KEY: user?.apiKey ?? '',
        E2E_WEBHOOK_SECRET: user?.webhookSecret ?? '',
        E2E_WAIT_SCALE: String(waitScale),
        E2E_LONGEST_RETRY: String(longestRetry),
      });
    };
    process.exitCode = await Promise.race([test(), interrupted]);
  } finally {
    await emulator.stop();
    await rm(dataDir, { recursive: true });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
