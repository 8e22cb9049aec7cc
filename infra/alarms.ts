/**
 * The alarms of the stack `Ops`, on the service's own metrics and on those of AWS. The alarms on dead-letter
 * queues are in the service stack, next to their queues (`queues.ts`).
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { engines, fetchRoutes } from '../lib/runtime/metrics.ts';
import { makeAlarm } from './alarm.ts';
import { dashboardPage, functionPage, lambdaQuotaPage, machinePage } from './alarm-links.ts';
import { dashboardName } from './dashboard.ts';
import { fiveMinutes, serviceMetric, shareOfOnes } from './metrics.ts';
import type { Parts } from './parts.ts';

/** A rate of fewer requests in five minutes means nothing. */
const minimumRequests = 20;

const thresholds = {
  /**
   * The share of requests answered with 5xx. Up to one in twenty may be one client that retries; more is a
   * fault of the service.
   */
  apiErrors: 0.05,
  /** The share of requests that take three seconds or more, and wait for no task and no source. */
  apiSlow: 0.05,
  /** Clients notice when half of their searches have no result. */
  successRate: 0.5,
  /**
   * Some plain HTTP fetches are always blocked. If most are, nearly every search needs the more expensive
   * browser.
   */
  blocked: { http: 0.8, browser: 0.5 },
  /**
   * A rest lasts up to 15 minutes, so a fetcher that stays broken is rested four times an hour. One or two
   * rests need no action.
   */
  fetcherRests: 3,
  /**
   * On saved pages of seven years, one page in five had such a block. A change of the markup adds one to
   * nearly every page.
   */
  unclaimed: 0.6,
  /**
   * Chromium is started up to four times for a page, and a lost one is replaced. A page that is lost all the
   * same is no accident.
   */
  browserFailures: 1,
  /**
   * A single failure is repeated. The source takes one call a second, so a lasting fault fails hundreds in
   * five minutes.
   */
  sourceFailures: 10,
  /** The provider refuses every search of an account with wrong credentials or without money. */
  upstreamRefusals: 1,
  /**
   * The share of searches that the provider delivers. A single search that it refuses may be a strange one.
   */
  upstreamRate: 0.5,
  /** Four times as long as the sweeper waits before it re-queues an unclaimed task. */
  taskSeconds: 60 * 60,
  /**
   * The planner and the recorder run every minute. An hour is far more than the longest catching up takes.
   */
  searchSeconds: 60 * 60,
  /**
   * A few refusals are normal while a table adapts to more load. Refused work is postponed, so nothing is
   * lost before somebody looks.
   */
  awsRefusals: 20,
  /** A failed run is repeated, up to four times. A single failure needs no action. */
  failedRuns: 3,
  /** As `failedRuns`. A run that exceeds its time is no failed run for CloudWatch. */
  timedOutRuns: 3,
  functionErrors: 5,
  throttles: 20,
  /**
   * The share of accepted webhook attempts. An outage of one receiver fails a few of them; a fault of the
   * service fails most.
   */
  deliveryRate: 0.5,
} as const;

const up = 'from the threshold up';
const below = 'below the threshold';

export const makeOpsAlarms = (ops: Stack, { service, api, functions, machines }: Parts): void => {
  const dashboard = dashboardPage(dashboardName(ops, service));
  const every = { period: fiveMinutes, statistic: Stats.SUM };
  const requests = api.deploymentStage.metricCount({ ...every, statistic: Stats.SAMPLE_COUNT });
  makeAlarm(ops, 'ApiErrors', {
    section: 'api-errors',
    page: dashboard,
    metric: new MathExpression({
      expression: `IF(requests >= ${minimumRequests}, errors / requests, 0)`,
      usingMetrics: { requests, errors: api.deploymentStage.metricServerError(every) },
      period: fiveMinutes,
      label: 'Share of requests answered with 5xx',
    }),
    threshold: thresholds.apiErrors,
    rings: up,
  });
  makeAlarm(ops, 'ApiSlow', {
    section: 'api-slow',
    page: dashboard,
    // The gateway's own latency contains the time that live calls and requests with `wait` wait for their
    // task.
    metric: new MathExpression({
      expression: `IF(requests >= ${minimumRequests}, slow / requests, 0)`,
      usingMetrics: { requests, slow: serviceMetric(service, 'SlowRequests', every) },
      period: fiveMinutes,
      label: 'Share of slow requests',
    }),
    threshold: thresholds.apiSlow,
    rings: up,
  });

  for (const engine of engines) {
    const name = engine[0]?.toUpperCase() + engine.slice(1);
    makeAlarm(ops, `${name}SuccessRate`, {
      section: 'success-rate',
      page: dashboard,
      metric: shareOfOnes(service, 'TaskSucceeded', 1, { engine }),
      threshold: thresholds.successRate,
      rings: below,
    });
    makeAlarm(ops, `${name}Unclaimed`, {
      section: 'unclaimed-blocks',
      page: dashboard,
      metric: shareOfOnes(service, 'ResultUnclaimed', 0, { engine }),
      threshold: thresholds.unclaimed,
      rings: up,
    });
    for (const route of fetchRoutes) {
      makeAlarm(ops, `${name}Blocked${route === 'http' ? 'Http' : 'Browser'}`, {
        section: `blocked-${route}`,
        page: dashboard,
        metric: shareOfOnes(service, 'PageBlocked', 0, { engine, route }),
        threshold: thresholds.blocked[route],
        rings: up,
      });
      makeAlarm(ops, `${name}Rested${route === 'http' ? 'Http' : 'Browser'}`, {
        section: 'fetcher-rested',
        page: dashboard,
        metric: serviceMetric(service, 'FetcherRests', {
          statistic: Stats.SUM,
          period: Duration.hours(1),
          dimensions: { engine, route },
        }),
        threshold: thresholds.fetcherRests,
        rings: up,
      });
    }
  }

  // One account serves all engines, so the alarms on the provider are not of one engine.
  makeAlarm(ops, 'UpstreamRefused', {
    section: 'upstream-refused',
    page: dashboard,
    metric: serviceMetric(service, 'UpstreamRefused', every),
    threshold: thresholds.upstreamRefusals,
    rings: up,
  });
  makeAlarm(ops, 'UpstreamFailures', {
    section: 'upstream-failures',
    page: dashboard,
    metric: shareOfOnes(service, 'UpstreamDelivered', 1),
    threshold: thresholds.upstreamRate,
    rings: below,
  });
  makeAlarm(ops, 'BrowserFailed', {
    section: 'browser-failed',
    page: dashboard,
    metric: serviceMetric(service, 'BrowserFailed', every),
    threshold: thresholds.browserFailures,
    rings: up,
  });
  makeAlarm(ops, 'SourceFailing', {
    section: 'source-failing',
    page: dashboard,
    metric: serviceMetric(service, 'SourceFailed', every),
    threshold: thresholds.sourceFailures,
    rings: up,
  });
  makeAlarm(ops, 'TasksUnfinished', {
    section: 'tasks-unfinished',
    page: dashboard,
    metric: serviceMetric(service, 'OldestTaskSeconds', { period: fiveMinutes, statistic: Stats.MAXIMUM }),
    threshold: thresholds.taskSeconds,
    rings: up,
  });

  makeAlarm(ops, 'SearchesOverdue', {
    section: 'searches-overdue',
    page: dashboard,
    metric: serviceMetric(service, 'OverdueSearchSeconds', {
      period: fiveMinutes,
      statistic: Stats.MAXIMUM,
    }),
    threshold: thresholds.searchSeconds,
    rings: up,
  });

  makeAlarm(ops, 'AwsRefusals', {
    section: 'aws-refusals',
    page: dashboard,
    metric: serviceMetric(service, 'AwsRefusals', every),
    threshold: thresholds.awsRefusals,
    rings: up,
  });

  for (const machine of machines) {
    makeAlarm(ops, `${machine.node.id}Failed`, {
      section: 'machine-failures',
      page: machinePage(machine),
      metric: machine.metricFailed(every),
      threshold: thresholds.failedRuns,
      rings: up,
    });
    makeAlarm(ops, `${machine.node.id}TimedOut`, {
      section: 'machine-timeouts',
      page: machinePage(machine),
      metric: machine.metricTimedOut(every),
      threshold: thresholds.timedOutRuns,
      rings: up,
    });
  }
  // A run whose function really fails is a failed run of its machine.
  for (const each of functions.filter(({ failsAsOutcome }) => !failsAsOutcome)) {
    makeAlarm(ops, `${each.node.id}Errors`, {
      section: 'function-errors',
      page: functionPage(each),
      metric: each.metricErrors(every),
      threshold: thresholds.functionErrors,
      rings: up,
    });
  }
  makeAlarm(ops, 'Throttles', {
    section: 'function-throttles',
    page: lambdaQuotaPage(),
    // Without dimensions, the metric covers all functions of the account. They share one quota.
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...every }),
    threshold: thresholds.throttles,
    rings: up,
  });

  makeAlarm(ops, 'WebhookFailures', {
    section: 'webhook-failures',
    page: dashboard,
    metric: shareOfOnes(service, 'DeliverySucceeded', 1),
    threshold: thresholds.deliveryRate,
    rings: below,
  });
};
