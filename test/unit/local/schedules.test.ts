/** The embedded EventBridge: which functions its rules call, and what becomes of events that fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Functions } from '../../../infra/local/lambda/functions.ts';
import { startSchedules } from '../../../infra/local/lambda/schedules.ts';
import { readTemplate } from '../../../infra/local/template.ts';

const queue = mockClient(SQSClient);
let stop: () => void = () => undefined;
beforeEach(() => void queue.reset());
afterEach(() => stop());

/** The shortest period is a tenth of a second. */
const clockRate = 1e9;
const periodMs = 100;

const start = (
  invoke: Functions['invoke'],
  rule: Record<string, unknown> = {},
  config: Record<string, unknown> = {},
  more: { clockRate?: number; continues?: boolean } = {},
) => {
  const template = readTemplate(
    {
      Resources: {
        Missed: { Type: 'AWS::SQS::Queue' },
        Tick: {
          Type: 'AWS::Lambda::Function',
          Properties: { DeadLetterConfig: { TargetArn: { 'Fn::GetAtt': ['Missed', 'Arn'] } } },
        },
        TickConfig: {
          Type: 'AWS::Lambda::EventInvokeConfig',
          Properties: { FunctionName: { Ref: 'Tick' }, Qualifier: '$LATEST', ...config },
        },
        EveryMinute: {
          Type: 'AWS::Events::Rule',
          Properties: {
            ScheduleExpression: 'rate(1 minute)',
            Targets: [{ Arn: { 'Fn::GetAtt': ['Tick', 'Arn'] }, Input: '{"shards":[1]}' }],
            ...rule,
          },
        },
      },
    },
    'http://127.0.0.1:1',
  );
  const functions = { invoke } as Functions;
  const options = { clockRate, sqsEndpoint: 'http://sqs', continues: false, ...more };
  stop = startSchedules(template, functions, options);
};

test('a run that has not ended is not begun again', async () => {
  const invoke = vi.fn(() => new Promise(() => undefined));
  start(invoke);
  await vi.waitFor(() => expect(invoke).toHaveBeenCalled());
  await sleep(periodMs * 3);

  expect(invoke.mock.calls).toEqual([[expect.stringMatching(/:function:Tick$/), { shards: [1] }]]);
});

test('a rule that is disabled calls nothing', async () => {
  const invoke = vi.fn(async () => null);
  start(invoke, { State: 'DISABLED' });
  await sleep(periodMs * 3);

  expect(invoke).not.toHaveBeenCalled();
});

test.each([
  ['is not retried if the template says so', 1, { MaximumRetryAttempts: 0 }],
  ['is retried once if the template says so', 2, { MaximumRetryAttempts: 1 }],
  ['is retried twice, as Lambda does without a number', 3, {}],
])('a call that fails %s, and then its event goes to the dead-letter queue', async (_, failures, config) => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // A further call would not end, and its event would go nowhere.
  const invoke = vi.fn(async (): Promise<unknown> => {
    if (invoke.mock.calls.length <= failures) throw new Error('it broke');
    return new Promise(() => undefined);
  });
  let callsBefore = 0;
  queue.on(SendMessageCommand).callsFake(() => {
    callsBefore ||= invoke.mock.calls.length;
  });
  // It runs after a second and after ten, and a retry follows within 14 ms.
  start(invoke, { ScheduleExpression: 'rate(1 day)' }, config, { clockRate: 8640, continues: true });
  await vi.waitFor(() => expect(callsBefore).toBe(failures), { timeout: 30_000 });

  expect(queue.commandCalls(SendMessageCommand)[0]?.args[0].input).toEqual({
    QueueUrl: 'http://sqs/000000000000/Missed',
    MessageBody: '{"shards":[1]}',
  });
  complain.mockRestore();
});
