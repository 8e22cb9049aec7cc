/**
 * The patches of dynalite that keep tables safe from a SIGKILL and fast. Each throws at start if it does not
 * take effect.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import dynalite from 'dynalite';
import layer, { type Layer, type Store } from 'dynalite/db/index.js';
import validations, { type Validations } from 'dynalite/validations/index.js';
import { noRoomMessage, type Room } from './disk-room.ts';
import { openProbe, probeTable } from './dynalite-probe.ts';
import { libraryPatch } from './library-patch.ts';
import { askTables } from './table-calls.ts';

const keysOf = async ({ db }: Store): Promise<string[]> => {
  const keys: string[] = [];
  for await (const key of db.keys()) keys.push(key);
  return keys;
};

/**
 * Writes a row and its index entries in one batch, before dynalite writes the row once more. dynalite itself
 * writes them one after the other: a SIGKILL between the deletion of the old entry and the write of the new
 * one leaves a row that no sweep finds. Upstream replacement: none in 4.0.0. It would be an atomic batch in
 * dynalite's putItem, updateItem and deleteItem.
 */
export const writeTogether = async (target: Layer = layer): Promise<void> => {
  const { failure, requireFunctions } = libraryPatch(
    'dynalite',
    'write a row and its index entries together',
  );
  requireFunctions(target, ['updateIndexes', 'createKey', 'getIndexActions']);

  target.updateIndexes = (store, table, before, after, done) => {
    const row = after ?? before;
    if (!row) return done();
    const rowKey = `item-${table.TableName}~${target.createKey(row, table)}`;
    const entries = (['Local', 'Global'] as const).flatMap((kind) => {
      const { puts, deletes } = target.getIndexActions(
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
    // Without index entries, dynalite's own write of the row is enough.
    if (entries.length === 0) return done();
    store.db.batch(
      [...entries, after ? { type: 'put', key: rowKey, value: after } : { type: 'del', key: rowKey }],
      done,
    );
  };

  const { store, put, countEntries } = await openProbe();
  const keysBefore = await keysOf(store);
  const { batch } = store.db;
  const batches: string[][] = [];
  store.db.batch = (operations, done) => {
    batches.push(operations.flatMap(({ type, key }) => (type === 'put' ? [key] : [])));
    batch.call(store.db, operations, done);
  };
  await put('old');
  await put('new');
  if (batches.length !== 2) throw failure('dynalite does not call it');
  const added = (await keysOf(store)).filter((key) => !keysBefore.includes(key));
  const counts = [await countEntries('old'), await countEntries('new')];
  if (added.sort().join() !== batches[1]?.sort().join() || counts.join() !== '0,1') {
    throw failure('dynalite stores rows or index entries under other keys');
  }
};

/**
 * Opens dynalite on this folder (without one, in memory) and returns its store, which dynalite does not
 * expose. Upstream replacement: none in 4.0.0. It would be a property of the server, or an option that takes
 * a store.
 */
export const openServer = async (
  path?: string,
  target: Layer = layer,
): Promise<{ server: Server; store: Store }> => {
  const { failure, requireFunctions } = libraryPatch('dynalite', 'expose the store');
  requireFunctions(target, ['create']);
  const { create } = target;
  let store: Store | undefined;
  target.create = (options) => {
    store = create(options);
    return store;
  };
  const server = dynalite({ ...(path && { path }), createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  target.create = create;
  if (!store) throw failure('dynalite does not call it');
  requireFunctions(store.db, ['open']);
  await store.db.open();
  return { server, store };
};

/**
 * Closes the iterator of a query when the query ends. dynalite leaves it open. Each open iterator keeps the
 * rows as they were then, in memory and on disk, until the process ends: 20 KB for each query, and every
 * request of a client makes a query. Upstream replacement: none in 4.0.0. It would be a call of `close` where
 * dynalite's streams are destroyed.
 */
export const closeIterators = async (store: Store): Promise<void> => {
  const { db } = store;
  const { failure, requireFunctions } = libraryPatch('dynalite', 'close the iterator of a query');
  requireFunctions(db, ['values']);
  let closed = 0;

  const { values } = db;
  db.values = (range) => {
    const iterator = values.call(db, range);
    requireFunctions(iterator, ['close']);
    // dynalite's stream calls `return` when it is destroyed, if there is one.
    return Object.assign(iterator, {
      return: () => {
        closed += 1;
        return iterator.close();
      },
    });
  };

  const stream = store.getItemDb(probeTable.TableName).createValueStream({});
  const ended = once(stream, 'close');
  stream.destroy();
  await ended;
  if (closed !== 1) throw failure('dynalite does not call it');
};

/**
 * Reads in this thread. Most rows are in memory, and passing the read to another thread takes longer than the
 * read itself. Upstream replacement: none in 4.0.0. It would be an option of dynalite for synchronous reads.
 */
export const readAtOnce = async (store: Store): Promise<void> => {
  const { db } = store;
  const { failure, requireFunctions } = libraryPatch('dynalite', 'read in this thread');
  requireFunctions(db, ['get', 'getSync']);
  let isCalled = false;

  db.get = (key, done) => {
    isCalled = true;
    try {
      const value = db.getSync(key);
      setImmediate(() => done(null, value));
    } catch (error) {
      setImmediate(() => done(error));
    }
  };

  const error = await new Promise((resolve) => store.tableDb.get(probeTable.TableName, resolve));
  // An error with a code is that of the file, and not of the patch.
  if (error) throw error instanceof Error && 'code' in error ? error : failure(String(error));
  if (!isCalled) throw failure('dynalite does not call it');
};

const hasStatus = (error: unknown): boolean => error instanceof Error && 'statusCode' in error;

/** The answer of DynamoDB to a body that has not the form of an input, as dynalite's checks throw it. */
const unreadable = Object.assign(new Error('The input cannot be read'), {
  statusCode: 400,
  body: { __type: 'com.amazon.coral.service#SerializationException' },
});

/**
 * Answers an input with 400 if dynalite's checks of it fail, such as the body `null`. dynalite would end the
 * process. Upstream replacement: none in 4.0.0. It would be that dynalite answers each error of its checks.
 */
export const refuseUnreadable = async (server: Server, target: Validations = validations): Promise<void> => {
  const { failure, requireFunctions } = libraryPatch('dynalite', 'refuse unreadable input');
  const names = ['checkTypes', 'checkValidations'] as const;
  requireFunctions(target, [...names]);
  let calls = 0;
  for (const name of names) {
    const check = target[name];
    target[name] = (...input) => {
      calls += 1;
      try {
        return check(...input);
      } catch (error) {
        throw hasStatus(error) ? error : unreadable;
      }
    };
  }
  const status = await new Promise((resolve) => {
    try {
      askTables(server, 'ListTables', 'null', resolve);
    } catch (error) {
      resolve(error);
    }
  });
  if (status !== 400 || calls === 0) throw failure('dynalite does not call it');
};

const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'LEVEL_IO_ERROR';

/** The answer of DynamoDB that the SDK retries, as dynalite's actions return it. */
const unavailable = Object.assign(new Error(noRoomMessage), {
  statusCode: 503,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#ServiceUnavailable', message: noRoomMessage },
});

const reading = /\.(GetItem|BatchGetItem|Query|Scan|DescribeTable|ListTables)$/;

const refuse = (response: ServerResponse) => {
  response.writeHead(503, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(unavailable.body));
};

/**
 * Answers writes with 503 while there is no room for them, and opens LevelDB again when there is room.
 * dynalite would end the process. LevelDB would continue its log behind a half-written record, and drop what
 * follows at its next start. Upstream replacement: none in 4.0.0. It would be that dynalite answers
 * InternalServerError when its store fails.
 */
export const refuseWithoutRoom = async (server: Server, store: Store, room: Room): Promise<void> => {
  const { db } = store;
  const { failure, requireFunctions } = libraryPatch('dynalite', 'refuse writes without room');
  requireFunctions(db, ['put', 'batch', 'del', 'open', 'close']);
  requireFunctions(db.close, ['_original']);
  let calls = 0;

  const answering = (done: (error?: unknown) => void) => (error?: unknown) => {
    calls += 1;
    if (isNoRoom(error)) room.failed(error);
    // A write that succeeds after a failed one is behind a half-written record.
    done(room.state() === 'open' ? error : unavailable);
  };
  const { put, batch, del } = db;
  db.put = (key, value, done) => put.call(db, key, value, answering(done));
  db.batch = (operations, done) => batch.call(db, operations, answering(done));
  db.del = (key, done) => (done ? del.call(db, key, answering(done)) : del.call(db, key));

  const [handle, ...others] = server.listeners('request');
  if (!handle || others.length > 0) throw failure('the server has another number of request listeners');
  let inProgress = 0;
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isRead = reading.test(String(request.headers['x-amz-target']));
    if (room.state() === 'recovering' || (room.state() === 'full' && !isRead)) return refuse(response);
    inProgress += 1;
    response.once('close', () => {
      inProgress -= 1;
    });
    return handle.call(server, request, response);
  });
  room.whenBack(async () => {
    while (inProgress > 0) await sleep(5);
    await db.close._original();
    await db.open();
  });

  // There is no such table, so this changes nothing.
  await new Promise<void>((resolve) => store.tableDb.del(probeTable.TableName, () => resolve()));
  if (calls !== 1) throw failure('dynalite does not call it');
};

const deleteHalfMade = async ({ db }: Store): Promise<void> => {
  for await (const [key, { TableStatus }] of db.iterator({ gte: 'table~', lt: 'table~\uffff' })) {
    if (TableStatus === 'CREATING') await db.del(key);
  }
};

/**
 * Deletes tables that were half made when the process died. They are empty, and the next start makes them
 * again. Upstream replacement: none in 4.0.0. It would be that dynalite finishes, when it opens, the tables
 * in the state CREATING.
 */
export const forgetHalfMade = async (store: Store, openScratch = openProbe): Promise<void> => {
  const { failure, requireFunctions } = libraryPatch('dynalite', 'delete half-made tables');
  requireFunctions(store.db, ['iterator', 'del']);

  const scratch = await openScratch({ ...probeTable, TableStatus: 'CREATING' });
  await deleteHalfMade(scratch.store);
  const left = await keysOf(scratch.store);
  if (left.length > 0) throw failure('dynalite stores tables under other keys, or in another state');
  await deleteHalfMade(store);
};
