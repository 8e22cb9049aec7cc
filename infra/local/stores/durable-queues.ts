/** SQS and S3 by fauxqs, on disk: for this machine alone, after a crash at once back at work, and without a wait at each write. */
import { existsSync } from 'node:fs';
import { type ListenOptions, Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type FauxqsServer, startFauxqs } from 'fauxqs';

/**
 * Makes messages visible whose receiver died with the former process. Their receive is given back: it was the process
 * that failed, not the message, and a fourth receive would be its last. Answers the bodies of all messages there are.
 */
const releaseMessages = (folder: string): string[] => {
  const file = join(folder, 'fauxqs.db');
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file);
  database.exec(`UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL,
    approximate_receive_count = MAX(approximate_receive_count - 1, 0) WHERE receipt_handle IS NOT NULL`);
  const kept = database.prepare('SELECT body FROM sqs_messages').all();
  database.close();
  return kept.map(({ body }) => String(body));
};

/** fauxqs listens on every address of the machine; ours are for this machine alone. */
const keepToLoopback = () => {
  const { listen } = Server.prototype;
  Object.assign(Server.prototype, {
    listen(this: Server, options: ListenOptions, ...rest: unknown[]) {
      return Reflect.apply(listen, this, [{ ...options, host: '127.0.0.1' }, ...rest]);
    },
  });
};

/**
 * Four writes a task that each wait for the disk are most of what a task takes, and hold up everybody else. What is written lies
 * with the operating system, as the tables' rows do: it outlives the process, SIGKILL included, and not a power cut.
 */
const writeWithoutSync = () => {
  const { exec } = DatabaseSync.prototype;
  Object.assign(DatabaseSync.prototype, {
    exec(this: DatabaseSync, sql: string) {
      exec.call(this, sql);
      // fauxqs keeps its connection to itself, and sets this one thing on it.
      if (sql === 'PRAGMA journal_mode = WAL') exec.call(this, 'PRAGMA synchronous = NORMAL');
    },
  });
};

/** Starts the queues and buckets of this folder, on a free port; `kept` are the bodies of the messages in them. */
export const openQueues = async (folder: string): Promise<{ fauxqs: FauxqsServer; kept: string[] }> => {
  const kept = releaseMessages(folder);
  keepToLoopback();
  writeWithoutSync();
  return { fauxqs: await startFauxqs({ port: 0, logger: false, dataDir: folder }), kept };
};
