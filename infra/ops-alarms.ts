/**
 * The alarms of the stack `Ops`, on what the service says of itself and what AWS says of its parts. Those on dead letters stand
 * beside their queues, in the stack of the service.
 */
import type { Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { engines, routes } from '../lib/runtime/metrics.ts';
import { dashboardPage, functionPage, lambdaQuotaPage, machinePage, queuePage } from './alarm-links.ts';
import { makeAlarm } from './alarms.ts';
import { dashboardName } from './dashboard.ts';
import { fiveMinutes, own, rate, whereBusy } from './metrics.ts';
import type { Parts } from './ops.ts';

/** Fewer requests in five minutes say nothing of a rate. */
const leastRequests = 20;

const thresholds = {
  /** Of the requests: one of twenty is a client that retries, more is ours. */
  apiErrors: 0.05,
  /** Accepting a thousand tasks takes a second. */
  apiMilliseconds: 3000,
  /** Half of the searches without a result: clients have noticed. */
  successRate: 0.5,
  /** Plain HTTP is walled off now and then; where it hardly ever gets through, each search costs a browser. */
  blocked: { http: 0.8, browser: 0.5 },
  /** A copy that waits for its engine is up to 15 minutes old when it may be received. */
  queueSeconds: 30 * 60,
  /** Four times as long as the sweeper waits before it takes up an unclaimed task. */
  taskSeconds: 60 * 60,
  /** Each failed run is repeated, up to four times: one may be a hiccup. */
  failedRuns: 3,
  functionErrors: 5,
  throttles: 20,
  /** Attempts at webhooks: one receiver's outage is one of many, an outage here is most of them. */
  deliveryRate: 0.5,
} as const;

const up = 'from the threshold up';
const below = 'below the threshold';

export const makeOpsAlarms = (ops: Stack, { service, api, functions, machines, crawlQueue }: Parts): void => {
  const dashboard = dashboardPage(dashboardName(ops, service));
  const every = { period: fiveMinutes, statistic: Stats.SUM };
  const requests = api.deploymentStage.metricCount({ ...every, statistic: Stats.SAMPLE_COUNT });
  makeAlarm(ops, 'ApiErrors', {
    section: 'api-errors',
    page: dashboard,
    metric: new MathExpression({
      expression: `IF(requests >= ${leastRequests}, errors / requests, 0)`,
      usingMetrics: { requests, errors: api.deploymentStage.metricServerError(every) },
      period: fiveMinutes,
      label: 'Share of requests answered by 5xx',
    }),
    threshold: thresholds.apiErrors,
    rings: up,
  });
  makeAlarm(ops, 'ApiSlow', {
    section: 'api-slow',
    page: dashboard,
    metric: whereBusy(
      {
        count: requests,
        value: api.deploymentStage.metricLatency({ ...every, statistic: 'p95' }),
        least: leastRequests,
        quiet: 0,
      },
      fiveMinutes,
      'Latency, p95',
    ),
    threshold: thresholds.apiMilliseconds,
    rings: up,
  });

  for (const engine of engines) {
    const name = engine[0]?.toUpperCase() + engine.slice(1);
    makeAlarm(ops, `${name}SuccessRate`, {
      section: 'success-rate',
      page: dashboard,
      metric: rate(service, 'TaskSucceeded', 1, { engine }),
      threshold: thresholds.successRate,
      rings: below,
    });
    for (const route of routes) {
      makeAlarm(ops, `${name}Blocked${route === 'http' ? 'Http' : 'Browser'}`, {
        section: `blocked-${route}`,
        page: dashboard,
        metric: rate(service, 'PageBlocked', 0, { engine, route }),
        threshold: thresholds.blocked[route],
        rings: up,
      });
    }
  }

  makeAlarm(ops, 'CrawlQueueAge', {
    section: 'crawl-queue-age',
    page: queuePage(crawlQueue),
    metric: crawlQueue.metricApproximateAgeOfOldestMessage({ period: fiveMinutes, statistic: Stats.MAXIMUM }),
    threshold: thresholds.queueSeconds,
    rings: up,
  });
  makeAlarm(ops, 'TasksUnfinished', {
    section: 'tasks-unfinished',
    page: dashboard,
    metric: own(service, 'OldestTaskSeconds', { period: fiveMinutes, statistic: Stats.MAXIMUM }),
    threshold: thresholds.taskSeconds,
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
  }
  for (const each of functions) {
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
    // Without dimensions: of all functions of the account, which share its quota.
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...every }),
    threshold: thresholds.throttles,
    rings: up,
  });

  makeAlarm(ops, 'WebhookFailures', {
    section: 'webhook-failures',
    page: dashboard,
    metric: rate(service, 'DeliverySucceeded', 1),
    threshold: thresholds.deliveryRate,
    rings: below,
  });
};
