/** The patches of fauxqs. Each throws at start if it does not take effect. No prototype of Node is changed. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DatabaseSync } from 'node:sqlite';
import type { FauxqsServer } from 'fauxqs';
import * as v from 'valibot';
import { libraryFile, libraryPatch } from './library-patch.ts';

type Started = Pick<FauxqsServer, 'address' | 'port' | 'stop'>;

const database = libraryPatch('fauxqs', 'prepare the database');

/** `PRAGMA synchronous` answers this number for NORMAL. */
const synchronousNormal = 1;

/**
 * Prepares the database of a former process, or a new one, and returns the bodies of the messages in it.
 *
 * Writes no longer wait for the disk. A task takes four writes, and those waits were most of its time and held up every other
 * request. The operating system keeps what is written, as it keeps the tables' rows: this survives the end of the process, SIGKILL
 * included, but not a power cut.
 *
 * Messages whose receiver died with the former process become visible, and the receive is not counted: the process failed, not the
 * message, and a message that uses up its receives goes to the dead-letter queue.
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
    throw database.failure(String(error));
  }
};

type Manager = { load: (...stores: unknown[]) => void; db?: unknown };

const isClass = (it: unknown): boolean => typeof it === 'function';
const PersistenceModule = v.object({ PersistenceManager: v.custom<{ prototype: Manager }>(isClass) });

/** The module of fauxqs that opens the database. The package does not export it. */
export const importPersistence = (): Promise<unknown> =>
  import(libraryFile('fauxqs', 'dist/persistence.js').href);

/**
 * Starts fauxqs, and prepares its database after it is opened and before fauxqs loads the messages from it. fauxqs keeps the
 * connection to itself.
 * Upstream replacement: none in 2.4.1. It would be an option of `startFauxqs` that takes an open database.
 */
export const startPrepared = async <Server extends Started>(
  module: unknown,
  start: () => Promise<Server>,
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

const loopback = '127.0.0.1';
const listening = libraryPatch('fauxqs', 'listen on the loopback address');

const Initialization = v.object({
  fastify: v.custom<{ listen: (options: object) => unknown }>((it) => typeof it === 'object' && it !== null),
});

/**
 * Starts fauxqs for this machine only. fauxqs listens on all addresses of the machine, so this changes the address on its Fastify
 * instance, which Fastify announces on a diagnostics channel.
 * Upstream replacement: none in 2.4.1. It would be an option of `startFauxqs` for the address to listen on; `host` is only
 * for the URLs of queues.
 */
export const startOnLoopback = async <Server extends Started>(
  start: () => Promise<Server>,
): Promise<Server> => {
  const patchListen = (message: unknown) => {
    const { success, output } = v.safeParse(Initialization, message);
    if (!success) return;
    const { fastify } = output;
    const { listen } = fastify;
    fastify.listen = (options) => listen.call(fastify, { ...options, host: loopback });
  };
  subscribe('fastify.initialization', patchListen);
  const fauxqs = await start().finally(() => unsubscribe('fastify.initialization', patchListen));
  if (fauxqs.address !== `http://${loopback}:${fauxqs.port}`) {
    await fauxqs.stop();
    throw listening.failure(`fauxqs listens on ${fauxqs.address}`);
  }
  return fauxqs;
};
