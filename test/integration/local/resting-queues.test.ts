/** A receive that waits gets each message that becomes visible, although queues rest without them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQueues } from '../../../infra/local/stores/durable-queues.ts';
import { credentials } from '../../../infra/local/stores/emulators.ts';
import { checkRest, restWithoutTimers, type TimedQueue } from '../../../infra/local/stores/fauxqs-timers.ts';

const folder = mkdtempSync(join(tmpdir(), 'resting-'));
let sqs: SQSClient;
let stop: () => Promise<void>;
beforeAll(async () => {
  const { fauxqs } = await openQueues(folder);
  sqs = new SQSClient({ endpoint: fauxqs.address, region: 'us-east-1', credentials });
  stop = async () => {
    sqs.destroy();
    await fauxqs.stop();
    rmSync(folder, { recursive: true, force: true });
  };
});
afterAll(() => stop());

const makeQueue = async (QueueName: string): Promise<string | undefined> =>
  (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl;

/** The bodies that a receive gets, which waits for 20 s if no message is visible. */
const receive = async (QueueUrl: string | undefined, VisibilityTimeout = 600): Promise<unknown[]> => {
  const command = new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout, WaitTimeSeconds: 20 });
  return ((await sqs.send(command)).Messages ?? []).map(({ Body }) => Body);
};

/** The server has begun the receives that were sent before. */
const begun = (QueueName: string) => sqs.send(new GetQueueUrlCommand({ QueueName }));

test('a message that is sent', async () => {
  const url = await makeQueue('sent');
  const waiting = receive(url);
  await begun('sent');

  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'sent' }));

  expect(await waiting).toEqual(['sent']);
});

test('a message that is sent with a delay', async () => {
  const url = await makeQueue('delayed');
  const waiting = receive(url);
  await begun('delayed');

  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'delayed', DelaySeconds: 1 }));

  expect(await waiting).toEqual(['delayed']);
});

test('a message whose receiver has not deleted it', async () => {
  const url = await makeQueue('after');
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'after' }));
  expect(await receive(url, 1)).toEqual(['after']);

  expect(await receive(url)).toEqual(['after']);
});

/** A queue without timers, as the patch expects it, except for `changes`. */
const queueWith = (changes: object): TimedQueue<object> => ({
  enqueue: () => undefined,
  processTimers: () => undefined,
  startPollTimerIfNeeded: () => undefined,
  waitForMessages: async () => undefined,
  cancelWaiters: () => undefined,
  pollWaiters: [],
  delayedMessages: [],
  inflightMessages: new Map(),
  ...changes,
});

const timer = setTimeout(() => undefined, 0);

test.each<[reason: string, changes: object]>([
  ['processTimers is not a function', { processTimers: undefined }],
  ['a queue has no array `delayedMessages` or `pollWaiters`', { pollWaiters: new Set() }],
  ['a queue has no map `inflightMessages`', { inflightMessages: [] }],
  ['the probe looks although it has no message', { pollTimer: timer }],
  ['the probe does not look although it has a delayed message', {}],
])('the patch throws if fauxqs has changed: %s', (reason, changes) => {
  const queue = queueWith(changes);

  expect(() => {
    restWithoutTimers(queue);
    checkRest(queue, {});
  }).toThrow(`the patch "rest without messages that become visible" does not apply: ${reason}`);
});
