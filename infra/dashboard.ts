/** The dashboard: what comes in, what comes of it, how long it takes, what waits, what breaks, and what it costs. */
import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { engines, routes } from '../lib/runtime/metrics.ts';
import { costLines } from './cost/hourly-metrics.ts';
import { fiveMinutes, own } from './metrics.ts';
import type { Parts } from './ops.ts';

const percent = { min: 0, max: 1, showUnits: false };
const period = fiveMinutes;

/** Three of them make a row. */
const graph = (
  title: string,
  left: IMetric[],
  more: Omit<GraphWidgetProps, 'title' | 'left'> = {},
): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 }, ...more });

const pairs = engines.flatMap((engine) => routes.map((route) => ({ engine, route })));

const searches = ({ service }: Parts): GraphWidget[] => [
  graph('Searches', [
    own(service, 'TasksAccepted', { statistic: Stats.SUM, period, label: 'accepted' }),
    ...engines.flatMap((engine) => [
      own(service, 'TaskSucceeded', {
        statistic: Stats.SUM,
        period,
        of: { engine },
        label: `${engine} succeeded`,
      }),
      own(service, 'TaskSucceeded', {
        statistic: Stats.SAMPLE_COUNT,
        period,
        of: { engine },
        label: `${engine} ended`,
      }),
      own(service, 'TasksPutOff', {
        statistic: Stats.SUM,
        period,
        of: { engine },
        label: `${engine} put off`,
      }),
    ]),
  ]),
  graph(
    'Success rate',
    engines.map((engine) =>
      own(service, 'TaskSucceeded', { statistic: Stats.AVERAGE, period, of: { engine }, label: engine }),
    ),
    { leftYAxis: percent },
  ),
  graph(
    'From creation to the end, seconds',
    engines.flatMap((engine) =>
      ['p50', 'p95', 'p99'].map((statistic) =>
        own(service, 'TaskSeconds', { statistic, period, of: { engine }, label: `${engine} ${statistic}` }),
      ),
    ),
  ),
];

const pages = ({ service }: Parts): GraphWidget[] => {
  const ofPages = (
    name: 'PageFetched' | 'PageBlocked' | 'PageMilliseconds',
    statistics: string[],
  ): IMetric[] =>
    pairs.flatMap((of) =>
      statistics.map((statistic) =>
        own(service, name, { statistic, period, of, label: `${of.engine} ${of.route} ${statistic}` }),
      ),
    );
  return [
    graph('Pages fetched, of those asked for', ofPages('PageFetched', [Stats.AVERAGE]), {
      leftYAxis: percent,
      right: ofPages('PageFetched', [Stats.SAMPLE_COUNT]),
    }),
    graph('Pages walled off', ofPages('PageBlocked', [Stats.AVERAGE]), {
      leftYAxis: percent,
      right: engines.map((engine) =>
        own(service, 'EngineRests', {
          statistic: Stats.SUM,
          period,
          of: { engine },
          label: `${engine} rested`,
        }),
      ),
    }),
    graph('A page, ms', ofPages('PageMilliseconds', ['p50', 'p95'])),
  ];
};

const webhooks = ({ service }: Parts): GraphWidget[] => [
  graph(
    'Attempts at webhooks that were taken',
    [own(service, 'DeliverySucceeded', { statistic: Stats.AVERAGE, period, label: 'taken' })],
    {
      leftYAxis: percent,
      right: [
        own(service, 'DeliverySucceeded', { statistic: Stats.SAMPLE_COUNT, period, label: 'attempts' }),
        own(service, 'DeliveriesParked', { statistic: Stats.SUM, period, label: 'parked' }),
      ],
    },
  ),
  graph(
    'Answers of receivers, ms',
    ['p50', 'p95'].map((statistic) =>
      own(service, 'DeliveryMilliseconds', { statistic, period, label: statistic }),
    ),
  ),
  graph(
    'Hidden links',
    engines.flatMap((engine) => [
      own(service, 'LinksAsked', { statistic: Stats.SUM, period, of: { engine }, label: `${engine} asked` }),
      own(service, 'LinksFound', { statistic: Stats.SUM, period, of: { engine }, label: `${engine} found` }),
    ]),
  ),
];

const waiting = ({ service, queues }: Parts): GraphWidget[] => [
  graph(
    'Oldest message, seconds',
    queues.map((queue) =>
      queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period, label: queue.node.id }),
    ),
  ),
  graph(
    'Messages that wait',
    queues.map((queue) =>
      queue.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period,
        label: queue.node.id,
      }),
    ),
  ),
  graph(
    'Oldest task that nobody works on, seconds',
    [own(service, 'OldestTaskSeconds', { statistic: Stats.MAXIMUM, period, label: 'oldest' })],
    { right: [own(service, 'TasksTakenUp', { statistic: Stats.SUM, period, label: 'taken up again' })] },
  ),
];

const gateway = ({ api: { deploymentStage: stage }, tables }: Parts): GraphWidget[] => [
  graph('Requests', [
    stage.metricCount({ statistic: Stats.SAMPLE_COUNT, period, label: 'all' }),
    stage.metricClientError({ statistic: Stats.SUM, period, label: '4xx' }),
    stage.metricServerError({ statistic: Stats.SUM, period, label: '5xx' }),
  ]),
  graph(
    'Answers, ms',
    ['p50', 'p95', 'p99'].map((statistic) => stage.metricLatency({ statistic, period, label: statistic })),
  ),
  graph(
    'Tables: throttled, and errors of theirs',
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
    'Machines: runs that failed',
    machines.flatMap((each) => [
      each.metricFailed({ statistic: Stats.SUM, period, label: `${each.node.id} failed` }),
      each.metricTimedOut({ statistic: Stats.SUM, period, label: `${each.node.id} timed out` }),
    ]),
  ),
];

const cost = (parts: Parts): GraphWidget[] => [
  new GraphWidget({
    title: 'Dollars an hour, estimated from use and list prices (no storage, logs, traces or data transfer)',
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
    // Each graph keeps its own step: an hour's cost is no five minutes'.
    periodOverride: PeriodOverride.INHERIT,
    widgets: [searches, pages, webhooks, waiting, gateway, machinery, cost].map((row) => row(parts)),
  });
