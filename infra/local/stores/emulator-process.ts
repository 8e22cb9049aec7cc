/**
 * The stores of the embedded stack, in a process of their own to use a second core: DynamoDB by dynalite, SQS and S3 by fauxqs, all on
 * disk. `emulators.ts` starts it. It ends when its parent ends, even if the parent is killed.
 */
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Call } from '../../cost/counts.ts';
import { openQueues } from './durable-queues.ts';
import { openTables } from './durable-tables.ts';
import type { FromEmulators, ToEmulators } from './emulators.ts';
import { countUnits } from './table-units.ts';

const send = (message: FromEmulators) => process.send?.(message);

/** Allows one process for each folder. The operating system releases the lock when the process ends, also after SIGKILL. */
const lock = (folder: string): DatabaseSync => {
  const database = new DatabaseSync(join(folder, 'lock.db'));
  try {
    // Waits, because a former process may still be ending.
    database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE');
    return database;
  } catch {
    throw new Error(`${folder} is in use by another process`);
  }
};

const listenOnFreePort = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });

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
  countRequests();

  const tables = await openTables(join(dataDir, 'tables'));
  const units = await countUnits();
  // Longer than the SDK keeps an idle connection, so that the server does not close a connection that the SDK uses again.
  tables.keepAliveTimeout = 75_000;
  const [port, { fauxqs, kept }] = await Promise.all([
    listenOnFreePort(tables),
    openQueues(join(dataDir, 'queues')),
  ]);
  send({ ready: { dynamodb: `http://127.0.0.1:${port}`, sqs: `http://127.0.0.1:${fauxqs.port}` }, kept });

  return {
    asked: () => ({ calls: Object.fromEntries(calls), units }),
    stop: async () => {
      tables.closeAllConnections();
      await Promise.all([fauxqs.stop(), new Promise((resolve) => tables.close(resolve))]);
      lockFile.close();
    },
  };
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
  send({ failed: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}
