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

/** The shortest period is a tenth of a second, and a retry follows at once. */
const clockRate = 1e9;
const periodMs = 100;

const start = (invoke: Functions['invoke'], rule: Record<string, unknown> = {}) => {
  const template = readTemplate(
    {
      Resources: {
        Missed: { Type: 'AWS::SQS::Queue' },
        Tick: {
          Type: 'AWS::Lambda::Function',
          Properties: { DeadLetterConfig: { TargetArn: { 'Fn::GetAtt': ['Missed', 'Arn'] } } },
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
  stop = startSchedules(template, functions, { clockRate, sqsEndpoint: 'http://sqs', continues: false });
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

test('an event that fails three times goes to the dead-letter queue of its function', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const invoke = vi.fn(async () => {
    throw new Error('it broke');
  });
  start(invoke);
  await vi.waitFor(() => expect(queue.calls()).not.toHaveLength(0), { timeout: 30_000 });
  stop();

  expect(queue.commandCalls(SendMessageCommand)[0]?.args[0].input).toEqual({
    QueueUrl: 'http://sqs/000000000000/Missed',
    MessageBody: '{"shards":[1]}',
  });
  expect(invoke.mock.calls.length).toBeGreaterThanOrEqual(3);
  complain.mockRestore();
});
