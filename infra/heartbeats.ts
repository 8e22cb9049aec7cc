/**
 * The alarms on work that stops without an error: nothing is received from a queue, no webhook leaves, or a
 * scheduled function no longer runs.
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../lib/runtime/metrics.ts';
import { makeAlarm } from './alarm.ts';
import { dashboardPage, functionPage, queuePage } from './alarm-links.ts';
import { dashboardName } from './dashboard.ts';
import { fiveMinutes, serviceMetric } from './metrics.ts';
import type { Parts } from './parts.ts';

/**
 * Twice the longest delay: a message that waits for its engine is delayed by up to 15 minutes before it can
 * be received.
 */
const queueSeconds = 30 * 60;

/** Four times as long as the five attempts at a webhook take together. */
const webhookSeconds = 60 * 60;

/**
 * The scheduled functions, how long each of them may be silent, and the metric that every run writes at its
 * end. An idle stage runs them too. Null: the calls of the function count, whose failures are dead letters.
 */
const heartbeats: Record<string, { minutes: number; metric: MetricName | null }> = {
  SweepTasksFunction: { minutes: 10, metric: 'OldestTaskSeconds' },
  PlanSearchesFunction: { minutes: 10, metric: 'SearchesPlanned' },
  RecordResultsFunction: { minutes: 10, metric: 'ResultsRecorded' },
  FinishProjectsFunction: { minutes: 10, metric: null },
  SendAlertsFunction: { minutes: 20, metric: null },
  LookUpVolumesFunction: { minutes: 20, metric: null },
};

export const makeHeartbeats = (ops: Stack, { service, functions, consumed }: Parts): void => {
  for (const queue of consumed) {
    makeAlarm(ops, `${queue.node.id}Age`, {
      section: 'queue-age',
      page: queuePage(queue),
      metric: queue.metricApproximateAgeOfOldestMessage({ period: fiveMinutes, statistic: Stats.MAXIMUM }),
      threshold: queueSeconds,
      rings: 'from the threshold up',
    });
  }
  makeAlarm(ops, 'WebhooksUnfinished', {
    section: 'webhooks-unfinished',
    page: dashboardPage(dashboardName(ops, service)),
    metric: serviceMetric(service, 'OldestWebhookSeconds', { period: fiveMinutes, statistic: Stats.MAXIMUM }),
    threshold: webhookSeconds,
    rings: 'from the threshold up',
  });
  for (const [id, { minutes, metric }] of Object.entries(heartbeats)) {
    const silence = { period: Duration.minutes(minutes), statistic: Stats.SAMPLE_COUNT };
    const watched = functions.find(({ node }) => node.id === id);
    if (!watched) throw new Error(`The service has no ${id}`);
    makeAlarm(ops, `${id}Silent`, {
      section: 'schedule-silent',
      page: functionPage(watched),
      metric: metric ? serviceMetric(service, metric, silence) : watched.metricInvocations(silence),
      threshold: 1,
      rings: 'below the threshold',
      missingData: 'rings',
    });
  }
};
