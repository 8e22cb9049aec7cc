/** The checks of `npm run doctor` of the account around a deployed stack. */

import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { checkConcurrency, checkSubscribers } from '../../infra/commands/doctor/account-checks.ts';
import { Warning } from '../../infra/commands/doctor/patient.ts';

const sns = mockClient(SNSClient);
beforeEach(() => sns.reset());
const lambda = mockClient(LambdaClient);
afterAll(() => {
  sns.restore();
  lambda.restore();
});

const topic = 'arn:aws:sns:eu-west-1:123456789012:alarms';

const check = (Attributes: Record<string, string>, isLive = true): Promise<string> => {
  sns.on(GetTopicAttributesCommand, { TopicArn: topic }).resolves({ Attributes });
  return checkSubscribers(topic, isLive)();
};

test('somebody who confirmed is enough', async () => {
  expect(await check({ SubscriptionsConfirmed: '1', SubscriptionsPending: '2' })).toBe(
    '1 subscribed to the mails of alarms',
  );
});

test.each([
  [{}, 'deploy with --context ALARM_EMAIL='],
  [{ SubscriptionsConfirmed: '0', SubscriptionsPending: '1' }, '1 have not confirmed yet: open the link'],
])(
  'with %j nobody gets the mails: a fault of a live stage, a warning of the sandbox',
  async (given, note) => {
    await expect(check(given)).rejects.toThrow(note);
    await expect(check(given)).rejects.not.toBeInstanceOf(Warning);
    await expect(check(given, false)).rejects.toBeInstanceOf(Warning);
  },
);

test.each([
  [1000, 1000, 'ok', 'CONCURRENCY is 1000 of the 1000'],
  [600, 1000, 'ok', 'CONCURRENCY is 600 of the 1000'],
  [10, 1000, 'warn', 'deploy with a larger part'],
  [1000, 10, 'FAIL', 'raise its quota L-B99A9384, or deploy with CONCURRENCY=10'],
])('CONCURRENCY %i in an account with %i functions: %s', async (concurrency, quota, result, note) => {
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: quota } });
  const found = await checkConcurrency(concurrency)().then(
    (sentence) => ['ok', sentence],
    (error: Error) => [error instanceof Warning ? 'warn' : 'FAIL', error.message],
  );

  expect(found).toEqual([result, expect.stringContaining(note)]);
});
