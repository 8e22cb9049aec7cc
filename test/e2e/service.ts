/** Starts an embedded stack for a test, in a process and a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bareEnvironment } from '../bare-environment.ts';

export type Service = { url: string; apiKey: string; webhookSecret: string; stop: () => Promise<void> };

/** A start takes about a second on an idle machine. The limit only ends starts that hang. */
const readyWithinMs = 200_000;

const lastLines = 20;

/** A stack that did not become ready. `isKilled`: a signal has ended it, and not this process. */
export class NotReady extends Error {
  isKilled: boolean;
  constructor(message: string, isKilled: boolean) {
    super(message);
    this.isKilled = isKilled;
  }
}

/** `name`: which stack it is, for the error if it is not ready in time or ends before. */
export const readyUrl = (child: ChildProcess, name: string, withinMs = readyWithinMs): Promise<string> =>
  new Promise((resolve, reject) => {
    const printed: string[] = [];
    const fail = (what: string, isKilled = false) => {
      const last = printed.slice(-lastLines).join('\n');
      const output = last ? `It printed last:\n${last}` : 'It printed nothing.';
      reject(new NotReady(`${name} ${what}. ${output}`, isKilled));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`was not ready after ${withinMs / 1000} s`);
    }, withinMs);
    const listen = (stream: NodeJS.ReadableStream | null) => {
      if (!stream) return;
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        if (line.startsWith('Starting from the sources')) fail('does not run its program');
        const [, url] = /^ready (http\S+)$/.exec(line) ?? [];
        if (url) {
          clearTimeout(timer);
          resolve(url);
        }
      });
    };
    listen(child.stdout);
    listen(child.stderr);
    // Not `exit`: the last output may arrive after it.
    child.once('close', (code) => {
      clearTimeout(timer);
      // Without an exit code, a signal has ended it.
      if (code === null) fail('was killed before it was ready', true);
      else fail(`ended with ${code} before it was ready`);
    });
  });

/** Which stack it is: the test that has started it, the names of its settings, and its folder. */
const nameOf = (ofWhat: string, env: Record<string, string>, folder: string): string => {
  const settings = Object.keys(env).join(', ') || 'no settings';
  return `The embedded stack ${ofWhat} (${settings}; in ${folder})`;
};

/**
 * Starts the embedded stack like `npm start`. Pass the `dataDir` of an earlier start to continue with its
 * data. `ofWhat` names the stack in errors; by default it is the test file (`test/setup/test-file.ts`).
 */
export const startService = async (
  env: Record<string, string> = {},
  dataDir?: string,
  ofWhat = process.env.TEST_FILE ? `of ${process.env.TEST_FILE}` : '',
): Promise<Service & { child: ChildProcess; dataDir: string }> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'e2e-')));
  const child = spawn(process.execPath, ['infra/local/start.ts', '--no-demonstration'], {
    env: {
      ...bareEnvironment,
      HOME: process.env.HOME,
      PORT: '0',
      DATA_DIR: folder,
      RATE_LIMIT: '0',
      ...env,
    },
    // The stack ends when this process ends and the channel closes.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const removeFolder = async () => {
    if (!dataDir) await rm(folder, { recursive: true, force: true });
  };
  const url = await readyUrl(child, nameOf(ofWhat, env, folder)).catch(async (error: unknown) => {
    await removeFolder();
    throw error;
  });
  const { api_key, webhook_secret } = JSON.parse(await readFile(join(folder, 'first-user.json'), 'utf8'));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    await removeFolder();
  };
  return { url, apiKey: api_key, webhookSecret: webhook_secret, stop, child, dataDir: folder };
};
