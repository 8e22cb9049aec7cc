/**
 * The estimated cost of the service for each hour, for a graph: AWS's own usage metrics times the list
 * prices.
 */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Parts } from '../parts.ts';
import { prices } from './prices.ts';

const period = Duration.hours(1);
const sum = { period, statistic: Stats.SUM };

/**
 * CloudWatch accepts 2,048 characters per expression (its API's `MetricDataQuery`). A term has at most 45, so
 * a part has at most 940, however many functions there are.
 */
const mostTerms = 20;

/**
 * The line of one service: the sum of each metric times the price of one unit. A long sum is the sum of
 * several expressions.
 */
const line = (label: string, used: [metric: IMetric, dollars: number][]): MathExpression => {
  const name = label.toLowerCase().replaceAll(/\W/g, '');
  // A metric without usage has no value.
  const term = (dollars: number, id: string) => `FILL(${id}, 0) * ${dollars.toFixed(15)}`;
  const part = (terms: typeof used, first: number, partLabel: string): MathExpression => {
    const id = (n: number) => `${name}${first + n}`;
    return new MathExpression({
      expression: terms.map(([, dollars], n) => term(dollars, id(n))).join(' + '),
      usingMetrics: Object.fromEntries(terms.map(([metric], n) => [id(n), metric])),
      label: partLabel,
      period,
    });
  };
  if (used.length <= mostTerms) return part(used, 0, label);
  const starts = Array.from({ length: Math.ceil(used.length / mostTerms) }, (_, n) => n * mostTerms);
  const parts = starts.map((first): [string, MathExpression] => [
    `${name}part${first / mostTerms}`,
    part(used.slice(first, first + mostTerms), first, `${label}, part ${first / mostTerms + 1}`),
  ]);
  return new MathExpression({
    expression: parts.map(([id]) => id).join(' + '),
    usingMetrics: Object.fromEntries(parts),
    label,
    period,
  });
};

export const costLines = ({ api, functions, machines, queues, tables }: Parts): IMetric[] => [
  line('Gateway', [
    [api.deploymentStage.metricCount({ ...sum, statistic: Stats.SAMPLE_COUNT }), prices.gatewayRequest],
  ]),
  line(
    'Functions',
    functions.flatMap((each): [IMetric, number][] => {
      const second =
        prices.gigabyteSecond[each.architecture === Architecture.X86_64 ? 'x86_64' : 'arm64'] *
        each.gigabytes;
      return [
        [each.metricInvocations(sum), prices.functionCall],
        [each.metricDuration(sum), second / 1000],
      ];
    }),
  ),
  line(
    'Machines',
    machines
      .filter((each) => each.stateMachineType === StateMachineType.EXPRESS)
      .flatMap((each): [IMetric, number][] => [
        [each.metricStarted(sum), prices.expressRun],
        // The metric is in milliseconds. Our runs use the smallest billed memory, 64 MB.
        [
          each.metric('ExpressExecutionBilledDuration', sum),
          (prices.expressGigabyteSecond * 64) / 1024 / 1000,
        ],
      ]),
  ),
  line(
    'Queues',
    queues.flatMap((queue): [IMetric, number][] => [
      ...[
        queue.metricNumberOfMessagesSent(sum),
        queue.metricNumberOfMessagesReceived(sum),
        queue.metricNumberOfMessagesDeleted(sum),
      ].map((metric): [IMetric, number] => [metric, prices.queueRequest + prices.fairRequest]),
      // Without a message there is no group.
      [queue.metricNumberOfEmptyReceives(sum), prices.queueRequest],
    ]),
  ),
  line(
    'Tables',
    tables.flatMap((table): [IMetric, number][] => [
      [table.metricConsumedWriteCapacityUnits(sum), prices.tableWrite],
      [table.metricConsumedReadCapacityUnits(sum), prices.tableRead],
    ]),
  ),
];
