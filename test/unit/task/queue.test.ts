/** Messages on the crawl queue and the postback queue: their batches, contents and delays. */
import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withScope } from '../../../lib/runtime/scope.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { hasQueued } from '../../../lib/task/has-queued.ts';
import {
  queueAllLater,
  queueDeliveries,
  queueDelivery,
  queueLater,
  queueTasks,
} from '../../../lib/task/queue.ts';
import { countQueue, queueNames } from '../../../lib/task/queue-counts.ts';
import { keywordRow, searchRow } from './rows.ts';

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

  test('of several kinds are sent to the queues of their kinds', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});

    await queueTasks([searchRow(), keywordRow(), searchRow({ id: 44 })]);

    expect(batches().map((batch) => [batch.QueueUrl, idsOf(batch)])).toEqual([
      ['crawl-queue-url', [42, 44]],
      ['keyword-queue-url', [43]],
    ]);
  });

  test('keep the trace of their creation', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});

    await withScope({ trace: 'Root=2' }, () => queueTasks([searchRow({ trace: 'Root=1' })]));

    expect(JSON.parse(batches()[0]?.Entries?.[0]?.MessageBody ?? '')).toMatchObject({ trace: 'Root=1' });
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

test('messages that are queued again have their own delays and traces, up to ten in a request', async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  const waits = [0, 0.1, 10.2, 5000, -3];
  const message = { user_id: 1, id: 2, kind: 'keyword', more: [3] };

  await withScope({ trace: 'Root=2' }, () =>
    queueAllLater('keyword', [
      ...waits.map((delaySeconds) => ({ ...message, trace: 'Root=1', delaySeconds })),
      ...Array.from({ length: 6 }, () => ({ ...message, trace: '', delaySeconds: 1 })),
    ]),
  );

  expect(batches().map(({ QueueUrl, Entries }) => [QueueUrl, Entries?.length])).toEqual([
    ['keyword-queue-url', 10],
    ['keyword-queue-url', 1],
  ]);
  const [entries = []] = batches().map(({ Entries }) => Entries);
  expect(entries.slice(0, 5).map(({ DelaySeconds }) => DelaySeconds)).toEqual([
    undefined,
    1,
    11,
    900,
    undefined,
  ]);
  expect(entries.map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toEqual([
    ...waits.map(() => ({ ...message, trace: 'Root=1' })),
    ...Array.from({ length: 5 }, () => ({ ...message, trace: 'Root=2' })),
  ]);
});

test('a delivery attempt may be queued with a delay', async () => {
  await queueDelivery({ user_id: 1, id: 2, delivery: 'msg_1_2_1', attempt: 2 }, 30);

  expect(messages()).toMatchObject([{ DelaySeconds: 30 }]);
});

test('delivery attempts of several tasks are queued together, each with its trace and its delay', async () => {
  sqs.on(SendMessageBatchCommand).resolves({});
  const key = { user_id: 1, id: 2, delivery: 'msg_1_2_1', attempt: 1 };

  await queueDeliveries([
    { ...key, trace: 'Root=1', delaySeconds: 20 },
    { ...key, user_id: 3 },
  ]);

  expect(batches()).toEqual([
    {
      QueueUrl: 'postback-queue-url',
      Entries: [
        {
          Id: '0',
          MessageBody: JSON.stringify({ ...key, trace: 'Root=1' }),
          MessageGroupId: '1',
          DelaySeconds: 20,
        },
        { Id: '1', MessageBody: JSON.stringify({ ...key, user_id: 3 }), MessageGroupId: '3' },
      ],
    },
  ]);
});

test.each([
  ['0', false],
  ['1', true],
  [undefined, false],
])('with the count %j, a queue has messages: %s', async (count, expected) => {
  sqs
    .on(GetQueueAttributesCommand)
    .resolves({ ...(count && { Attributes: { ApproximateNumberOfMessages: count } }) });

  expect(await hasQueued('keyword')).toBe(expected);
  expect(sqs.commandCalls(GetQueueAttributesCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { QueueUrl: 'keyword-queue-url', AttributeNames: ['ApproximateNumberOfMessages'] },
  ]);
});

test.each([
  ['postback-queue-url', true],
  ['patient-queue-url', true],
  ['crawl-queue-url', false],
])('webhooks wait while a message is in %s: %j', async (QueueUrl, expected) => {
  const count = (n: string) => ({ Attributes: { ApproximateNumberOfMessages: n } });
  sqs.on(GetQueueAttributesCommand).resolves(count('0'));
  sqs.on(GetQueueAttributesCommand, { QueueUrl }).resolves(count('1'));

  expect(await hasQueued('delivery')).toBe(expected);
});

describe('the counts of a queue', () => {
  test.each([
    ['crawl', 'crawl-queue-url'],
    ['postback', 'postback-queue-url'],
    ['patient', 'patient-queue-url'],
    ['parked', 'parked-queue-url'],
  ] as const)('are those of SQS: %s', async (name, url) => {
    sqs.on(GetQueueAttributesCommand).resolves({
      Attributes: {
        ApproximateNumberOfMessages: '3',
        ApproximateNumberOfMessagesDelayed: '2',
        ApproximateNumberOfMessagesNotVisible: '1',
      },
    });

    expect(await countQueue(name)).toEqual({ waiting: 3, delayed: 2, in_progress: 1 });
    expect(sqs.commandCalls(GetQueueAttributesCommand)[0]?.args[0].input).toEqual({
      QueueUrl: url,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesDelayed',
        'ApproximateNumberOfMessagesNotVisible',
      ],
    });
  });

  test('are 0 if SQS names none', async () => {
    sqs.on(GetQueueAttributesCommand).resolves({});

    expect(await countQueue('crawl')).toEqual({ waiting: 0, delayed: 0, in_progress: 0 });
    expect(queueNames).toEqual(['crawl', 'keyword', 'postback', 'patient', 'parked']);
  });
});
