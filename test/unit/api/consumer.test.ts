/** Records of a batch stand or fall each by itself. */
import type { SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { consumer } from '../../../lib/api/consumer.ts';
import { step } from '../../../lib/api/step.ts';
import { context } from '../../api-call.ts';

const record = (messageId: string, body: string): SQSRecord => ({
  messageId,
  receiptHandle: 'handle',
  body,
  attributes: {
    ApproximateReceiveCount: '3',
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: '',
  awsRegion: '',
});

test('only what failed comes again: thrown on, no JSON, no message', async () => {
  const handled: [number, string][] = [];
  const handler = consumer(v.object({ id: v.number() }), async ({ id }, { attributes }) => {
    if (id === 2) throw new Error('broken machinery');
    handled.push([id, attributes.ApproximateReceiveCount]);
  });

  const answer = await handler(
    {
      Records: [
        record('good', '{"id":1}'),
        record('thrown', '{"id":2}'),
        record('no JSON', '{'),
        record('no message', '{"id":"1"}'),
      ],
    },
    context,
  );

  expect(answer).toEqual({
    batchItemFailures: ['thrown', 'no JSON', 'no message'].map((itemIdentifier) => ({ itemIdentifier })),
  });
  expect(handled).toEqual([[1, '3']]);
});

test('records run side by side', async () => {
  const { promise: both, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const handler = consumer(v.object({}), async () => {
    running += 1;
    if (running === 2) resolve();
    await both;
  });

  expect(await handler({ Records: [record('a', '{}'), record('b', '{}')] }, context)).toEqual({
    batchItemFailures: [],
  });
});

test('a state gets its parsed input, and a failure goes on to the machine', async () => {
  const double = step(v.object({ n: v.number() }), ({ n }) => ({ n: 2 * n }));

  expect(await double({ n: 2, more: true }, context)).toEqual({ n: 4 });
  await expect(double({ n: '2' }, context)).rejects.toThrow();
});
