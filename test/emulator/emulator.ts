/**
 * Runs the emulator of AWS in a separate process on loopback, with a minimal environment. Ends it with all
 * its child processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Emulator = { endpoint: string; stop: () => Promise<void> };

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

/**
 * Sends SIGTERM, and SIGKILL after five seconds. Then kills the rest of its process group, because a function
 * that waits for its browser does not end by itself. The browsers have process groups of their own and end
 * with their functions.
 */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const isLate = await Promise.race([ended.then(() => false), wait(5000, true, { ref: false })]);
    if (isLate) child.kill('SIGKILL');
    await ended;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No process was left.
  }
};

/**
 * Starts `program`. Functions inherit its environment, so it contains only the path of Node and a folder for
 * their files.
 * @param waitScale the fraction to which it shortens the waits of state machines.
 */
export const startEmulator = async (
  program: string,
  options: { waitScale: number; logFile: string },
): Promise<Emulator> => {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'emulator-'));
  const log = createWriteStream(options.logFile);
  const child = spawn(program, [], {
    cwd: folder,
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: '127.0.0.1',
      SFN_WAIT_SCALE: String(options.waitScale),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, so that Ctrl-C does not reach it before `stop` does.
    detached: true,
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const stop = async () => {
    await end(child);
    log.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };

  const endpoint = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 300_000;
  while (!(await fetch(`${endpoint}/_ministack/health`).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The emulator did not start. Its log is ${options.logFile}`);
    }
    await wait(100);
  }
  return { endpoint, stop };
};
