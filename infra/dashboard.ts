/** The dashboard: searches, pages, keyword data, rank tracking, webhooks, queues, the gateway, the functions and machines, and the cost. */
import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { defaultEngine } from '../lib/model/engine.ts';
import { allRoutes, engines } from '../lib/runtime/metrics.ts';
import { costLines } from './cost/hourly-metrics.ts';
import { fiveMinutes, serviceMetric } from './metrics.ts';
import type { Parts } from './parts.ts';

const percent = { min: 0, max: 1, showUnits: false };
const period = fiveMinutes;

/** A graph of a third of the width: three graphs make a row. */
const graph = (
  title: string,
  left: IMetric[],
  more: Omit<GraphWidgetProps, 'title' | 'left'> = {},
): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 }, ...more });

const enginesAndRoutes = engines.flatMap((engine) => allRoutes.map((route) => ({ engine, route })));

const searches = ({ service }: Parts): GraphWidget[] => [
  graph('Searches', [
    serviceMetric(service, 'TasksAccepted', { statistic: Stats.SUM, period, label: 'accepted' }),
    ...engines.flatMap((engine) => [
      serviceMetric(service, 'TaskSucceeded', {
        statistic: Stats.SUM,
        period,
        dimensions: { engine },
        label: `${engine} succeeded`,
      }),
      serviceMetric(service, 'TaskSucceeded', {
        statistic: Stats.SAMPLE_COUNT,
        period,
        dimensions: { engine },
        label: `${engine} ended`,
      }),
      serviceMetric(service, 'TasksPutOff', {
        statistic: Stats.SUM,
        period,
        dimensions: { engine },
        label: `${engine} postponed`,
      }),
    ]),
  ]),
  graph(
    'Success rate',
    engines.map((engine) =>
      serviceMetric(service, 'TaskSucceeded', {
        statistic: Stats.AVERAGE,
        period,
        dimensions: { engine },
        label: engine,
      }),
    ),
    { leftYAxis: percent },
  ),
  graph(
    'Time from creation to final state, seconds',
    engines.flatMap((engine) =>
      ['p50', 'p95', 'p99'].map((statistic) =>
        serviceMetric(service, 'TaskSeconds', {
          statistic,
          period,
          dimensions: { engine },
          label: `${engine} ${statistic}`,
        }),
      ),
    ),
  ),
];

const pages = ({ service }: Parts): GraphWidget[] => {
  const pageMetrics = (
    name: 'PageFetched' | 'PageBlocked' | 'PageMilliseconds',
    statistics: string[],
  ): IMetric[] =>
    enginesAndRoutes.flatMap((dimensions) =>
      statistics.map((statistic) =>
        serviceMetric(service, name, {
          statistic,
          period,
          dimensions,
          label: `${dimensions.engine} ${dimensions.route} ${statistic}`,
        }),
      ),
    );
  return [
    graph('Pages fetched, share of attempts', pageMetrics('PageFetched', [Stats.AVERAGE]), {
      leftYAxis: percent,
      right: pageMetrics('PageFetched', [Stats.SAMPLE_COUNT]),
    }),
    graph('Pages blocked, share of attempts', pageMetrics('PageBlocked', [Stats.AVERAGE]), {
      leftYAxis: percent,
      right: [
        ...engines.map((engine) =>
          serviceMetric(service, 'EngineRests', {
            statistic: Stats.SUM,
            period,
            dimensions: { engine },
            label: `${engine} paused`,
          }),
        ),
        ...enginesAndRoutes.map((dimensions) =>
          serviceMetric(service, 'FetcherRests', {
            statistic: Stats.SUM,
            period,
            dimensions,
            label: `${dimensions.engine} ${dimensions.route} rested`,
          }),
        ),
      ],
    }),
    graph('Time to fetch a page, ms', pageMetrics('PageMilliseconds', ['p50', 'p95']), {
      right: [
        serviceMetric(service, 'UpstreamDelivered', {
          statistic: Stats.AVERAGE,
          period,
          label: 'searches delivered by the provider',
        }),
        serviceMetric(service, 'UpstreamRefused', {
          statistic: Stats.SUM,
          period,
          label: 'refused by the provider',
        }),
        serviceMetric(service, 'BrowserFailed', {
          statistic: Stats.SUM,
          period,
          label: 'pages without a browser',
        }),
      ],
    }),
  ];
};

const webhooks = ({ service }: Parts): GraphWidget[] => [
  graph(
    'Webhook attempts accepted by receivers',
    [serviceMetric(service, 'DeliverySucceeded', { statistic: Stats.AVERAGE, period, label: 'accepted' })],
    {
      leftYAxis: percent,
      right: [
        serviceMetric(service, 'DeliverySucceeded', {
          statistic: Stats.SAMPLE_COUNT,
          period,
          label: 'attempts',
        }),
        serviceMetric(service, 'DeliveriesParked', { statistic: Stats.SUM, period, label: 'parked' }),
      ],
    },
  ),
  graph(
    'Response time of receivers, ms',
    ['p50', 'p95'].map((statistic) =>
      serviceMetric(service, 'DeliveryMilliseconds', { statistic, period, label: statistic }),
    ),
  ),
  graph(
    'Results from pages with blocks that were not read',
    engines.map((engine) =>
      serviceMetric(service, 'ResultUnclaimed', {
        statistic: Stats.AVERAGE,
        period,
        dimensions: { engine },
        label: engine,
      }),
    ),
    { leftYAxis: percent },
  ),
  graph(
    'Deferred AI overviews that were read',
    [
      serviceMetric(service, 'OverviewRead', {
        statistic: Stats.AVERAGE,
        period,
        dimensions: { engine: defaultEngine },
        label: defaultEngine,
      }),
    ],
    { leftYAxis: percent },
  ),
  graph(
    'Hidden links',
    engines.flatMap((engine) => [
      serviceMetric(service, 'LinksAsked', {
        statistic: Stats.SUM,
        period,
        dimensions: { engine },
        label: `${engine} looked up`,
      }),
      serviceMetric(service, 'LinksFound', {
        statistic: Stats.SUM,
        period,
        dimensions: { engine },
        label: `${engine} found`,
      }),
    ]),
  ),
];

const keywords = ({ service }: Parts): GraphWidget[] => {
  const sum = (
    name: 'KeywordsAnswered' | 'KeywordsReused' | 'SourceFailed' | 'SourceThrottled' | 'NoSourceData',
    label: string,
  ) => serviceMetric(service, name, { statistic: Stats.SUM, period, label });
  return [
    graph('Keywords', [sum('KeywordsAnswered', 'answered'), sum('KeywordsReused', 'from the cache')], {
      right: [
        serviceMetric(service, 'KeywordTaskSucceeded', {
          statistic: Stats.AVERAGE,
          period,
          label: 'share of endings with data',
        }),
      ],
    }),
    graph('Calls to the source of keyword data', [
      serviceMetric(service, 'SourceFailed', { statistic: Stats.SAMPLE_COUNT, period, label: 'calls' }),
      sum('SourceFailed', 'failed'),
      sum('SourceThrottled', 'over quota'),
    ]),
    graph('Suggestions and trends without data', [sum('NoSourceData', 'failed')]),
    graph(
      'Response time of the source, ms',
      ['p50', 'p95'].map((statistic) =>
        serviceMetric(service, 'SourceMilliseconds', { statistic, period, label: statistic }),
      ),
    ),
  ];
};

const tracking = ({ service }: Parts): GraphWidget[] => {
  const sum = (name: 'SearchesPlanned' | 'ResultsRecorded' | 'GapsRecorded', label: string) =>
    serviceMetric(service, name, { statistic: Stats.SUM, period, label });
  return [
    graph('Tracked searches', [sum('SearchesPlanned', 'crawls begun')]),
    graph('Tracked keywords', [sum('ResultsRecorded', 'positions'), sum('GapsRecorded', 'gaps')]),
    graph('Oldest tracked search that waits, seconds', [
      serviceMetric(service, 'OverdueSearchSeconds', { statistic: Stats.MAXIMUM, period, label: 'oldest' }),
    ]),
  ];
};

const waiting = ({ service, queues }: Parts): GraphWidget[] => [
  graph(
    'Oldest message, seconds',
    queues.map((queue) =>
      queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period, label: queue.node.id }),
    ),
  ),
  graph(
    'Messages waiting',
    queues.map((queue) =>
      queue.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period,
        label: queue.node.id,
      }),
    ),
  ),
  graph(
    'Oldest unfinished task without a worker, seconds',
    [serviceMetric(service, 'OldestTaskSeconds', { statistic: Stats.MAXIMUM, period, label: 'oldest' })],
    {
      right: [
        serviceMetric(service, 'TasksTakenUp', { statistic: Stats.SUM, period, label: 're-queued' }),
        serviceMetric(service, 'AwsRefusals', { statistic: Stats.SUM, period, label: 'refused by AWS' }),
      ],
    },
  ),
];

const gateway = ({ service, api: { deploymentStage: stage }, tables }: Parts): GraphWidget[] => [
  graph('Requests', [
    stage.metricCount({ statistic: Stats.SAMPLE_COUNT, period, label: 'all' }),
    stage.metricClientError({ statistic: Stats.SUM, period, label: '4xx' }),
    stage.metricServerError({ statistic: Stats.SUM, period, label: '5xx' }),
    serviceMetric(service, 'SlowRequests', { statistic: Stats.SUM, period, label: 'slow' }),
  ]),
  graph(
    'Response time, ms',
    ['p50', 'p95', 'p99'].map((statistic) => stage.metricLatency({ statistic, period, label: statistic })),
  ),
  graph(
    'Tables: throttles and errors',
    tables.flatMap((table) => [
      ...['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
        table.metric(name, { statistic: Stats.SUM, period, label: `${table.node.id} ${name}` }),
      ),
      ...['GetItem', 'UpdateItem'].map((Operation) =>
        table.metric('SystemErrors', {
          dimensionsMap: { TableName: table.tableName, Operation },
          statistic: Stats.SUM,
          period,
          label: `${table.node.id} ${Operation} errors`,
        }),
      ),
    ]),
  ),
];

const machinery = ({ functions, machines }: Parts): GraphWidget[] => [
  graph('Functions: errors', [
    ...functions.map((each) => each.metricErrors({ statistic: Stats.SUM, period, label: each.node.id })),
  ]),
  graph(
    'Functions: duration, p95, ms',
    functions.map((each) => each.metricDuration({ statistic: 'p95', period, label: each.node.id })),
  ),
  graph(
    'Machines: failed runs',
    machines.flatMap((each) => [
      each.metricFailed({ statistic: Stats.SUM, period, label: `${each.node.id} failed` }),
      each.metricTimedOut({ statistic: Stats.SUM, period, label: `${each.node.id} timed out` }),
    ]),
  ),
];

const cost = (parts: Parts): GraphWidget[] => [
  new GraphWidget({
    title:
      'Dollars per hour, estimated from usage and list prices (no storage, logs, traces or data transfer)',
    left: costLines(parts),
    stacked: true,
    width: 24,
    height: 6,
    leftYAxis: { min: 0, showUnits: false },
  }),
];

/** Dashboards belong to an account, not to a region: the same name in two regions would be the same dashboard. */
export const dashboardName = (ops: Stack, service: Stack): string => `${service.stackName}-${ops.region}`;

export const makeDashboard = (ops: Stack, parts: Parts): Dashboard =>
  new Dashboard(ops, 'Dashboard', {
    dashboardName: dashboardName(ops, parts.service),
    defaultInterval: Duration.hours(12),
    // Keep the period of each graph: the cost graph shows hours, the others five minutes.
    periodOverride: PeriodOverride.INHERIT,
    widgets: [searches, pages, keywords, tracking, webhooks, waiting, gateway, machinery, cost].map((row) =>
      row(parts),
    ),
  });
