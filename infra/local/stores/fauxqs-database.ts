/**
 * Prepares the database of fauxqs before it is read, and keeps its writes while the disk has no room. Throws
 * at start if the patch does not take effect. No prototype of Node is changed.
 */
import { DatabaseSync } from 'node:sqlite';
import type { FauxqsServer } from 'fauxqs';
import * as v from 'valibot';
import type { Room } from './disk-room.ts';
import { makeQueuesFair, type QueueStore } from './fauxqs-fairness.ts';
import { libraryFile, libraryPatch } from './library-patch.ts';

/** The result codes of SQLite for a disk without room, and for a limit of the size of files. */
const noRoomCodes = [13, 10];

const isNoRoom = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  // The lower byte is the primary code.
  noRoomCodes.includes(error.errcode & 0xff);

const database = libraryPatch('fauxqs', 'prepare the database');

/** `PRAGMA synchronous` answers this number for NORMAL. */
const synchronousNormal = 1;

/**
 * The result codes of SQLite for a file that cannot be read (SQLITE_IOERR), is damaged (SQLITE_CORRUPT), or
 * is no database (SQLITE_NOTADB).
 */
const damageCodes = [10, 11, 26];

/** Whether the error is that of the file. The lowest byte of a result code is its kind. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && damageCodes.includes(Number(error.errcode) & 255);

/**
 * Prepares the database of a former process, or a new one, and returns the bodies of the messages in it.
 *
 * Writes no longer wait for the disk. A task takes four writes, and those waits were most of its time and
 * held up every other request. The operating system keeps what is written, as it keeps the tables' rows: this
 * survives the end of the process, SIGKILL included, but not a power cut.
 *
 * Messages whose receiver died with the former process become visible, and the receive is not counted: the
 * process failed, not the message, and a message that uses up its receives goes to the dead-letter queue.
 */
export const prepareDatabase = (db: DatabaseSync): string[] => {
  db.exec('PRAGMA synchronous = NORMAL');
  if (db.prepare('PRAGMA synchronous').get()?.synchronous !== synchronousNormal) {
    throw database.failure('the database does not take PRAGMA synchronous');
  }
  try {
    db.exec(`UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL,
      approximate_receive_count = MAX(approximate_receive_count - 1, 0) WHERE receipt_handle IS NOT NULL`);
    const messages = db.prepare('SELECT body FROM sqs_messages').all();
    return messages.map(({ body }) => String(body));
  } catch (error) {
    throw isDamage(error) ? error : database.failure(String(error));
  }
};

/** The methods of fauxqs that write what its memory already has. */
const writes = [
  'insertQueue',
  'updateQueueAttributes',
  'insertMessage',
  'deleteMessage',
  'updateMessageInflight',
  'updateMessageReady',
  'insertBucket',
  'upsertObject',
  'deleteObject',
] as const;

type Manager = { load: (queues: QueueStore, ...stores: unknown[]) => void; db?: unknown } & Record<
  (typeof writes)[number],
  (...args: unknown[]) => void
>;

/**
 * Keeps the writes for which there is no room, and does them in their order when there is room. fauxqs
 * changes its memory and its database apart, some of it in timers, where an error would end the process. The
 * clients of kept writes get an error.
 */
const keepFailedWrites = (manager: Manager, room: Room): void => {
  database.requireFunctions(manager, [...writes]);
  const kept: (() => void)[] = [];
  for (const name of writes) {
    const write = manager[name];
    manager[name] = (...args) => {
      const run = () => write.apply(manager, args);
      if (room.state() !== 'open') {
        kept.push(run);
        return;
      }
      try {
        run();
      } catch (error) {
        if (!isNoRoom(error)) throw error;
        room.failed(error);
        kept.push(run);
      }
    };
  }
  room.whenBack(() => {
    for (let first = kept[0]; first; first = kept[0]) {
      first();
      kept.shift();
    }
  });
};

const isClass = (it: unknown): boolean => typeof it === 'function';

const PersistenceModule = v.object({ PersistenceManager: v.custom<{ prototype: Manager }>(isClass) });

/** The module of fauxqs that opens the database. The package does not export it. */
export const importPersistence = (): Promise<unknown> =>
  import(libraryFile('fauxqs', 'dist/persistence.js').href);

/**
 * Starts fauxqs, and prepares its database after it is opened and before fauxqs loads the messages from it.
 * fauxqs keeps the connection to itself. Upstream replacement: none in 2.4.1. It would be an option of
 * `startFauxqs` that takes an open database.
 */
export const startPrepared = async <Server extends Pick<FauxqsServer, 'stop'>>(
  module: unknown,
  start: () => Promise<Server>,
  room?: Room,
): Promise<{ fauxqs: Server; kept: string[] }> => {
  const { success, output } = v.safeParse(PersistenceModule, module);
  if (!success) throw database.failure('dist/persistence.js exports no class PersistenceManager');
  const { prototype } = output.PersistenceManager;
  database.requireFunctions(prototype, ['load']);
  const prepared: string[][] = [];

  const { load } = prototype;
  prototype.load = function (this: Manager, ...stores) {
    if (!(this.db instanceof DatabaseSync)) throw database.failure('its `db` is not a DatabaseSync');
    prepared.push(prepareDatabase(this.db));
    if (room) keepFailedWrites(this, room);
    const [queues] = stores;
    makeQueuesFair(queues);
    load.apply(this, stores);
  };
  try {
    const fauxqs = await start();
    const [kept] = prepared;
    if (!kept) {
      await fauxqs.stop();
      throw database.failure('fauxqs does not call it');
    }
    return { fauxqs, kept };
  } finally {
    prototype.load = load;
  }
};
