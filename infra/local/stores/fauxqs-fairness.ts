/**
 * Fair queues for fauxqs: each message group gets its share of the receives. Throws at start if the patch
 * does not take effect.
 */
import type { FauxqsServer } from 'fauxqs';
import * as v from 'valibot';
import { FairMessages, InFlightMessages } from './fair-messages.ts';
import { startWithHooks } from './fastify-hooks.ts';
import { checkRest, restWithoutTimers, type TimedQueue } from './fauxqs-timers.ts';
import { libraryFile, libraryPatch } from './library-patch.ts';

const fair = libraryPatch('fauxqs', 'hand out messages fairly');

type Message = {
  messageGroupId?: string | undefined;
  messageAttributes: object;
  delayUntil?: number;
};
type Queue = TimedQueue<Message> & {
  isFifo: () => boolean;
  dequeue: (count: number) => { Body: string }[];
  messages: unknown;
};
export type QueueStore = {
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
  restWithoutTimers(queue);
};

/**
 * Makes the queues fair that this store will create, and lets them rest without messages. fauxqs stores the
 * group of a message with the message.
 */
export const makeQueuesFair = (store: QueueStore): void => {
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
  const modules = await Promise.all([
    import(libraryFile('fauxqs', 'dist/sqs/sqsStore.js').href),
    import(libraryFile('fauxqs', 'dist/sqs/actions/sendMessage.js').href),
    import(libraryFile('fauxqs', 'dist/sqs/actions/sendMessageBatch.js').href),
  ]);
  return Object.assign({}, ...modules);
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
  const resting = store.createQueue('resting', 'http://127.0.0.1/0/resting', 'arn:aws:sqs:resting');
  checkRest(resting, { messageAttributes: {}, delayUntil: Date.now() + 900_000 });
};

/**
 * Starts fauxqs with fair queues: each message group gets its share of the receives, however many messages
 * another group has in the queue. A message keeps its group over a restart. Upstream replacement: none in
 * 2.4.1. It would be support for `MessageGroupId` in queues that are not FIFO.
 */
export const startFairly = async <Server extends Pick<FauxqsServer, 'stop'>>(
  module: object,
  start: () => Promise<Server>,
): Promise<Server> => {
  checkFairness(module);
  return startWithHooks(
    fair,
    (fastify) =>
      fastify.addHook('preHandler', async ({ headers, body }) => {
        const isSending = /\.SendMessage(Batch)?$/.test(String(headers['x-amz-target']));
        if (isSending && typeof body === 'object' && body !== null) rememberGroups(body);
      }),
    start,
  );
};
