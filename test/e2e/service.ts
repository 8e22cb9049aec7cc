/** Starts an embedded stack for a test, in a process and a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Service = { url: string; apiKey: string; webhookSecret: string; stop: () => Promise<void> };

/** A start takes a few seconds on an idle machine, and longer while other tests run. */
const readyWithinMs = 60_000;

const readyUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const printed: string[] = [];
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not ready in time:\n${printed.join('\n')}`));
    }, readyWithinMs);
    const listen = (stream: NodeJS.ReadableStream | null) => {
      if (!stream) return;
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
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
      reject(new Error(`ended with ${code}:\n${printed.join('\n')}`));
    });
  });

/** Starts the embedded stack like `npm start`. Pass the `dataDir` of an earlier start to continue with its data. */
export const startService = async (
  env: Record<string, string> = {},
  dataDir?: string,
): Promise<Service & { child: ChildProcess; dataDir: string }> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'e2e-')));
  const child = spawn(process.execPath, ['infra/local/start.ts', '--no-demonstration'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      DATA_DIR: folder,
      RATE_LIMIT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await readyUrl(child);
  const { api_key, webhook_secret } = JSON.parse(await readFile(join(folder, 'first-user.json'), 'utf8'));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    if (!dataDir) await rm(folder, { recursive: true, force: true });
  };
  return { url, apiKey: api_key, webhookSecret: webhook_secret, stop, child, dataDir: folder };
};
