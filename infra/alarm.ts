/**
 * Alarms, and the topic that notifies people of them. The description of each alarm names its section of
 * `infra/RUNBOOK.md` and links to the console page of the resource that it watches.
 */
import { CfnOutput, Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queuePage, runbookAddress } from './alarm-links.ts';
import { boundPrincipal } from './bound-principal.ts';
import { contextSetting } from './context.ts';

type Rule = Pick<AlarmProps, 'threshold'> & {
  /** The heading of the alarm's section in `infra/RUNBOOK.md`. */
  section: string;
  /** Address of the console page on which to look first. */
  page: string;
  metric: IMetric;
  rings: 'from the threshold up' | 'below the threshold';
  /** Missing data usually means that nothing happened. A heartbeat is missing when something stopped. */
  missingData?: 'is good' | 'rings';
};

/** The description of an alarm: one address per line, so that mail programs turn each of them into a link. */
export const descriptionOf = (section: string, page: string): string =>
  `Runbook: ${runbookAddress(section)}\nConsole: ${page}`;

/**
 * Makes an alarm that a single bad period triggers. A stack without traffic reports no data, which triggers
 * only the alarms that watch heartbeats. It sends no mail itself (`composites.ts`).
 */
export const makeAlarm = (
  scope: Construct,
  id: string,
  { section, page, metric, threshold, rings, missingData = 'is good' }: Rule,
): Alarm =>
  new Alarm(scope, id, {
    metric,
    threshold,
    evaluationPeriods: 1,
    comparisonOperator:
      rings === 'below the threshold'
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: missingData === 'rings' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    alarmDescription: descriptionOf(section, page),
  });

/** Makes an alarm that one message in a queue triggers. The queue should be empty. */
export const alarmOnMessages = (queue: Queue, section: string): void => {
  makeAlarm(queue, 'Alarm', {
    section,
    page: queuePage(queue),
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    threshold: 1,
    rings: 'from the threshold up',
  });
};

/**
 * Allows CloudWatch, on behalf of this account only, to perform actions on resources whose policies would not
 * allow it.
 */
const toCloudWatch = (stack: Stack, actions: string[], resources: string[]) =>
  new PolicyStatement({
    principals: [boundPrincipal(stack, 'cloudwatch.amazonaws.com')],
    actions,
    resources,
  });

/**
 * Makes the topic of all alarms. SNS asks the address in `--context ALARM_EMAIL=…` by mail to confirm its
 * subscription.
 */
export const makeAlarmTopic = (stack: Stack): Topic => {
  // The AWS managed key for SNS does not allow alarms to publish to the topic.
  const key = new Key(stack, 'AlarmKey', {
    description: `What ${stack.stackName} says of its alarms`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(toCloudWatch(stack, ['kms:Decrypt', 'kms:GenerateDataKey'], ['*']));
  const topic = new Topic(stack, 'AlarmTopic', { masterKey: key, enforceSSL: true });
  topic.addToResourcePolicy(toCloudWatch(stack, ['sns:Publish'], [topic.topicArn]));
  const email = contextSetting(stack, 'ALARM_EMAIL');
  if (email) {
    Validations.of(topic.addSubscription(new EmailSubscription(email))).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason:
        'A lost mail does no harm: the alarm itself is visible in CloudWatch, and a dead-letter queue for ' +
        'mails would need an alarm that is sent by mail.',
    });
  }
  new CfnOutput(stack, 'AlarmTopicArn', { value: topic.topicArn });
  return topic;
};
