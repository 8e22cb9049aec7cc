/**
 * Sends tasks to the queue of their kind, and deliveries to the postback queue. Every message carries the
 * trace of its task, and its user as the message group: SQS then gives each user a fair share of the
 * consumers (fair queues).
 */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DeliveryKey, TaskKey } from '../model/workflow.ts';
import { sqs } from '../runtime/aws.ts';
import { RefusedError } from '../runtime/back-pressure.ts';
import { type DurableWork, durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { scope } from '../runtime/scope.ts';
import type { TaskKind, TaskRow } from '../store/task-row.ts';
import { kinds } from './kinds.ts';

const batchSize = 10;

/** The maximum delay of a message in SQS. */
const maxDelaySeconds = 900;

/** The message group of a user's tasks or deliveries. */
const messageGroup = ({ user_id }: TaskKey): string => String(user_id);

/** The body of a message. `delaySeconds` is not part of the body: the message is received so much later. */
type Message = TaskKey & { trace?: string; delaySeconds?: number };

const entryOf = ({ delaySeconds = 0, ...body }: Message) => ({
  MessageBody: JSON.stringify({ ...body, trace: body.trace ?? scope().trace }),
  MessageGroupId: messageGroup(body),
  ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
});

const sendBatch = async (work: DurableWork, queue: string, messages: readonly Message[]): Promise<void> => {
  let unsent = messages.map((message, n) => ({ Id: String(n), ...entryOf(message) }));
  for (let tries = 0; unsent.length > 0; tries++) {
    if (tries === 5) throw new RefusedError('The queue has not accepted all messages after 5 requests');
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** tries));
    const send = new SendMessageBatchCommand({ QueueUrl: queue, Entries: unsent });
    const { Failed = [] } = await durably(work, () => sqs.send(send));
    const failed = new Set(Failed.map((entry) => entry.Id));
    unsent = unsent.filter((entry) => failed.has(entry.Id));
  }
};

/** Queues tasks for a run. A repeated message costs a run at worst, and never makes a second result. */
export const queueTasks = async (rows: readonly TaskRow[]): Promise<void> => {
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    const { queue, messages } = kinds[kind];
    await inParallel(inBatches(messages(ofKind), batchSize), 4, (batch) =>
      sendBatch('queue-tasks', resource(queue), batch),
    );
  }
};

/**
 * Queues new copies of messages of a kind, each with its delay, which is capped at 900 s. The received
 * messages may then be acknowledged: waiting does not use up a receive.
 */
export const queueAllLater = async (
  kind: TaskKind,
  messages: readonly (TaskKey & { trace?: string | undefined; delaySeconds: number })[],
): Promise<void> => {
  const delayed = messages.map(({ trace, delaySeconds, ...message }) => ({
    ...message,
    ...(trace && { trace }),
    delaySeconds: Math.min(maxDelaySeconds, Math.max(0, Math.ceil(delaySeconds))),
  }));
  await inParallel(inBatches(delayed, batchSize), 4, (batch) =>
    sendBatch('queue-later', resource(kinds[kind].queue), batch),
  );
};

/**
 * Queues a new copy of a message with a delay. The delay is capped at 900 s, SQS's maximum. The received
 * message may then be acknowledged: waiting does not use up a receive.
 */
export const queueLater = async (
  kind: TaskKind,
  message: TaskKey & Record<string, unknown>,
  seconds: number,
): Promise<void> => {
  const send = new SendMessageCommand({
    QueueUrl: resource(kinds[kind].queue),
    MessageBody: JSON.stringify(message),
    MessageGroupId: messageGroup(message),
    DelaySeconds: Math.min(maxDelaySeconds, Math.max(0, Math.floor(seconds))),
  });
  await durably('queue-later', () => sqs.send(send));
};

/** A delivery attempt to queue. */
export type QueuedDelivery = DeliveryKey & Message;

/**
 * Queues a delivery attempt, after a delay if one is given. A repeated message is harmless, because each
 * attempt is made once.
 */
export const queueDelivery = async (key: DeliveryKey, delaySeconds = 0): Promise<void> => {
  const send = new SendMessageCommand({
    QueueUrl: resource('POSTBACK_QUEUE_URL'),
    ...entryOf({ ...key, delaySeconds }),
  });
  await durably('queue-delivery', () => sqs.send(send));
};

/** Queues delivery attempts of several tasks, each with the trace of its task. */
export const queueDeliveries = (deliveries: readonly QueuedDelivery[]): Promise<void> =>
  inParallel(inBatches(deliveries, batchSize), 4, (batch) =>
    sendBatch('queue-delivery', resource('POSTBACK_QUEUE_URL'), batch),
  );
