/** Opens the tables and queues of a folder, for one process at a time. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FauxqsServer } from 'fauxqs';
import { unusable } from '../unusable.ts';
import { newRoom } from './disk-room.ts';
import { checkFiles } from './known-files.ts';

/** The result code of SQLite if another process has the lock. */
const sqliteBusy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;

/**
 * The process id of the service that has the lock. The lock is never released before the process ends, so the
 * id is not an old one.
 */
const holderOf = (file: string): string => {
  try {
    return `another process (process id ${Number.parseInt(readFileSync(file, 'utf8'), 10)})`;
  } catch {
    return 'another process';
  }
};

/**
 * Allows one process for each folder. The operating system releases the lock when the process ends, also
 * after SIGKILL.
 */
const lockFolder = (folder: string, pid: number): DatabaseSync => {
  const file = join(folder, 'lock.db');
  const holder = join(folder, 'service.pid');
  try {
    const database = new DatabaseSync(file);
    // Waits, because a former process may still be ending.
    database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE');
    writeFileSync(holder, `${pid}\n`);
    return database;
  } catch (error) {
    if (!isBusy(error)) throw unusable(file, error);
    throw new Error(
      `${folder} is in use by ${holderOf(holder)}. Stop that service, or set DATA_DIR to another folder.`,
    );
  }
};

type OpenStores = {
  lock: DatabaseSync;
  /** Ready to listen. */
  tables: Server;
  fauxqs: FauxqsServer;
  /** The bodies of the messages in the queues. */
  kept: string[];
  units: Awaited<ReturnType<typeof import('./table-units.ts').countUnits>>;
};

/**
 * Locks the folder for the service with this process id, calls `locked`, and opens the stores. Calls
 * `roomChanged` when the disk becomes full, and when it has room again.
 * @throws with a sentence if the folder is in use, or if a file of the stores was damaged, with its name.
 */
export const openStores = async (
  dataDir: string,
  pid: number,
  locked: () => void,
  roomChanged?: (isOpen: boolean) => void,
): Promise<OpenStores> => {
  mkdirSync(dataDir, { recursive: true });
  const lock = lockFolder(dataDir, pid);
  checkFiles(dataDir);
  locked();
  // Late imports, because the parent waits for the lock.
  const [{ openTables }, { openQueues }, { countUnits }] = await Promise.all([
    import('./durable-tables.ts'),
    import('./durable-queues.ts'),
    import('./table-units.ts'),
  ]);
  const room = newRoom(dataDir, roomChanged);
  const tables = await openTables(join(dataDir, 'tables'), room);
  const units = await countUnits();
  return { lock, tables, units, ...(await openQueues(join(dataDir, 'queues'), room)) };
};
