/** Checks of the account of a deployed stack: who gets the mails of alarms, and how many functions run. */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { compareConcurrency, readQuota } from '../../concurrency.ts';
import { type Check, Warning } from './patient.ts';

/** Whether somebody gets the mails of the alarms. On a stage with the sandbox, it is a warning if not. */
export const checkSubscribers =
  (topicArn: string, isLive: boolean): Check =>
  async () => {
    const { Attributes = {} } = await new SNSClient({}).send(
      new GetTopicAttributesCommand({ TopicArn: topicArn }),
    );
    const [confirmed, pending] = [
      Number(Attributes.SubscriptionsConfirmed ?? 0),
      Number(Attributes.SubscriptionsPending ?? 0),
    ];
    if (confirmed > 0) return `${confirmed} subscribed to the mails of alarms`;
    const what =
      pending > 0
        ? `${pending} have not confirmed yet: open the link in the mail of AWS`
        : 'deploy with --context ALARM_EMAIL=you@example.com, and open the link in the mail of AWS';
    const sentence = `nobody gets the mails of alarms: ${what}`;
    throw isLive ? new Error(sentence) : new Warning(sentence);
  };

/** Whether the account may run as many functions as the stage was deployed for. */
export const checkConcurrency =
  (concurrency: number): Check =>
  async () => {
    const { result, sentence } = compareConcurrency(concurrency, await readQuota(new LambdaClient({})));
    if (result === 'fault') throw new Error(sentence);
    if (result === 'warn') throw new Warning(sentence);
    return sentence;
  };
