/**
 * The consumer of a batch: `run` gets all valid messages at once, and only failed ones are delivered again.
 */
import type { SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { batchConsumer, type Received } from '../../../lib/api/batch-consumer.ts';
import type { LaterMessage } from '../../../lib/api/read-message.ts';
import { TaskKey } from '../../../lib/model/workflow.ts';
import { context } from '../../api-call.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});

const eventOf = (...bodies: string[]): SQSEvent => ({
  Records: bodies.map((body, n) => ({
    messageId: `m${n}`,
    receiptHandle: 'handle',
    body,
    attributes: {
      ApproximateReceiveCount: '3',
      SentTimestamp: '0',
      SenderId: 'sender',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn',
    awsRegion: 'here',
  })),
});

type Batch = readonly Received<v.InferOutput<typeof TaskKey>>[];
const failuresOf = async (
  run: (batch: Batch) => Promise<readonly { messageId: string }[]>,
  ...bodies: string[]
) => {
  const postpone = vi.fn();
  const { batchItemFailures } = await batchConsumer(TaskKey, run, postpone)(eventOf(...bodies), context);
  expect(postpone).not.toHaveBeenCalled();
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort();
};

const valid = (id: number) => JSON.stringify({ user_id: 1, id });

test('passes all valid messages to one run, with their receives', async () => {
  const seen: Batch[] = [];

  const failures = await failuresOf(
    async (batch) => {
      seen.push(batch);
      return [];
    },
    valid(1),
    valid(2),
  );

  expect(failures).toEqual([]);
  expect(seen).toEqual([
    [
      { message: { user_id: 1, id: 1 }, receives: 3, messageId: 'm0' },
      { message: { user_id: 1, id: 2 }, receives: 3, messageId: 'm1' },
    ],
  ]);
});

test('an invalid body fails alone', async () => {
  expect(await failuresOf(async () => [], valid(1), 'no json', '{"id":1}')).toEqual(['m1', 'm2']);
});

test('the messages that the run returns fail', async () => {
  expect(await failuresOf(async (batch) => batch.slice(1), valid(1), valid(2))).toEqual(['m1']);
});

test('a run that throws fails all its messages', async () => {
  const broken = async () => {
    throw new Error('broken');
  };

  expect(await failuresOf(broken, valid(1), valid(2))).toEqual(['m0', 'm1']);
});

describe('a message with a kind that only a later release knows', () => {
  const later = { user_id: 1, id: 2, kind: 'new', added: [1] };
  const handle = async (postpone: (later: LaterMessage) => Promise<unknown>, body: object) => {
    const run = vi.fn(async () => []);
    const Message = v.object({ ...TaskKey.entries, kind: v.picklist(['known']) });
    const handler = batchConsumer(Message, run, postpone);
    const { batchItemFailures } = await handler(eventOf(JSON.stringify(body)), context);
    expect(run).not.toHaveBeenCalled();
    return batchItemFailures;
  };

  test('is postponed with all of its fields, and costs no receive', async () => {
    const postpone = vi.fn(async () => {});

    expect(await handle(postpone, later)).toEqual([]);
    expect(postpone).toHaveBeenCalledExactlyOnceWith(later);
  });

  test('comes again if it cannot be postponed', async () => {
    expect(await handle(() => Promise.reject(new Error('refused')), later)).toHaveLength(1);
  });

  test.each([
    { ...later, kind: 5 },
    { ...later, kind: undefined },
    { ...later, id: '2' },
  ])('is not what is wrong with %j, which fails', async (body) => {
    const postpone = vi.fn(async () => {});

    expect(await handle(postpone, body)).toHaveLength(1);
    expect(postpone).not.toHaveBeenCalled();
  });
});
