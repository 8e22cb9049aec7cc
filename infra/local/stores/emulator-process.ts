/**
 * The stores of the embedded stack, as a process of their own so that two cores are used: DynamoDB by dynalite, SQS and
 * S3 by fauxqs, all on disk. Run by `emulators.ts`; it ends with its parent, however that one ends.
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

const say = (message: FromEmulators) => process.send?.(message);

/** One process a folder. The lock is the operating system's, so it goes with the process, SIGKILL included. */
const lock = (folder: string): DatabaseSync => {
  const database = new DatabaseSync(join(folder, 'lock.db'));
  try {
    // A former process may still be dying.
    database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE');
    return database;
  } catch {
    throw new Error(`${folder} is in use by another process`);
  }
};

const listenAnywhere = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });

const calls = new Map<string, Call>();
/** SQS bills a request for every begun 64 KB that it carries. */
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
  const held = lock(dataDir);
  countRequests();

  const tables = await openTables(join(dataDir, 'tables'));
  const units = await countUnits();
  // Longer than the SDK keeps an idle connection, which would otherwise meet a server that has just closed it.
  tables.keepAliveTimeout = 75_000;
  const [port, { fauxqs, kept }] = await Promise.all([
    listenAnywhere(tables),
    openQueues(join(dataDir, 'queues')),
  ]);
  say({ ready: { dynamodb: `http://127.0.0.1:${port}`, sqs: `http://127.0.0.1:${fauxqs.port}` }, kept });

  return {
    asked: () => ({ calls: Object.fromEntries(calls), units }),
    stop: async () => {
      tables.closeAllConnections();
      await Promise.all([fauxqs.stop(), new Promise((resolve) => tables.close(resolve))]);
      held.close();
    },
  };
};

// Ctrl-C reaches the whole process group; the parent says when it is over.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Whatever is acknowledged lies with the operating system, so there is nothing to save first.
process.on('disconnect', () => process.exit());

try {
  const stores = await start(process.argv[2] ?? '.local');
  process.on('message', (message: ToEmulators) => {
    if (message === 'asked') say({ asked: stores.asked() });
    else void stores.stop().then(() => process.exit());
  });
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}
