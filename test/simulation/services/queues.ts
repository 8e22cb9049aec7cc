/**
 * SQS in this process: standard queues with delays, visibility timeouts, counts of receives and dead-letter
 * queues. The faults decide which messages come late, twice or in another order.
 */
import { createHash } from 'node:crypto';
import { AwsFault } from '../code/sdk.ts';
import type { Faults } from '../world/faults.ts';
import type { Random } from '../world/random.ts';
import type { Scheduler, Timer } from '../world/scheduler.ts';

type Input = Record<string, unknown>;

export type Message = {
  id: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  firstReceivedAt: number;
  receives: number;
  receipt: string;
};

type Held = { message: Message; timer: Timer };

export type QueueDefinition = {
  name: string;
  /** Of a message that names no delay. */
  delaySeconds: number;
  /** From when a message was sent, also to the queue that it came from. */
  retentionSeconds: number;
  visibilitySeconds: number;
  maxReceives?: number;
  deadLetters?: string;
};

export type Queue = {
  definition: QueueDefinition;
  /** Receives up to so many visible messages, those of users with little work in progress first. */
  receive: (most: number, visibilitySeconds?: number) => Message[];
  remove: (receipt: string) => void;
  /** Calls back whenever a message has become visible. */
  onVisible: (listener: () => void) => void;
  counts: () => { visible: number; delayed: number; held: number };
  /** The bodies of all messages. */
  bodies: () => string[];
  /** The most receives of the messages that name this task. */
  receivesOf: (id: number) => number;
};

type World = { scheduler: Scheduler; random: Random; faults: Faults };

type OwnQueue = Queue & {
  send: (body: string, delaySeconds?: number, group?: string) => string;
  changeVisibility: (receipt: string, seconds: number) => void;
  /** Takes a message of another queue. */
  accept: (message: Message) => void;
};

/** Milliseconds until a message is received once more: half of the copies come at once. */
const duplicateDelay = (amount: number): number => 1 + (amount % 2 === 0 ? amount % 200 : amount);

const newQueue = (definition: QueueDefinition, world: World, find: (name: string) => OwnQueue): OwnQueue => {
  const { scheduler, random, faults } = world;
  const visible: Message[] = [];
  const delayed = new Set<Message>();
  const held = new Map<string, Held>();
  const listeners: (() => void)[] = [];
  let sent = 0;

  const show = (message: Message) => {
    visible.push(message);
    for (const listener of listeners) listener();
  };
  const showAfter = (message: Message, milliseconds: number) => {
    if (milliseconds <= 0) return show(message);
    delayed.add(message);
    scheduler.after(milliseconds, () => {
      delayed.delete(message);
      show(message);
    });
  };
  /** SQS deletes a message after its time. It is looked for when messages are. */
  const isKept = ({ sentAt }: Message): boolean =>
    scheduler.now() < sentAt + definition.retentionSeconds * 1000;
  const forgetOld = () => {
    const kept = visible.filter(isKept);
    if (kept.length < visible.length) visible.splice(0, visible.length, ...kept);
  };
  const groupsInProgress = () => {
    const counts = new Map<string, number>();
    for (const { message } of held.values())
      counts.set(message.group ?? '', (counts.get(message.group ?? '') ?? 0) + 1);
    return counts;
  };
  /** Takes one visible message out: of a user with the fewest in progress, as fair queues do. */
  const takeOne = (inProgress: Map<string, number>): Message | undefined => {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [at, { group = '' }] of visible.entries()) {
      const count = inProgress.get(group) ?? 0;
      if (count >= least) continue;
      best = at;
      least = count;
      if (count === 0) break;
    }
    if (best < 0) return undefined;
    if (faults.strikes('reorder', definition.name)) best = random.int(visible.length);
    const [message] = visible.splice(best, 1);
    return message;
  };

  const all = (): Message[] =>
    [...visible, ...delayed, ...[...held.values()].map(({ message }) => message)].filter(isKept);

  const queue = {
    definition,
    send: (body: string, delaySeconds = definition.delaySeconds, group?: string) => {
      sent += 1;
      const id = `${definition.name}-${sent}`;
      const message = {
        id,
        body,
        group,
        sentAt: scheduler.now(),
        firstReceivedAt: 0,
        receives: 0,
        receipt: '',
      };
      const late = faults.strikes('late message', definition.name)
        ? faults.amount('late message', 120_000)
        : 0;
      showAfter(message, delaySeconds * 1000 + 5 + random.int(20) + late);
      return id;
    },
    receive: (most: number, visibilitySeconds = definition.visibilitySeconds): Message[] => {
      forgetOld();
      const inProgress = groupsInProgress();
      const received: Message[] = [];
      while (received.length < most) {
        const message = takeOne(inProgress);
        if (!message) break;
        const { maxReceives = Number.POSITIVE_INFINITY, deadLetters } = definition;
        if (message.receives >= maxReceives && deadLetters) {
          find(deadLetters).accept(message);
          continue;
        }
        message.receives += 1;
        message.firstReceivedAt ||= scheduler.now();
        message.receipt = `${message.id}/${message.receives}`;
        if (faults.strikes('duplicate', definition.name))
          showAfter({ ...message }, duplicateDelay(faults.amount('duplicate', 30_000)));
        inProgress.set(message.group ?? '', (inProgress.get(message.group ?? '') ?? 0) + 1);
        hold({ ...message }, visibilitySeconds);
        received.push({ ...message });
      }
      return received;
    },
    remove: (receipt: string) => {
      held.get(receipt)?.timer.cancel();
      held.delete(receipt);
    },
    changeVisibility: (receipt: string, seconds: number) => {
      const known = held.get(receipt);
      if (!known) return;
      known.timer.cancel();
      hold(known.message, seconds);
    },
    accept: (message: Message) => show({ ...message, receives: 0 }),
    onVisible: (listener: () => void) => void listeners.push(listener),
    counts: () => {
      forgetOld();
      return { visible: visible.length, delayed: delayed.size, held: held.size };
    },
    bodies: () => all().map(({ body }) => body),
    receivesOf: (id: number) =>
      Math.max(0, ...all().flatMap(({ body, receives }) => (body.includes(String(id)) ? receives : []))),
  };
  const hold = (message: Message, seconds: number) => {
    const timer = scheduler.after(seconds * 1000, () => {
      held.delete(message.receipt);
      show(message);
    });
    held.set(message.receipt, { message, timer });
  };
  return queue;
};

export type Queues = {
  call: (operation: string, input: Input) => unknown;
  find: (name: string) => Queue;
  all: () => Queue[];
};

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

export const newQueues = (definitions: readonly QueueDefinition[], world: World): Queues => {
  const queues = new Map<string, OwnQueue>();
  const find = (name: string): OwnQueue => {
    const queue = queues.get(name.replace(/.*[/:]/, ''));
    if (!queue) throw new AwsFault('QueueDoesNotExist', `The specified queue does not exist: ${name}`);
    return queue;
  };
  for (const definition of definitions) queues.set(definition.name, newQueue(definition, world, find));

  const send = (queue: OwnQueue, { MessageBody, DelaySeconds, MessageGroupId }: Input) => {
    const delay = DelaySeconds === undefined ? undefined : Number(DelaySeconds);
    if (delay !== undefined && !(delay >= 0 && delay <= 900))
      throw new AwsFault('InvalidParameterValue', `Value ${delay} for parameter DelaySeconds is invalid`);
    const group = MessageGroupId === undefined ? undefined : String(MessageGroupId);
    return {
      MessageId: queue.send(String(MessageBody), delay, group),
      MD5OfMessageBody: md5(String(MessageBody)),
    };
  };
  const operations: Record<string, (queue: OwnQueue, input: Input) => unknown> = {
    SendMessage: send,
    SendMessageBatch: (queue, { Entries }) => {
      const isFailed = (Entries as Input[]).map(() =>
        world.faults.strikes('unprocessed item', queue.definition.name),
      );
      const [taken, failed] = [false, true].map((which) =>
        (Entries as Input[]).filter((_, n) => isFailed[n] === which),
      );
      return {
        Successful: taken?.map((entry) => ({ Id: entry.Id, ...send(queue, entry) })),
        Failed: failed?.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
      };
    },
    ReceiveMessage: (queue, { MaxNumberOfMessages = 1, VisibilityTimeout }) => {
      const seconds = VisibilityTimeout === undefined ? undefined : Number(VisibilityTimeout);
      const received = queue.receive(Math.min(10, Number(MaxNumberOfMessages)), seconds);
      if (received.length === 0) return {};
      return {
        Messages: received.map(({ id, body, receipt }) => ({
          MessageId: id,
          Body: body,
          ReceiptHandle: receipt,
        })),
      };
    },
    DeleteMessage: (queue, { ReceiptHandle }) => {
      queue.remove(String(ReceiptHandle));
      return {};
    },
    ChangeMessageVisibility: (queue, { ReceiptHandle, VisibilityTimeout }) => {
      queue.changeVisibility(String(ReceiptHandle), Number(VisibilityTimeout));
      return {};
    },
    GetQueueAttributes: (queue) => {
      const { visible, delayed, held } = queue.counts();
      return {
        Attributes: {
          ApproximateNumberOfMessages: String(visible),
          ApproximateNumberOfMessagesDelayed: String(delayed),
          ApproximateNumberOfMessagesNotVisible: String(held),
        },
      };
    },
  };
  return {
    call: (operation, input) => {
      const run = operations[operation];
      if (!run) throw new Error(`The simulated SQS has no ${operation}`);
      return run(find(String(input.QueueUrl)), input);
    },
    find,
    all: () => [...queues.values()],
  };
};
