/** Starts the stores in a process of their own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Asked } from '../../cost/counts.ts';

export type ToEmulators = 'asked' | 'stop';
export type Endpoints = { dynamodb: string; sqs: string };
export type FromEmulators =
  | 'locked'
  | { ready: Endpoints; kept: string[] }
  | { failed: string }
  | { asked: Asked }
  | { load: number }
  | { hasRoom: boolean };

export type Emulators = {
  endpoints: Endpoints;
  /** Bodies of the messages in the queues at the start, from a former process. */
  kept: string[];
  asked: () => Promise<Asked>;
  /** The load of the process, 0 to 1. */
  load: () => number;
  /** Whether the disk has room for what the stores write. */
  hasRoom: () => boolean;
  stop: () => Promise<void>;
};

export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

const endedUnexpectedly = 'The stores ended unexpectedly';

/**
 * Starts the emulators. Calls `locked` when no other process uses the folder, before any of its data is
 * opened. Calls `died` with a sentence if their process ends before `stop` is called. Throws if the folder is
 * in use, or if a file in it cannot be used.
 */
export const startEmulators = async (
  dataDir: string,
  died: (reason: string) => void,
  locked: () => void = () => undefined,
): Promise<Emulators> => {
  // Without the flags of this process, because `--inspect` would use the same port twice.
  const child = fork(new URL('emulator-process.ts', import.meta.url), [dataDir], { execArgv: [] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const send = (message: ToEmulators) => child.send(message);
  const gone = ended.then(() => Promise.reject(new Error(endedUnexpectedly)));
  // Avoids an unhandled rejection if the emulators end while no request waits for them.
  gone.catch(() => undefined);
  const answer = async (): Promise<FromEmulators> => {
    const [message] = await Promise.race([once(child, 'message'), gone]);
    return message;
  };
  let reason = endedUnexpectedly;
  const exited = () => died(reason);

  let first = await answer();
  if (first === 'locked') {
    const next = answer();
    locked();
    first = await next;
  }
  if (typeof first === 'string' || !('ready' in first)) {
    throw new Error(typeof first === 'object' && 'failed' in first ? first.failed : endedUnexpectedly);
  }
  let load = 0;
  let hasRoom = true;
  const asking: ((asked: Asked) => void)[] = [];
  child.on('message', (message: FromEmulators) => {
    if (typeof message !== 'object') return;
    if ('failed' in message) reason = message.failed;
    if ('load' in message) load = message.load;
    if ('hasRoom' in message) hasRoom = message.hasRoom;
    if ('asked' in message) asking.shift()?.(message.asked);
  });
  child.once('exit', exited);

  return {
    endpoints: first.ready,
    kept: first.kept,
    asked: () => {
      const { promise, resolve } = Promise.withResolvers<Asked>();
      asking.push(resolve);
      send('asked');
      return Promise.race([promise, gone]);
    },
    load: () => load,
    hasRoom: () => hasRoom,
    stop: async () => {
      child.removeListener('exit', exited);
      const kill = setTimeout(() => child.kill('SIGKILL'), 3000);
      if (child.connected) send('stop');
      await ended;
      clearTimeout(kill);
    },
  };
};
