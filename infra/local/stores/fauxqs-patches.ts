/**
 * The patches of fauxqs. Each throws at start if it does not take effect. No prototype of Node is changed.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DatabaseSync } from 'node:sqlite';
import type { FauxqsServer } from 'fauxqs';
import * as v from 'valibot';
import { noRoomMessage, type Room } from './disk-room.ts';
import { FairMessages, InFlightMessages } from './fair-messages.ts';
import { libraryFile, libraryPatch } from './library-patch.ts';

/** The result codes of SQLite for a disk without room, and for a limit of the size of files. */
const noRoomCodes = [13, 10];

const isNoRoom = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  // The lower byte is the primary code.
  noRoomCodes.includes(error.errcode & 0xff);

type Started = Pick<FauxqsServer, 'address' | 'port' | 'stop'>;

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

const fair = libraryPatch('fauxqs', 'hand out messages fairly');

type Message = { messageGroupId?: string | undefined; messageAttributes: object };
type Queue = {
  isFifo: () => boolean;
  enqueue: (message: Message) => void;
  dequeue: (count: number) => { Body: string }[];
  messages: unknown;
  inflightMessages: unknown;
};
type QueueStore = {
  createQueue: (name: string, url: string, arn: string, ...more: unknown[]) => Queue;
  getQueue: (url: string) => Queue | undefined;
};

/**
 * The group of each message that a request sends. The key is its object of attributes, which fauxqs passes on
 * to the message.
 */
const groups = new WeakMap<object, string>();

type Entry = { MessageGroupId?: unknown; MessageAttributes?: object };

/**
 * Keeps the groups in the body of SendMessage or SendMessageBatch. fauxqs ignores them in a queue that is not
 * FIFO.
 */
const rememberGroups = (body: Entry & { Entries?: Entry[] }): void => {
  for (const entry of body.Entries ?? [body]) {
    if (typeof entry.MessageGroupId !== 'string') continue;
    entry.MessageAttributes ??= {};
    groups.set(entry.MessageAttributes, entry.MessageGroupId);
  }
};

const makeQueueFair = (queue: Queue): void => {
  if (queue.isFifo()) return;
  const isEmpty = Array.isArray(queue.messages) && queue.messages.length === 0;
  if (!isEmpty || !(queue.inflightMessages instanceof Map)) {
    throw fair.failure('a new queue has no empty array `messages`, or no map `inflightMessages`');
  }
  fair.requireFunctions(queue, ['enqueue', 'dequeue']);
  const inFlight = new InFlightMessages<{ message: Message }>();
  queue.inflightMessages = inFlight;
  queue.messages = new FairMessages<Message>((group) => inFlight.count(group));
  const { enqueue } = queue;
  queue.enqueue = (message) => {
    message.messageGroupId ??= groups.get(message.messageAttributes);
    enqueue.call(queue, message);
  };
};

/**
 * Makes the queues fair that this store will create. fauxqs stores the group of a message with the message.
 */
const makeQueuesFair = (store: QueueStore): void => {
  fair.requireFunctions(store, ['createQueue']);
  const { createQueue } = store;
  store.createQueue = (...args) => {
    const queue = createQueue.apply(store, args);
    makeQueueFair(queue);
    return queue;
  };
};

const isClass = (it: unknown): boolean => typeof it === 'function';

const Sending = v.object({
  SqsStore: v.custom<new () => QueueStore>(isClass),
  sendMessage: v.custom<(body: object, store: object) => unknown>(isClass),
  sendMessageBatch: v.custom<(body: object, store: object) => unknown>(isClass),
});

/** The modules of fauxqs that send messages to queues. The package does not export them. */
export const importSending = async (): Promise<object> => {
  const files = ['sqsStore', 'actions/sendMessage', 'actions/sendMessageBatch'];
  const modules = files.map((file) => import(libraryFile('fauxqs', `dist/sqs/${file}.js`).href));
  return Object.assign({}, ...(await Promise.all(modules)));
};

/**
 * Sends messages of two groups to a queue in memory. Throws unless the group with one message is among the
 * next two.
 */
const checkFairness = (module: object): void => {
  const { success, output } = v.safeParse(Sending, module);
  if (!success) throw fair.failure('dist/sqs exports no SqsStore, sendMessage or sendMessageBatch');
  const store = new output.SqsStore();
  makeQueuesFair(store);
  const queue = store.createQueue('probe', 'http://127.0.0.1/0/probe', 'arn:aws:sqs:probe');
  const entry = (Id: string, MessageGroupId: string) => ({ Id, MessageBody: Id, MessageGroupId });
  const batch = { QueueUrl: '/0/probe', Entries: [entry('1', 'busy'), entry('2', 'busy')] };
  const single = { QueueUrl: '/0/probe', ...entry('3', 'quiet') };
  rememberGroups(batch);
  rememberGroups(single);
  output.sendMessageBatch(batch, store);
  output.sendMessage(single, store);
  const order = queue.dequeue(3).map(({ Body }) => Body);
  if (order.join() !== '1,3,2') throw fair.failure(`the probe hands out ${order.join()}`);
};

const PersistenceModule = v.object({ PersistenceManager: v.custom<{ prototype: Manager }>(isClass) });

/** The module of fauxqs that opens the database. The package does not export it. */
export const importPersistence = (): Promise<unknown> =>
  import(libraryFile('fauxqs', 'dist/persistence.js').href);

/**
 * Starts fauxqs, and prepares its database after it is opened and before fauxqs loads the messages from it.
 * fauxqs keeps the connection to itself. Upstream replacement: none in 2.4.1. It would be an option of
 * `startFauxqs` that takes an open database.
 */
export const startPrepared = async <Server extends Started>(
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

const loopback = '127.0.0.1';
const listening = libraryPatch('fauxqs', 'listen on the loopback address');

const Initialization = v.object({
  fastify: v.custom<{ listen: (options: object) => unknown }>((it) => typeof it === 'object' && it !== null),
});

/**
 * Starts fauxqs for this machine only. fauxqs listens on all addresses of the machine, so this changes the
 * address on its Fastify instance, which Fastify announces on a diagnostics channel. Upstream replacement:
 * none in 2.4.1. It would be an option of `startFauxqs` for the address to listen on; `host` is only for the
 * URLs of queues.
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

const refusing = libraryPatch('fauxqs', 'refuse writes without room');

type Request = { method: string; headers: Record<string, unknown>; body?: unknown };
type Reply = {
  code: (status: number) => Reply;
  header: (name: string, value: string) => Reply;
  send: (body: string) => Reply;
};
type Hooks = {
  addHook: ((
    name: 'onRequest' | 'preHandler',
    hook: (request: Request, reply: Reply) => Promise<unknown>,
  ) => unknown) &
    ((
      name: 'onSend',
      hook: (request: Request, reply: Reply, payload: unknown) => Promise<unknown>,
    ) => unknown);
};
const WithHooks = v.object({
  fastify: v.custom<Hooks>((it) => typeof it === 'object' && it !== null && 'addHook' in it),
});

const isReading = ({ method, headers }: Request): boolean =>
  method === 'GET' ||
  method === 'HEAD' ||
  /\.(GetQueueUrl|GetQueueAttributes|ListQueues)$/.test(String(headers['x-amz-target']));

/** The answer of SQS or S3 that the SDK retries. */
const unavailable = ({ headers }: Request, reply: Reply): string => {
  const isQueue = headers['x-amz-target'] !== undefined;
  reply.code(503).header('content-type', isQueue ? 'application/x-amz-json-1.0' : 'application/xml');
  return isQueue
    ? JSON.stringify({ __type: 'com.amazonaws.sqs#ServiceUnavailable', message: noRoomMessage })
    : `<Error><Code>ServiceUnavailable</Code><Message>${noRoomMessage}</Message></Error>`;
};

/**
 * Starts fauxqs, and answers writes with 503 while there is no room for them, also those that were in
 * progress when the first one failed. Upstream replacement: none in 2.4.1. It would be that fauxqs answers
 * with an error that the SDK retries when its database fails.
 */
export const refuseWithoutRoom = async <Server extends Started>(
  room: Room,
  start: () => Promise<Server>,
): Promise<Server> => {
  let isHooked = false;
  const addHooks = (message: unknown) => {
    const { success, output } = v.safeParse(WithHooks, message);
    if (!success) return;
    isHooked = true;
    output.fastify.addHook('onRequest', async (request, reply) => {
      if (room.state() === 'open' || isReading(request)) return;
      return reply.send(unavailable(request, reply));
    });
    output.fastify.addHook('onSend', async (request, reply, payload) =>
      room.state() === 'open' || isReading(request) ? payload : unavailable(request, reply),
    );
  };
  subscribe('fastify.initialization', addHooks);
  const fauxqs = await start().finally(() => unsubscribe('fastify.initialization', addHooks));
  if (!isHooked) {
    await fauxqs.stop();
    throw refusing.failure('fauxqs does not announce its Fastify instance');
  }
  return fauxqs;
};

/**
 * Starts fauxqs with fair queues: each message group gets its share of the receives, however many messages
 * another group has in the queue. A message keeps its group over a restart. Upstream replacement: none in
 * 2.4.1. It would be support for `MessageGroupId` in queues that are not FIFO.
 */
export const startFairly = async <Server extends Started>(
  module: object,
  start: () => Promise<Server>,
): Promise<Server> => {
  checkFairness(module);
  let isHooked = false;
  const addHook = (message: unknown) => {
    const { success, output } = v.safeParse(WithHooks, message);
    if (!success) return;
    isHooked = true;
    output.fastify.addHook('preHandler', async ({ headers, body }) => {
      const isSending = /\.SendMessage(Batch)?$/.test(String(headers['x-amz-target']));
      if (isSending && typeof body === 'object' && body !== null) rememberGroups(body);
    });
  };
  subscribe('fastify.initialization', addHook);
  const fauxqs = await start().finally(() => unsubscribe('fastify.initialization', addHook));
  if (!isHooked) {
    await fauxqs.stop();
    throw fair.failure('fauxqs does not announce its Fastify instance');
  }
  return fauxqs;
};
