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

/** The line of one service: the sum of each metric times the price of one unit. */
const line = (label: string, used: [metric: IMetric, dollars: number][]): MathExpression => {
  const id = (n: number) => `${label.toLowerCase().replaceAll(/\W/g, '')}${n}`;
  return new MathExpression({
    // A metric without usage has no value.
    expression: used.map(([, dollars], n) => `FILL(${id(n)}, 0) * ${dollars.toFixed(15)}`).join(' + '),
    usingMetrics: Object.fromEntries(used.map(([metric], n) => [id(n), metric])),
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
    queues.flatMap((queue) =>
      [
        queue.metricNumberOfMessagesSent(sum),
        queue.metricNumberOfMessagesReceived(sum),
        queue.metricNumberOfMessagesDeleted(sum),
        queue.metricNumberOfEmptyReceives(sum),
      ].map((metric): [IMetric, number] => [metric, prices.queueRequest]),
    ),
  ),
  line(
    'Tables',
    tables.flatMap((table): [IMetric, number][] => [
      [table.metricConsumedWriteCapacityUnits(sum), prices.tableWrite],
      [table.metricConsumedReadCapacityUnits(sum), prices.tableRead],
    ]),
  ),
];
