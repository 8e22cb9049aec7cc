/**
 * The consumer of a batch: `run` gets all valid messages at once, and only failed ones are delivered again.
 */
import type { SQSEvent } from 'aws-lambda';
import type * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { batchConsumer, type Received } from '../../../lib/api/batch-consumer.ts';
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
  const { batchItemFailures } = await batchConsumer(TaskKey, run)(eventOf(...bodies), context);
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
