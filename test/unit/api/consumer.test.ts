/** Each record of a batch succeeds or fails by itself. */
import type { SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { expect, onTestFinished, test, vi } from 'vitest';
import { consumer } from '../../../lib/api/consumer.ts';
import { step } from '../../../lib/api/step.ts';
import { CrawlMessage, TaskKey } from '../../../lib/model/workflow.ts';
import { scope } from '../../../lib/runtime/scope.ts';
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

test('reports only the failed records: an error, no JSON, no message', async () => {
  const handled: [number, string][] = [];
  const handler = consumer(TaskKey, async ({ id }, { attributes }) => {
    if (id === 2) throw new Error('broken machinery');
    handled.push([id, attributes.ApproximateReceiveCount]);
  });

  const answer = await handler(
    {
      Records: [
        record('good', '{"user_id":1,"id":1}'),
        record('thrown', '{"user_id":1,"id":2}'),
        record('no JSON', '{'),
        record('no message', '{"user_id":1,"id":"1"}'),
      ],
    },
    context,
  );

  expect(answer).toEqual({
    batchItemFailures: ['thrown', 'no JSON', 'no message'].map((itemIdentifier) => ({ itemIdentifier })),
  });
  expect(handled).toEqual([[1, '3']]);
});

test('postpones a message with a word that only a later release knows', async () => {
  const run = vi.fn();
  const postponed: unknown[] = [];
  const handler = consumer(CrawlMessage, run, async (later) => postponed.push(later));
  const later = { user_id: 1, id: 2, engine: 'newest', added: true };

  expect(await handler({ Records: [record('later', JSON.stringify(later))] }, context)).toEqual({
    batchItemFailures: [],
  });
  expect(postponed).toEqual([later]);
  expect(run).not.toHaveBeenCalled();
});

test('a message is handled in the trace of its own request', async () => {
  const traces: unknown[] = [];
  const handler = consumer(
    v.object({ ...TaskKey.entries, trace: v.optional(v.string()) }),
    async ({ id }) => {
      traces.push([id, scope().user_id, scope().trace]);
    },
  );

  await handler(
    {
      Records: [
        record('one', '{"user_id":7,"id":1,"trace":"Root=1-a"}'),
        record('other', '{"user_id":8,"id":2,"trace":"Root=1-b"}'),
      ],
    },
    context,
  );

  expect(traces).toEqual([
    [1, 7, 'Root=1-a'],
    [2, 8, 'Root=1-b'],
  ]);
});

test('handles the records of a batch concurrently', async () => {
  const { promise: both, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const handler = consumer(TaskKey, async () => {
    running += 1;
    if (running === 2) resolve();
    await both;
  });

  expect(
    await handler({ Records: ['a', 'b'].map((id) => record(id, '{"user_id":1,"id":1}')) }, context),
  ).toEqual({
    batchItemFailures: [],
  });
});

test('a state gets its parsed input, and its error reaches the machine', async () => {
  const double = step(
    TaskKey,
    ({ id }) => ({ id: 2 * id }),
    () => null,
  );

  expect(await double({ user_id: 1, id: 2, more: true }, context)).toEqual({ id: 4 });
  await expect(double({ user_id: 1, id: '2' }, context)).rejects.toThrow();
});

test('back-pressure in a state is its output, and is counted', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const throttled = Object.assign(new Error('too fast'), { name: 'ThrottlingException' });
  const state = step(
    TaskKey,
    () => Promise.reject(throttled),
    ({ id }) => ({ id, outcome: 'refused' }),
  );

  expect(await state({ user_id: 1, id: 2 }, context)).toEqual({ id: 2, outcome: 'refused' });
  expect(written.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { level: 'WARN', message: 'AWS refused', error: 'ThrottlingException', task_id: 2, AwsRefusals: 1 },
  ]);
});
