/**
 * A queue of the embedded SQS gives each message group its share of the receives, as a fair queue of SQS
 * does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQueues } from '../../../infra/local/stores/durable-queues.ts';
import { credentials } from '../../../infra/local/stores/emulators.ts';

type Queue = Awaited<ReturnType<typeof open>>;

let folder: string;
let queue: Queue;

const open = async () => {
  const { fauxqs } = await openQueues(folder);
  const sqs = new SQSClient({ endpoint: fauxqs.address, region: 'us-east-1', credentials });
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'Work' }));
  const receive = async (MaxNumberOfMessages = 10): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages,
      VisibilityTimeout: 600,
      MessageSystemAttributeNames: ['MessageGroupId'],
    });
    return (await sqs.send(command)).Messages ?? [];
  };
  return {
    receive,
    receiveBodies: async (count?: number) => (await receive(count)).map(({ Body }) => Body),
    send: (MessageBody: string, MessageGroupId?: string) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId })),
    sendMany: async (count: number, group?: string) => {
      for (let first = 0; first < count; first += 10) {
        const Entries = Array.from({ length: Math.min(10, count - first) }, (_, n) => ({
          Id: String(n),
          MessageBody: `${group ?? 'none'} ${first + n}`,
          MessageGroupId: group,
        }));
        await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
    remove: (messages: Message[]) =>
      sqs.send(
        new DeleteMessageBatchCommand({
          QueueUrl,
          Entries: messages.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle })),
        }),
      ),
    count: async () => {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes?.ApproximateNumberOfMessages);
    },
    stop: async () => {
      sqs.destroy();
      await fauxqs.stop();
    },
  };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fair-'));
  queue = await open();
});
afterEach(async () => {
  await queue.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a message of another group is in the next batch, behind a thousand of one group', async () => {
  await queue.sendMany(1000, 'A');
  await queue.receive();
  await queue.send('B 0', 'B');

  const bodies = await queue.receiveBodies();

  expect(bodies[0]).toBe('B 0');
  expect(bodies.slice(1)).toEqual(Array.from({ length: 9 }, (_, n) => `A ${n + 10}`));
  expect(await queue.count()).toBe(981);
});

test('three groups get equal shares, each in the order of arrival', async () => {
  await queue.sendMany(100, 'A');
  await queue.sendMany(30, 'B');
  await queue.sendMany(3, 'C');

  expect(await queue.receiveBodies(9)).toEqual([
    ...['A 0', 'B 0', 'C 0'],
    ...['A 1', 'B 1', 'C 1'],
    ...['A 2', 'B 2', 'C 2'],
  ]);
  expect(await queue.receiveBodies(4)).toEqual(['A 3', 'B 3', 'A 4', 'B 4']);
});

test('the group with the fewest messages in flight is next', async () => {
  await queue.sendMany(20, 'A');
  const slow = await queue.receive(5);
  await queue.sendMany(20, 'B');

  expect(await queue.receiveBodies(5)).toEqual(['B 0', 'B 1', 'B 2', 'B 3', 'B 4']);
  expect(await queue.receiveBodies(2)).toEqual(['A 5', 'B 5']);
  await queue.remove(slow);
  expect(await queue.receiveBodies(5)).toEqual(['A 6', 'A 7', 'A 8', 'A 9', 'A 10']);
});

test('messages without a group keep the order of arrival, and other groups do not delay them', async () => {
  await queue.sendMany(12);
  expect(await queue.receiveBodies()).toEqual(Array.from({ length: 10 }, (_, n) => `none ${n}`));
  await queue.sendMany(3, 'A');

  expect(await queue.receiveBodies()).toEqual(['none 10', 'A 0', 'none 11', 'A 1', 'A 2']);
});

test('the groups are kept over a restart', async () => {
  await queue.sendMany(50, 'A');
  await queue.send('B 0', 'B');
  await queue.receive(3);
  await queue.stop();
  queue = await open();

  const received = await queue.receive(4);

  expect(received.map(({ Body, Attributes }) => [Body, Attributes?.MessageGroupId])).toEqual([
    ['A 0', 'A'],
    ['B 0', 'B'],
    ['A 1', 'A'],
    ['A 2', 'A'],
  ]);
});
