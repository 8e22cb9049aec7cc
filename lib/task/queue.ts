/** Puts tasks on the crawl queue, and their webhooks on the postback queue: in the trace of the scope, one for all of them. */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { CrawlMessage, DeliveryKey, TaskKey } from '../model/workflow.ts';
import { sqs } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { scope } from '../runtime/scope.ts';

const batchSize = 10;

/** SQS holds no message back for longer. */
const maxDelaySeconds = 900;

type PlannedTask = TaskKey & { pages: readonly unknown[] };

const sendBatch = async (tasks: readonly PlannedTask[]): Promise<void> => {
  let left = tasks.map(({ user_id, id, pages }, n) => ({
    Id: String(n),
    MessageBody: JSON.stringify({ user_id, id, pages: pages.length, trace: scope().trace }),
  }));
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === 5) throw new Error('The crawl queue takes no more messages');
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** tries));
    const send = new SendMessageBatchCommand({ QueueUrl: resource('CRAWL_QUEUE_URL'), Entries: left });
    const { Failed = [] } = await durably('queue-tasks', () => sqs.send(send));
    const failed = new Set(Failed.map((entry) => entry.Id));
    left = left.filter((entry) => failed.has(entry.Id));
  }
};

/** Queues tasks for a crawl. A message that is sent twice costs a crawl at worst, never a second result. */
export const queueTasks = async (tasks: readonly PlannedTask[]): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(tasks.length / batchSize) }, (_, n) => n * batchSize);
  const worker = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      await sendBatch(tasks.slice(start, start + batchSize));
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
};

/**
 * Queues a fresh copy of a crawl message, to be received in so many seconds or, where that is longer than the queue holds
 * anything back, earlier. The one that was received may then be acknowledged: waiting takes no receive away.
 */
export const queueLater = async (message: CrawlMessage, seconds: number): Promise<void> => {
  const send = new SendMessageCommand({
    QueueUrl: resource('CRAWL_QUEUE_URL'),
    MessageBody: JSON.stringify(message),
    DelaySeconds: Math.min(maxDelaySeconds, Math.max(0, Math.floor(seconds))),
  });
  await durably('queue-later', () => sqs.send(send));
};

/** Queues an attempt at a webhook. A repeat is harmless: each attempt is made once. */
export const queueDelivery = async (key: DeliveryKey): Promise<void> => {
  const send = new SendMessageCommand({
    QueueUrl: resource('POSTBACK_QUEUE_URL'),
    MessageBody: JSON.stringify({ ...key, trace: scope().trace }),
  });
  await durably('queue-delivery', () => sqs.send(send));
};
