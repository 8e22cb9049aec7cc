/** The metrics that the dashboard and the alarms are made of: the service's own (`lib/runtime/metrics.ts`), and those of AWS. */
import { Duration, type Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metrics } from '../lib/runtime/metrics.ts';

export const fiveMinutes = Duration.minutes(5);
/** For rates of what comes slowly: many services see but a few searches end in five minutes. */
export const quarterHour = Duration.minutes(15);

type Dimensions = { engine?: string; route?: string };

type Reading = { statistic: string; period: Duration; of?: Dimensions; label?: string };

/** A metric that the service's log lines carry. */
export const own = (
  service: Stack,
  name: MetricName,
  { statistic, period, of = {}, label }: Reading,
): Metric => {
  const given: readonly string[] = Object.keys(of);
  if (given.join() !== metrics[name].by.join()) {
    throw new Error(`${name} is measured by ${metrics[name].by.join(' and ') || 'nothing'}`);
  }
  return new Metric({
    namespace: service.stackName,
    metricName: name,
    dimensionsMap: { ...of },
    statistic,
    period,
    ...(label && { label }),
  });
};

/** What `value` says where there were so many of `count`, and `quiet` where there were too few to say anything. */
export const whereBusy = (
  { count, value, least, quiet }: { count: IMetric; value: IMetric; least: number; quiet: number },
  period: Duration,
  label: string,
): MathExpression =>
  new MathExpression({
    expression: `IF(count >= ${least}, value, ${quiet})`,
    usingMetrics: { count, value },
    period,
    label,
  });

/** Fewer in a quarter of an hour say nothing of a rate. */
const least = 10;

/** The share of ones in a metric that is 0 or 1, where there were enough of them. */
export const rate = (service: Stack, name: MetricName, quiet: 0 | 1, of: Dimensions = {}): MathExpression => {
  const reading = { period: quarterHour, of };
  return whereBusy(
    {
      count: own(service, name, { ...reading, statistic: Stats.SAMPLE_COUNT }),
      value: own(service, name, { ...reading, statistic: Stats.AVERAGE }),
      least,
      quiet,
    },
    quarterHour,
    [name, ...Object.values(of)].join(' '),
  );
};
