/**
 * Builds the metrics and expressions for the dashboard and the alarms from the service's own metrics
 * (`lib/runtime/metrics.ts`).
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metrics } from '../lib/runtime/metrics.ts';

export const fiveMinutes = Duration.minutes(5);

/** For rates of rare events: in many deployments only a few searches end in five minutes. */
const quarterHour = Duration.minutes(15);

export type Dimensions = { engine?: string; route?: string };

type MetricOptions = { statistic: string; period: Duration; dimensions?: Dimensions; label?: string };

/**
 * A metric that the service writes with its log lines.
 * @throws if `dimensions` are not the dimensions of this metric.
 */
export const serviceMetric = (
  service: Stack,
  name: MetricName,
  { statistic, period, dimensions = {}, label }: MetricOptions,
): Metric => {
  const given: readonly string[] = Object.keys(dimensions);
  if (given.join() !== metrics[name].by.join()) {
    throw new Error(`The metric ${name} has the dimensions: ${metrics[name].by.join(', ') || 'none'}`);
  }
  return new Metric({
    namespace: service.stackName,
    metricName: name,
    dimensionsMap: { ...dimensions },
    statistic,
    period,
    ...(label && { label }),
  });
};

type Sampled = {
  count: IMetric;
  value: IMetric;
  /** The smallest `count` that makes `value` meaningful. */
  minimum: number;
  /** The result when `count` is smaller. Choose one that raises no alarm. */
  fallback: number;
};

/** Gives `value` if there are enough samples in the period, otherwise `fallback`. */
const valueIfEnough = (
  { count, value, minimum, fallback }: Sampled,
  period: Duration,
  label: string,
): MathExpression =>
  new MathExpression({
    expression: `IF(count >= ${minimum}, value, ${fallback})`,
    usingMetrics: { count, value },
    period,
    label,
  });

/** A share of fewer events in a period means nothing. */
const minimumEvents = 10;

/** The share of events with the value 1 in a metric that is 0 or 1, however few events there are. */
export const averageOfOnes = (service: Stack, name: MetricName, period: Duration): Metric =>
  serviceMetric(service, name, { statistic: Stats.AVERAGE, period });

/**
 * The share of events with the value 1 in a metric that is 0 or 1. Gives `fallback` if there are too few
 * events.
 */
export const shareOfOnes = (
  service: Stack,
  name: MetricName,
  fallback: 0 | 1,
  dimensions: Dimensions = {},
  period = quarterHour,
): MathExpression => {
  const options = { period, dimensions };
  return valueIfEnough(
    {
      count: serviceMetric(service, name, { ...options, statistic: Stats.SAMPLE_COUNT }),
      value: serviceMetric(service, name, { ...options, statistic: Stats.AVERAGE }),
      minimum: minimumEvents,
      fallback,
    },
    period,
    [name, ...Object.values(dimensions)].join(' '),
  );
};
