/** Alarms. Each says in its description which section of `infra/RUNBOOK.md` to open. */
import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';

/** Rings as soon as one message lies in a queue that should be empty. */
export const alarmOnMessages = (queue: Queue, section: string): void => {
  queue
    .metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' })
    .createAlarm(queue, 'Alarm', {
      alarmDescription: `infra/RUNBOOK.md#${section}`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 1,
      // An idle queue reports nothing.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
};
