/** Messages on the crawl queue and the postback queue: their batches, contents and delays. */
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withScope } from '../../../lib/runtime/scope.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { queueDelivery, queueLater, queueTasks } from '../../../lib/task/queue.ts';

const sqs = mockClient(SQSClient);
beforeEach(() => {
  sqs.reset();
});
afterEach(() => {
  vi.useRealTimers();
});

const tasksOf = (count: number): SerpRow[] =>
  Array.from(
    { length: count },
    (_, n) => ({ kind: 'serp', engine: 'google', user_id: 1, id: n, pages: [{}, {}] }) as unknown as SerpRow,
  );

const batches = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
const idsOf = (batch: ReturnType<typeof batches>[number]) =>
  (batch.Entries ?? []).map(({ MessageBody = '' }) => JSON.parse(MessageBody).id);
const messages = () =>
  sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => ({
    ...input,
    MessageBody: JSON.parse(input.MessageBody ?? ''),
  }));

describe('tasks', () => {
  test('are queued with their number of pages and the current trace', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});

    await withScope({ trace: 'Root=1' }, () => queueTasks(tasksOf(1)));

    expect(batches()).toEqual([
      {
        QueueUrl: process.env.CRAWL_QUEUE_URL,
        Entries: [
          {
            Id: '0',
            MessageBody: JSON.stringify({ user_id: 1, id: 0, engine: 'google', pages: 2, trace: 'Root=1' }),
            MessageGroupId: '1',
          },
        ],
      },
    ]);
  });

  test('are queued once each, ten per request', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});

    await queueTasks(tasksOf(25));

    expect(batches().map(idsOf)).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
      [20, 21, 22, 23, 24],
    ]);
  });

  test('are queued with at most four requests at a time', async () => {
    const waiting: (() => void)[] = [];
    sqs
      .on(SendMessageBatchCommand)
      .callsFake(() => new Promise((resolve) => waiting.push(() => resolve({}))));

    const queued = queueTasks(tasksOf(60));
    await vi.waitFor(() => expect(waiting).toHaveLength(4), 20_000);
    expect(batches()).toHaveLength(4);
    waiting.shift()?.();
    await vi.waitFor(() => expect(batches()).toHaveLength(5), 20_000);
    while (batches().length < 6 || waiting.length > 0) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    await queued;

    expect(batches()).toHaveLength(6);
  });

  test('have their user as the message group, so that each user gets a fair share', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});

    await queueTasks(tasksOf(3).map((row, n) => ({ ...row, user_id: n + 1 })));

    expect(batches()[0]?.Entries?.map(({ MessageGroupId }) => MessageGroupId)).toEqual(['1', '2', '3']);
  });

  test('that the queue refuses are sent again, without the others', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .resolvesOnce({
        Successful: [],
        Failed: [{ Id: '1', SenderFault: false, Code: 'InternalError' }],
      })
      .resolves({});

    await queueTasks(tasksOf(3));

    expect(batches().map(idsOf)).toEqual([[0, 1, 2], [1]]);
  });

  test('cause an error after five requests, each after a longer wait', async () => {
    vi.useFakeTimers();
    const started = Date.now();
    const times: number[] = [];
    sqs.on(SendMessageBatchCommand).callsFake(() => {
      times.push(Date.now() - started);
      return { Failed: [{ Id: '0' }] };
    });

    const queued = expect(queueTasks(tasksOf(1))).rejects.toThrow(
      'The queue has not accepted all messages after 5 requests',
    );
    await vi.runAllTimersAsync();
    await queued;

    expect(times).toEqual([0, 100, 300, 700, 1500]);
  });
});

test.each([
  [-5, 0],
  [0.9, 0],
  [10.7, 10],
  [900, 900],
  [5000, 900],
])('a message to be received in %d s has a delay of %i s', async (seconds, delay) => {
  const message = { user_id: 1, id: 2, pages: 1, throttled: 3, trace: 'Root=1' };

  await queueLater('serp', message, seconds);

  expect(messages()).toEqual([
    { QueueUrl: process.env.CRAWL_QUEUE_URL, MessageBody: message, MessageGroupId: '1', DelaySeconds: delay },
  ]);
});

test('a delivery attempt is queued with the current trace', async () => {
  const key = { user_id: 1, id: 2, delivery: 'msg_1_2_1', attempt: 1 };

  await withScope({ trace: 'Root=1' }, () => queueDelivery(key));

  expect(messages()).toEqual([
    {
      QueueUrl: process.env.POSTBACK_QUEUE_URL,
      MessageBody: { ...key, trace: 'Root=1' },
      MessageGroupId: '1',
    },
  ]);
});
