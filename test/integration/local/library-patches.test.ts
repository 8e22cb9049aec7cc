/** A patch of a library throws at start if the library's internals are not as the patch expects. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import parser from 'dynalite/db/conditionParser.js';
import layer from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import * as v from 'valibot';
import { beforeAll, expect, test, vi } from 'vitest';
import { newRoom } from '../../../infra/local/stores/disk-room.ts';
import {
  closeIterators,
  forgetHalfMade,
  openServer,
  readAtOnce,
  refuseUnreadable,
  refuseWithoutRoom as refuseWrites,
  writeTogether,
} from '../../../infra/local/stores/dynalite-patches.ts';
import { openProbe } from '../../../infra/local/stores/dynalite-probe.ts';
import {
  importPersistence,
  prepareDatabase,
  startPrepared,
} from '../../../infra/local/stores/fauxqs-database.ts';
import { importSending, startFairly } from '../../../infra/local/stores/fauxqs-fairness.ts';
import { refuseWithoutRoom, startOnLoopback } from '../../../infra/local/stores/fauxqs-server.ts';
import { parseOnce } from '../../../infra/local/stores/known-conditions.ts';
import { countUnits } from '../../../infra/local/stores/table-units.ts';

/** An object that behaves like `target`, except that it has no such member. */
const without = <Target extends object>(target: Target, name: keyof Target): Target => {
  const stub: Target = Object.create(target);
  Object.defineProperty(stub, name, { value: undefined, writable: true });
  return stub;
};

/** A copy that the library does not use, so that it never calls a function that is patched into the copy. */
const unused = <Target extends object>(target: Target): Target => Object.create(target);

let store: Awaited<ReturnType<typeof openProbe>>['store'];
beforeAll(async () => {
  ({ store } = await openProbe());
  await store.db.open();
});
const storeWith = (db: typeof store.db) => ({ ...store, db });

const room = newRoom('nowhere');
const refuse = (db: typeof store.db) =>
  refuseWrites(
    createServer(() => undefined),
    storeWith(db),
    room,
  );

const unreadable = async (target: typeof validations) =>
  refuseUnreadable((await openServer()).server, target);

const parsing = async (target: typeof parser) => parseOnce((await openServer()).server, target);

const together = 'write a row and its index entries together';
const units = 'count read and write units';

test.each([
  [together, 'updateIndexes', () => writeTogether(without(layer, 'updateIndexes'))],
  [together, 'createKey', () => writeTogether(without(layer, 'createKey'))],
  [together, 'getIndexActions', () => writeTogether(without(layer, 'getIndexActions'))],
  ['refuse unreadable input', 'checkTypes', () => unreadable(without(validations, 'checkTypes'))],
  ['refuse unreadable input', 'checkValidations', () => unreadable(without(validations, 'checkValidations'))],
  ['parse a condition once', 'parse', () => parsing(without(parser, 'parse'))],
  ['expose the store', 'create', () => openServer(undefined, without(layer, 'create'))],
  ['close the iterator of a query', 'values', () => closeIterators(storeWith(without(store.db, 'values')))],
  ['read in this thread', 'get', () => readAtOnce(storeWith(without(store.db, 'get')))],
  ['read in this thread', 'getSync', () => readAtOnce(storeWith(without(store.db, 'getSync')))],
  ['delete half-made tables', 'iterator', () => forgetHalfMade(storeWith(without(store.db, 'iterator')))],
  ['delete half-made tables', 'del', () => forgetHalfMade(storeWith(without(store.db, 'del')))],
  ['refuse writes without room', 'put', () => refuse(without(store.db, 'put'))],
  ['refuse writes without room', 'batch', () => refuse(without(store.db, 'batch'))],
  ['refuse writes without room', 'close', () => refuse(without(store.db, 'close'))],
  [units, 'addConsumedCapacity', () => countUnits(without(layer, 'addConsumedCapacity'))],
  [units, 'checkConditional', () => countUnits(without(layer, 'checkConditional'))],
  [units, 'updateIndexes', () => countUnits(without(layer, 'updateIndexes'))],
  [units, 'queryTable', () => countUnits(without(layer, 'queryTable'))],
  [units, 'getIndexActions', () => countUnits(without(layer, 'getIndexActions'))],
])('"%s" throws if dynalite has no %s', async (patch, member, apply) => {
  await expect(apply()).rejects.toThrow(
    `dynalite 4.0.0: the patch "${patch}" does not apply: ${member} is not a function`,
  );
});

test.each([
  [together, () => writeTogether(unused(layer))],
  ['expose the store', () => openServer(undefined, unused(layer))],
  ['close the iterator of a query', () => closeIterators(storeWith(unused(store.db)))],
  ['read in this thread', () => readAtOnce(storeWith(unused(store.db)))],
  ['refuse writes without room', () => refuse(unused(store.db))],
  ['refuse unreadable input', () => unreadable(unused(validations))],
  ['parse a condition once', () => parsing(unused(parser))],
])('"%s" throws if dynalite does not call the patched function', async (patch, apply) => {
  await expect(apply()).rejects.toThrow(
    `dynalite 4.0.0: the patch "${patch}" does not apply: dynalite does not call it`,
  );
});

test('"expose the store" throws if the store cannot be opened', async () => {
  const { create } = layer;
  const closed = () => storeWith(without(store.db, 'open'));
  const target = Object.create(layer, {
    create: { get: () => closed, set: (it: unknown) => Reflect.set(layer, 'create', it) },
  });

  const opened = openServer(undefined, target).finally(() => Object.assign(layer, { create }));

  await expect(opened).rejects.toThrow('the patch "expose the store" does not apply: open is not a function');
});

test('"close the iterator of a query" throws if an iterator has no close', async () => {
  const probe = await openProbe();
  Object.assign(probe.store.db, { values: () => ({}) });

  await expect(closeIterators(probe.store)).rejects.toThrow(
    'the patch "close the iterator of a query" does not apply: close is not a function',
  );
});

test('"read in this thread" throws if the database cannot do so', async () => {
  const probe = await openProbe();
  const getSync = () => {
    throw new Error('not supported');
  };
  Object.assign(probe.store.db, { getSync });

  await expect(readAtOnce(probe.store)).rejects.toThrow(
    'the patch "read in this thread" does not apply: Error: not supported',
  );
});

test('"count read and write units" throws if dynalite does not call the patched functions', async () => {
  await expect(countUnits(unused(layer))).rejects.toThrow(
    `dynalite 4.0.0: the patch "${units}" does not apply: the probe counts {}`,
  );
});

const counting = ['addConsumedCapacity', 'checkConditional', 'updateIndexes', 'queryTable'] as const;

test.each(counting)('"count read and write units" throws if dynalite does not call %s', async (member) => {
  const original = { ...layer };
  // The other functions are patched in dynalite itself; this one only in the copy.
  const target = Object.create(layer, { [member]: { value: layer[member], writable: true } });
  for (const name of counting.filter((it) => it !== member)) {
    const forward = { get: () => layer[name], set: (it: unknown) => Reflect.set(layer, name, it) };
    Object.defineProperty(target, name, forward);
  }

  await expect(countUnits(target).finally(() => Object.assign(layer, original))).rejects.toThrow(
    `dynalite 4.0.0: the patch "${units}" does not apply: the probe counts {"`,
  );
});

test('"write a row and its index entries together" throws if dynalite stores rows under other keys', async () => {
  const { createKey, updateIndexes } = layer;
  const target = Object.create(layer, {
    updateIndexes: {
      get: () => layer.updateIndexes,
      set: (it: unknown) => Reflect.set(layer, 'updateIndexes', it),
    },
    createKey: { value: (...args: Parameters<typeof createKey>) => `other/${createKey(...args)}` },
  });

  const applied = writeTogether(target).finally(() => Object.assign(layer, { updateIndexes }));

  await expect(applied).rejects.toThrow('dynalite stores rows or index entries under other keys');
});

test('"delete half-made tables" throws if dynalite stores tables under other keys', async () => {
  const openScratch = async (): ReturnType<typeof openProbe> => {
    const probe = await openProbe();
    return { ...probe, store: storeWith(probe.store.db) };
  };

  await expect(forgetHalfMade(store, openScratch)).rejects.toThrow(
    'dynalite 4.0.0: the patch "delete half-made tables" does not apply: dynalite stores tables under other keys',
  );
});

const failure = (reason: string) =>
  `fauxqs 2.4.1: the patch "prepare the database" does not apply: ${reason}`;

const started = (address = 'http://127.0.0.1:1') => ({
  port: 1,
  address,
  stop: vi.fn(async () => undefined),
});

class Loader {
  db: unknown;
  load() {}
}

test.each([
  ['the module has no PersistenceManager', {}, 'dist/persistence.js exports no class PersistenceManager'],
  ['the class has no load', { PersistenceManager: class {} }, 'load is not a function'],
])('"prepare the database" throws if %s', async (_, module, reason) => {
  await expect(startPrepared(module, async () => started())).rejects.toThrow(failure(reason));
});

test('"prepare the database" throws if `db` is not the database', async () => {
  const start = async () => {
    new Loader().load();
    return started();
  };

  await expect(startPrepared({ PersistenceManager: Loader }, start)).rejects.toThrow(
    failure('its `db` is not a DatabaseSync'),
  );
});

test('"prepare the database" stops fauxqs and throws if fauxqs does not call the patched function', async () => {
  const fauxqs = started();

  await expect(startPrepared(await importPersistence(), async () => fauxqs)).rejects.toThrow(
    failure('fauxqs does not call it'),
  );
  expect(fauxqs.stop).toHaveBeenCalledOnce();
});

test('"prepare the database" throws if the database still waits for the disk', () => {
  const db = Object.assign(new DatabaseSync(':memory:'), { exec: () => undefined });

  expect(() => prepareDatabase(db)).toThrow(failure('the database does not take PRAGMA synchronous'));
});

test('"prepare the database" throws if the messages have another table', () => {
  expect(() => prepareDatabase(new DatabaseSync(':memory:'))).toThrow(failure('Error: no such table'));
});

test('"listen on the loopback address" stops fauxqs and throws if fauxqs listens elsewhere', async () => {
  const fauxqs = started('http://0.0.0.0:1');

  await expect(startOnLoopback(async () => fauxqs)).rejects.toThrow(
    'fauxqs 2.4.1: the patch "listen on the loopback address" does not apply: fauxqs listens on http://0.0.0.0:1',
  );
  expect(fauxqs.stop).toHaveBeenCalledOnce();
});

test.each(['dynalite', 'fauxqs'])('package.json pins the version of %s', (library) => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

  expect(devDependencies[library]).toBe(lock.packages[`node_modules/${library}`].version);
  expect(lock.packages[''].devDependencies[library]).toBe(devDependencies[library]);
});

test('"refuse writes without room" throws if the server of dynalite has no request listener', async () => {
  await expect(refuseWrites(createServer(), store, room)).rejects.toThrow(
    'the patch "refuse writes without room" does not apply: the server has another number of request listeners',
  );
});

test('"refuse writes without room" throws if fauxqs announces no Fastify instance', async () => {
  const stop = vi.fn(async () => undefined);
  const start = async () => ({ address: '', port: 0, stop });

  await expect(refuseWithoutRoom(room, start)).rejects.toThrow(
    'fauxqs 2.4.1: the patch "refuse writes without room" does not apply: fauxqs does not announce its Fastify instance',
  );
  expect(stop).toHaveBeenCalledOnce();
});

const unfair = (reason: string) =>
  `fauxqs 2.4.1: the patch "hand out messages fairly" does not apply: ${reason}`;

test('"hand out messages fairly" throws if fauxqs has other modules', async () => {
  await expect(startFairly({}, async () => started())).rejects.toThrow(
    unfair('dist/sqs exports no SqsStore, sendMessage or sendMessageBatch'),
  );
});

test('"hand out messages fairly" throws if fauxqs does not pass on the attributes of a message', async () => {
  const sending = v.parse(v.looseObject({ sendMessage: v.function() }), await importSending());
  const sendMessage = (body: object, ...rest: unknown[]) =>
    sending.sendMessage({ ...body, MessageAttributes: {} }, ...rest);

  await expect(
    startFairly({ ...sending, sendMessage, sendMessageBatch: () => undefined }, async () => started()),
  ).rejects.toThrow(unfair('the probe hands out 3'));
});

test('"hand out messages fairly" throws if a queue of fauxqs keeps its messages elsewhere', async () => {
  class SqsStore {
    createQueue = () => ({ isFifo: () => false });
  }

  await expect(startFairly({ ...(await importSending()), SqsStore }, async () => started())).rejects.toThrow(
    unfair('a new queue has no empty array `messages`, or no map `inflightMessages`'),
  );
});

test('"hand out messages fairly" throws if fauxqs announces no Fastify instance', async () => {
  const fauxqs = started();

  await expect(startFairly(await importSending(), async () => fauxqs)).rejects.toThrow(
    unfair('fauxqs does not announce its Fastify instance'),
  );
  expect(fauxqs.stop).toHaveBeenCalledOnce();
});
