/**
 * The stores of the embedded stack, in a process of their own to use a second core: DynamoDB by dynalite, SQS and S3 by fauxqs, all on
 * disk. `emulators.ts` starts it. It ends when its parent ends, even if the parent is killed.
 */
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import type { Call } from '../../cost/counts.ts';
import { newLoad } from '../load.ts';
import { unusable } from '../unusable.ts';
import { newRoom } from './disk-room.ts';
import type { FromEmulators, ToEmulators } from './emulators.ts';
import { checkFiles, listFiles } from './known-files.ts';

/** Sends a message to the parent. If the parent has just ended, the message is dropped: this process ends when it is disconnected. */
const send = (message: FromEmulators) => process.send?.(message, undefined, undefined, () => undefined);

/** The result code of SQLite if another process has the lock. */
const sqliteBusy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;

/** The process id of the service that has the lock. The lock is never released before the process ends, so the id is not an old one. */
const holderOf = (file: string): string => {
  try {
    return `another process (process id ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return 'another process';
  }
};

/** Allows one process for each folder. The operating system releases the lock when the process ends, also after SIGKILL. */
const lock = (folder: string): DatabaseSync => {
  const file = join(folder, 'lock.db');
  const holder = join(folder, 'service.pid');
  try {
    const database = new DatabaseSync(file);
    // Waits, because a former process may still be ending.
    database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE');
    writeFileSync(holder, `${process.ppid}\n`);
    return database;
  } catch (error) {
    if (!isBusy(error)) throw unusable(file, error);
    throw new Error(
      `${folder} is in use by ${holderOf(holder)}. Stop that service, or set DATA_DIR to another folder.`,
    );
  }
};

const removedCheckMs = 1000;

/**
 * Ends the process when the file, or a folder that it is in, is removed or replaced. Without this check the stores would continue to accept
 * work into deleted files, and all of it would be lost at the end of the process.
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

/** Reports the load to the parent, which then sends fewer requests at a time. */
const reportLoad = (): void => {
  const loadNow = newLoad(() => performance.eventLoopUtilization());
  let reported = 0;
  setInterval(() => {
    const load = loadNow();
    if (load < reportedLoad && reported < reportedLoad) return;
    reported = load;
    send({ load });
  }, loadEveryMs).unref();
};

const calls = new Map<string, Call>();

/** SQS bills one request for each 64 KB, or part of it, of a payload. */
const chunkBytes = 64 * 1024;

/** Counts the requests by action, for the cost estimate: `DynamoDB.PutItem`, `SQS.SendMessage`, `S3.PUT`. */
const countRequests = () =>
  subscribe('http.server.request.start', (message) => {
    const request = typeof message === 'object' && message && 'request' in message ? message.request : null;
    if (!(request instanceof IncomingMessage)) return;
    const [target = '', operation] = String(request.headers['x-amz-target'] ?? 'S3').split('.');
    const name = operation
      ? `${target.startsWith('DynamoDB') ? 'DynamoDB' : 'SQS'}.${operation}`
      : `S3.${request.method}`;
    const call = calls.get(name) ?? { requests: 0, bytes: 0, chunks: 0 };
    const bytes = Number(request.headers['content-length'] ?? 0);
    call.requests += 1;
    call.bytes += bytes;
    call.chunks += Math.max(1, Math.ceil(bytes / chunkBytes));
    calls.set(name, call);
  });

const start = async (dataDir: string) => {
  mkdirSync(dataDir, { recursive: true });
  const lockFile = lock(dataDir);
  checkFiles(dataDir);
  send('locked');
  endWhenRemoved(dataDir, 'lock.db');
  countRequests();
  // Late imports, because the parent waits for the lock.
  const [{ openTables }, { openQueues }, { countUnits }] = await Promise.all([
    import('./durable-tables.ts'),
    import('./durable-queues.ts'),
    import('./table-units.ts'),
  ]);

  const room = newRoom(dataDir);
  const tables = await openTables(join(dataDir, 'tables'), room);
  const units = await countUnits();
  // Longer than the SDK keeps an idle connection, so that the server does not close a connection that the SDK uses again.
  tables.keepAliveTimeout = 75_000;
  const [port, { fauxqs, kept }] = await Promise.all([
    listenOnFreePort(tables),
    openQueues(join(dataDir, 'queues'), room),
  ]);
  endWhenRemoved(dataDir, 'tables/LOCK');
  endWhenRemoved(dataDir, 'queues/fauxqs.db');
  reportLoad();
  send({ ready: { dynamodb: `http://127.0.0.1:${port}`, sqs: `http://127.0.0.1:${fauxqs.port}` }, kept });

  return {
    asked: () => ({ calls: Object.fromEntries(calls), units }),
    stop: async () => {
      tables.closeAllConnections();
      await Promise.all([fauxqs.stop(), new Promise((resolve) => tables.close(resolve))]);
      listFiles(dataDir);
      lockFile.close();
    },
  };
};

/** Tells the parent why the stores cannot work, and ends the process: it ends when it is disconnected. */
const fail = (error: unknown): void => {
  send({ failed: error instanceof Error ? error.message : String(error) });
  process.disconnect();
};

// Ctrl-C sends SIGINT to the whole process group. Ignore it, because the parent decides when this process stops.
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
