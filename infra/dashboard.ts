/**
 * The dashboard: searches, pages, keyword data, rank tracking, webhooks, queues, the gateway, the functions
 * and machines, and the cost.
 */
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
import { allRoutes, engines, type MetricName } from '../lib/runtime/metrics.ts';
import { costLines } from './cost/hourly-metrics.ts';
import { type Dimensions, fiveMinutes, serviceMetric } from './metrics.ts';
import type { Parts } from './parts.ts';

const percent = { min: 0, max: 1, showUnits: false };
const period = fiveMinutes;

/** A graph of a third of the width: three graphs make a row. */
const graph = (
  title: string,
  left: IMetric[],
  more: Omit<GraphWidgetProps, 'title' | 'left'> = {},
): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 }, ...more });

/** A line of a graph: a metric of the service, with a point every five minutes. */
const line = (
  service: Stack,
  name: MetricName,
  statistic: string,
  label: string,
  dimensions: Dimensions = {},
): IMetric => serviceMetric(service, name, { statistic, period, dimensions, label });

/** A line for each engine, whose metric is a share. */
const sharesOfEngines = (service: Stack, name: MetricName): IMetric[] =>
  engines.map((engine) => line(service, name, Stats.AVERAGE, engine, { engine }));

const enginesAndRoutes = engines.flatMap((engine) => allRoutes.map((route) => ({ engine, route })));

const searches = ({ service }: Parts): GraphWidget[] => [
  graph('Searches', [
    line(service, 'TasksAccepted', Stats.SUM, 'accepted'),
    ...engines.flatMap((engine) => [
      line(service, 'TaskSucceeded', Stats.SUM, `${engine} succeeded`, { engine }),
      line(service, 'TaskSucceeded', Stats.SAMPLE_COUNT, `${engine} ended`, { engine }),
      line(service, 'TasksPutOff', Stats.SUM, `${engine} postponed`, { engine }),
    ]),
  ]),
  graph('Success rate', sharesOfEngines(service, 'TaskSucceeded'), {
    leftYAxis: percent,
    right: [line(service, 'EndedInTime', Stats.AVERAGE, 'ended within a minute of the page')],
  }),
  graph(
    'Time from creation to final state, seconds',
    engines.flatMap((engine) =>
      ['p50', 'p95', 'p99'].map((statistic) =>
        line(service, 'TaskSeconds', statistic, `${engine} ${statistic}`, { engine }),
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
        line(service, name, statistic, `${dimensions.engine} ${dimensions.route} ${statistic}`, dimensions),
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
        ...engines.map((engine) => line(service, 'EngineRests', Stats.SUM, `${engine} paused`, { engine })),
        ...enginesAndRoutes.map((dimensions) =>
          line(
            service,
            'FetcherRests',
            Stats.SUM,
            `${dimensions.engine} ${dimensions.route} rested`,
            dimensions,
          ),
        ),
      ],
    }),
    graph('Time to fetch a page, ms', pageMetrics('PageMilliseconds', ['p50', 'p95']), {
      right: [
        line(service, 'UpstreamDelivered', Stats.AVERAGE, 'searches delivered by the provider'),
        line(service, 'UpstreamRefused', Stats.SUM, 'refused by the provider'),
        line(service, 'BrowserFailed', Stats.SUM, 'pages without a browser'),
      ],
    }),
  ];
};

const webhooks = ({ service }: Parts): GraphWidget[] => [
  graph(
    'Webhook attempts accepted by receivers',
    [
      line(service, 'DeliverySucceeded', Stats.AVERAGE, 'accepted'),
      line(service, 'FirstAttemptSucceeded', Stats.AVERAGE, 'accepted at once'),
    ],
    {
      leftYAxis: percent,
      right: [
        line(service, 'DeliverySucceeded', Stats.SAMPLE_COUNT, 'attempts'),
        line(service, 'DeliveriesParked', Stats.SUM, 'parked'),
      ],
    },
  ),
  graph(
    'Response time of receivers, ms',
    ['p50', 'p95'].map((statistic) => line(service, 'DeliveryMilliseconds', statistic, statistic)),
  ),
  graph('Results from pages with blocks that were not read', sharesOfEngines(service, 'ResultUnclaimed'), {
    leftYAxis: percent,
  }),
  graph(
    'Deferred AI overviews that were read',
    [line(service, 'OverviewRead', Stats.AVERAGE, defaultEngine, { engine: defaultEngine })],
    { leftYAxis: percent },
  ),
  graph(
    'Hidden links',
    engines.flatMap((engine) => [
      line(service, 'LinksAsked', Stats.SUM, `${engine} looked up`, { engine }),
      line(service, 'LinksFound', Stats.SUM, `${engine} found`, { engine }),
    ]),
  ),
];

const keywords = ({ service }: Parts): GraphWidget[] => {
  const sum = (
    name: 'KeywordsAnswered' | 'KeywordsReused' | 'SourceFailed' | 'SourceThrottled' | 'NoSourceData',
    label: string,
  ) => line(service, name, Stats.SUM, label);
  return [
    graph('Keywords', [sum('KeywordsAnswered', 'answered'), sum('KeywordsReused', 'from the cache')], {
      right: [line(service, 'KeywordTaskSucceeded', Stats.AVERAGE, 'share of endings with data')],
    }),
    graph('Calls to the source of keyword data', [
      line(service, 'SourceFailed', Stats.SAMPLE_COUNT, 'calls'),
      sum('SourceFailed', 'failed'),
      sum('SourceThrottled', 'over quota'),
    ]),
    graph('Suggestions and trends without data', [sum('NoSourceData', 'failed')]),
    graph(
      'Response time of the source, ms',
      ['p50', 'p95'].map((statistic) => line(service, 'SourceMilliseconds', statistic, statistic)),
    ),
  ];
};

const tracking = ({ service }: Parts): GraphWidget[] => {
  const sum = (name: 'SearchesPlanned' | 'ResultsRecorded' | 'GapsRecorded', label: string) =>
    line(service, name, Stats.SUM, label);
  return [
    graph('Tracked searches', [sum('SearchesPlanned', 'crawls begun')]),
    graph('Tracked keywords', [sum('ResultsRecorded', 'positions'), sum('GapsRecorded', 'gaps')]),
    graph('Oldest tracked search that waits, seconds', [
      line(service, 'OverdueSearchSeconds', Stats.MAXIMUM, 'oldest'),
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
    'Oldest unfinished task without a worker, and oldest webhook, seconds',
    [
      line(service, 'OldestTaskSeconds', Stats.MAXIMUM, 'task'),
      line(service, 'OldestWebhookSeconds', Stats.MAXIMUM, 'webhook'),
    ],
    {
      right: [
        line(service, 'TasksTakenUp', Stats.SUM, 're-queued'),
        line(service, 'AwsRefusals', Stats.SUM, 'refused by AWS'),
      ],
    },
  ),
];

const gateway = ({ service, api: { deploymentStage: stage }, tables }: Parts): GraphWidget[] => [
  graph('Requests', [
    stage.metricCount({ statistic: Stats.SAMPLE_COUNT, period, label: 'all' }),
    stage.metricClientError({ statistic: Stats.SUM, period, label: '4xx' }),
    stage.metricServerError({ statistic: Stats.SUM, period, label: '5xx' }),
    line(service, 'SlowRequests', Stats.SUM, 'slow'),
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
    ...functions
      .filter(({ failsAsOutcome }) => !failsAsOutcome)
      .map((each) => each.metricErrors({ statistic: Stats.SUM, period, label: each.node.id })),
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

/**
 * Dashboards belong to an account, not to a region: the same name in two regions would be the same dashboard.
 */
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
