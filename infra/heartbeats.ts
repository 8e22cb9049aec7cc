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
 * The functions that run every minute and on which other work depends, each with a metric that every run
 * writes at its end. An idle stage runs them too.
 */
const heartbeats: Record<string, MetricName> = {
  SweepTasksFunction: 'OldestTaskSeconds',
  PlanSearchesFunction: 'SearchesPlanned',
  RecordResultsFunction: 'ResultsRecorded',
};

const silence = Duration.minutes(10);

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
  for (const [id, name] of Object.entries(heartbeats)) {
    const watched = functions.find(({ node }) => node.id === id);
    if (!watched) throw new Error(`The service has no ${id}`);
    makeAlarm(ops, `${id}Silent`, {
      section: 'schedule-silent',
      page: functionPage(watched),
      metric: serviceMetric(service, name, { period: silence, statistic: Stats.SAMPLE_COUNT }),
      threshold: 1,
      rings: 'below the threshold',
      missingData: 'rings',
    });
  }
};
