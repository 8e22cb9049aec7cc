/**
 * DynamoDB by dynalite, with two gaps closed through which a SIGKILL could lose a row for good (it writes an index apart from
 * the row, and it cannot take up the making of a table where it was left), and a leak.
 */
import type { Server } from 'node:http';
import dynalite from 'dynalite';
import layer, { type Store } from 'dynalite/db/index.js';

/**
 * Writes a row and its index entries in one batch, before dynalite writes the row once more. Apart, a row whose old entry is
 * deleted and whose new one is not there yet is found by no sweep.
 */
const writeTogether = () => {
  layer.updateIndexes = (store, table, before, after, done) => {
    const row = after ?? before;
    if (!row) return done();
    const rowKey = `item-${table.TableName}~${layer.createKey(row, table)}`;
    const entries = (['Local', 'Global'] as const).flatMap((kind) => {
      const { puts, deletes } = layer.getIndexActions(
        table[`${kind}SecondaryIndexes`] ?? [],
        before,
        after,
        table,
      );
      const keyOf = ({ index, key }: { index: string; key: string }) =>
        `index-${kind.toLowerCase()}~${table.TableName}~${index}~${key}`;
      return [
        ...deletes.map((entry) => ({ type: 'del' as const, key: keyOf(entry) })),
        ...puts.map((entry) => ({ type: 'put' as const, key: keyOf(entry), value: entry.item })),
      ];
    });
    // Nothing to agree with: dynalite's own write is enough.
    if (entries.length === 0) return done();
    store.db.batch(
      [...entries, after ? { type: 'put', key: rowKey, value: after } : { type: 'del', key: rowKey }],
      done,
    );
  };
};

/** Opens dynalite on this folder and hands out its store, which it keeps to itself. */
const openServer = (path: string): { server: Server; store: Store } => {
  const { create } = layer;
  let store: Store | undefined;
  layer.create = (options) => {
    store = create(options);
    return store;
  };
  const server = dynalite({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  layer.create = create;
  if (!store) throw new Error('dynalite did not open a store');
  return { server, store };
};

/**
 * Closes the iterator of a query when the query ends. dynalite leaves it open, and each holds on to the rows as they then
 * were, in memory and on disk, for as long as the process lives: 20 KB a query, and every request of a client has one.
 */
const closeIterators = ({ db }: Store) => {
  const { values } = db;
  db.values = (range) => {
    const iterator = values.call(db, range);
    // What the stream that dynalite makes of it calls in the end, where it is there.
    return Object.assign(iterator, { return: () => iterator.close() });
  };
};

/** Reads in this thread: a row mostly lies in memory, and handing the read to another thread takes longer than the read. */
const readAtOnce = ({ db }: Store) => {
  db.get = (key, done) => {
    try {
      const value = db.getSync(key);
      setImmediate(() => done(null, value));
    } catch (error) {
      setImmediate(() => done(error));
    }
  };
};

/** Forgets tables that were half made when the process died: nothing can be in them, and whoever wants them makes them. */
const forgetHalfMade = async ({ db }: Store) => {
  for await (const [key, { TableStatus }] of db.iterator({ gte: 'table~', lt: 'table~\uffff' })) {
    if (TableStatus === 'CREATING') await db.del(key);
  }
};

/** The server of the tables in this folder, ready to listen. */
export const openTables = async (path: string): Promise<Server> => {
  writeTogether();
  const { server, store } = openServer(path);
  closeIterators(store);
  readAtOnce(store);
  await forgetHalfMade(store);
  return server;
};
