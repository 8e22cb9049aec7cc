/**
 * The stores of the embedded stack, in a process of their own to use a second core: DynamoDB by dynalite, SQS
 * and S3 by fauxqs, all on disk. `emulators.ts` starts it. It ends when its parent ends, even if the parent
 * is killed.
 */
import { subscribe } from 'node:diagnostics_channel';
import { statSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Call } from '../../cost/counts.ts';
import { newLoad } from '../load.ts';
import { traceToSources } from '../traces.ts';
import type { FromEmulators, ToEmulators } from './emulators.ts';
import { listFiles } from './known-files.ts';
import { openStores } from './open-stores.ts';
import { acceptTableCalls } from './table-calls.ts';

traceToSources();

/**
 * Sends a message to the parent. If the parent has just ended, the message is dropped: this process ends when
 * it is disconnected.
 */
const send = (message: FromEmulators) => process.send?.(message, undefined, undefined, () => undefined);

const removedCheckMs = 1000;

/**
 * Ends the process when the file, or a folder that it is in, is removed or replaced. Without this check the
 * stores would continue to accept work into deleted files, and all of it would be lost at the end of the
 * process.
 */
const endWhenRemoved = (folder: string, name: string): void => {
  const file = join(folder, name);
  const { ino } = statSync(file);
  setInterval(() => {
    if (statSync(file, { throwIfNoEntry: false })?.ino === ino) return;
    fail(
      new Error(
        `${folder}, or a part of it, was removed while the service ran. Its data is lost; start the service again.`,
      ),
    );
  }, removedCheckMs).unref();
};

const listenOnFreePort = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });

const loadEveryMs = 50;

/** A lower load is reported once, so that a process without work stays quiet. */
const reportedLoad = 0.5;

const loadNow = newLoad(() => performance.eventLoopUtilization());
let reported = 0;
let reporting: NodeJS.Timeout | undefined;
let isAsked = false;

/**
 * Call it with each request. Reports the load to the parent, which then sends fewer requests at a time. The
 * load is read while there are requests: without work, that would be most of what this process does.
 */
const reportLoad = (): void => {
  isAsked = true;
  if (reporting) return;
  // Not the load of the time without requests.
  loadNow();
  reporting = setInterval(() => {
    const load = loadNow();
    if (load >= reportedLoad || reported >= reportedLoad) {
      reported = load;
      send({ load });
    } else if (!isAsked) {
      clearInterval(reporting);
      reporting = undefined;
    }
    isAsked = false;
  }, loadEveryMs).unref();
};

const calls = new Map<string, Call>();

/** SQS bills one request for each 64 KB, or part of it, of a payload. */
const chunkBytes = 64 * 1024;

const count = (name: string, bytes: number): void => {
  const call = calls.get(name) ?? { requests: 0, bytes: 0, chunks: 0 };
  reportLoad();
  call.requests += 1;
  call.bytes += bytes;
  call.chunks += Math.max(1, Math.ceil(bytes / chunkBytes));
  calls.set(name, call);
};

/** Counts the requests by action, for the cost estimate: `DynamoDB.PutItem`, `SQS.SendMessage`, `S3.PUT`. */
const countRequests = () =>
  subscribe('http.server.request.start', (message) => {
    const request = typeof message === 'object' && message && 'request' in message ? message.request : null;
    if (!(request instanceof IncomingMessage)) return;
    const [target = '', operation] = String(request.headers['x-amz-target'] ?? 'S3').split('.');
    const name = operation
      ? `${target.startsWith('DynamoDB') ? 'DynamoDB' : 'SQS'}.${operation}`
      : `S3.${request.method}`;
    count(name, Number(request.headers['content-length'] ?? 0));
  });

const start = async (dataDir: string) => {
  countRequests();
  const locked = () => {
    send('locked');
    endWhenRemoved(dataDir, 'lock.db');
  };
  const stores = await openStores(dataDir, process.ppid, locked, (hasRoom) => send({ hasRoom }));
  const { tables, fauxqs, kept, units } = stores;
  const endTableCalls = acceptTableCalls(tables, (operation, bytes) => count(`DynamoDB.${operation}`, bytes));
  const port = await listenOnFreePort(tables);
  endWhenRemoved(dataDir, 'tables/LOCK');
  endWhenRemoved(dataDir, 'queues/fauxqs.db');
  send({ ready: { dynamodb: `http://127.0.0.1:${port}`, sqs: `http://127.0.0.1:${fauxqs.port}` }, kept });

  return {
    asked: () => ({ calls: Object.fromEntries(calls), units }),
    stop: async () => {
      endTableCalls();
      tables.closeAllConnections();
      await Promise.all([fauxqs.stop(), new Promise((resolve) => tables.close(resolve))]);
      listFiles(dataDir);
      stores.lock.close();
    },
  };
};

/** Tells the parent why the stores cannot work, and ends the process: it ends when it is disconnected. */
const fail = (error: unknown): void => {
  send({ failed: error instanceof Error ? error.message : String(error) });
  process.disconnect();
};

// Ctrl-C sends SIGINT to the whole process group. Ignore it, because the parent decides when this process
// stops.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// The operating system already has every acknowledged write, so there is nothing to save first.
process.on('disconnect', () => process.exit());

try {
  const stores = await start(process.argv[2] ?? '.local');
  process.on('message', (message: ToEmulators) => {
    if (message === 'asked') send({ asked: stores.asked() });
    else void stores.stop().then(() => process.exit());
  });
} catch (error) {
  fail(error);
}
