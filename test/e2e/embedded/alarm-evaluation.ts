/** Evaluates the alarms of the synthesised stacks like CloudWatch, with the datapoints of a run. */
import * as v from 'valibot';
import type { Template } from '../../../infra/merged-template.ts';

export type Datapoint = {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  value: number;
  /** Milliseconds since 1970. */
  at: number;
};

const Dimensions = v.optional(v.array(v.object({ Name: v.string(), Value: v.unknown() })), []);
const MetricStat = v.object({
  Metric: v.object({ Namespace: v.string(), MetricName: v.string(), Dimensions }),
  Period: v.number(),
  Stat: v.string(),
});
type MetricStat = v.InferOutput<typeof MetricStat>;

const Alarm = v.object({
  Threshold: v.number(),
  ComparisonOperator: v.picklist(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  EvaluationPeriods: v.literal(1),
  TreatMissingData: v.picklist(['notBreaching', 'breaching']),
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Dimensions,
  Period: v.optional(v.number()),
  Statistic: v.optional(v.string()),
  ExtendedStatistic: v.optional(v.string()),
  Metrics: v.optional(
    v.array(
      v.object({
        Id: v.string(),
        Expression: v.optional(v.string()),
        ReturnData: v.optional(v.boolean(), true),
        MetricStat: v.optional(MetricStat),
      }),
    ),
  ),
});
type Alarm = v.InferOutput<typeof Alarm>;

const Reference = v.union([
  v.pipe(
    v.object({ Ref: v.string() }),
    v.transform(({ Ref }) => ({ id: Ref })),
  ),
  v.pipe(
    v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }),
    v.transform(({ 'Fn::GetAtt': [id] }) => ({ id })),
  ),
  v.pipe(
    v.object({ 'Fn::GetStackOutput': v.object({ OutputName: v.string() }) }),
    v.transform(({ 'Fn::GetStackOutput': { OutputName: output } }) => ({ output })),
  ),
]);

/**
 * The value of a dimension: a text, or the logical id of a resource of the service, which is its name on the
 * embedded stack.
 */
const nameOf = (service: Template, value: unknown): string => {
  if (typeof value === 'string') return value;
  const reference = v.parse(Reference, value);
  return 'id' in reference ? reference.id : nameOf(service, service.Outputs[reference.output]?.Value);
};

const statistics: Record<string, (values: number[]) => number> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  Maximum: (values) => Math.max(...values),
  SampleCount: (values) => values.length,
  p95: (values) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0,
};

/** The statistic of one period; undefined if there is no datapoint. */
const read = (
  service: Template,
  { Metric, Stat }: MetricStat,
  points: readonly Datapoint[],
): number | undefined => {
  const wanted = JSON.stringify(
    Metric.Dimensions.map(({ Name, Value }) => [Name, nameOf(service, Value)]).sort(),
  );
  const values = points
    .filter(
      ({ namespace, name, dimensions }) =>
        namespace === Metric.Namespace &&
        name === Metric.MetricName &&
        JSON.stringify(Object.entries(dimensions).sort()) === wanted,
    )
    .map(({ value }) => value);
  const statistic = statistics[Stat];
  if (!statistic) throw new Error(`The statistic ${Stat} is not supported here`);
  return values.length === 0 ? undefined : statistic(values);
};

/**
 * Supports the two expressions of our alarms: `IF(count >= 10, value, 0)` and
 * `IF(count >= 10, part / count, 0)`.
 */
const calculate = (expression: string, values: Record<string, number | undefined>): number | undefined => {
  const [, count = '', minimum, value = '', divisor, fallback] =
    /^IF\((\w+) >= (\d+), (\w+)(?: \/ (\w+))?, (\d+)\)$/.exec(expression) ?? [];
  if (!count) throw new Error(`The expression ${expression} is not supported here`);
  const [counted, dividend, by] = [values[count], values[value], divisor ? values[divisor] : 1];
  if (counted === undefined || dividend === undefined || by === undefined) return undefined;
  return counted >= Number(minimum) ? dividend / by : Number(fallback);
};

const measure = (service: Template, alarm: Alarm, points: readonly Datapoint[]): number | undefined => {
  const { Metrics, Namespace = '', MetricName = '', Dimensions, Period = 0 } = alarm;
  if (!Metrics) {
    const Stat = alarm.Statistic ?? alarm.ExtendedStatistic ?? '';
    return read(service, { Metric: { Namespace, MetricName, Dimensions }, Period, Stat }, points);
  }
  const values = Object.fromEntries(
    Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, read(service, MetricStat, points)]] : [])),
  );
  const answer = Metrics.find(({ ReturnData }) => ReturnData);
  return answer?.Expression ? calculate(answer.Expression, values) : values[answer?.Id ?? ''];
};

const periodOf = ({ Period, Metrics }: Alarm): number =>
  Period ?? Math.max(...(Metrics ?? []).map(({ MetricStat }) => MetricStat?.Period ?? 0));

/**
 * Whether an alarm rings in any period. The first period starts at the first datapoint; on AWS, it starts at
 * any time.
 */
export const rings = (service: Template, properties: unknown, points: readonly Datapoint[]): boolean => {
  const alarm = v.parse(Alarm, properties);
  // A heartbeat. The runs are too short for a period of ten minutes, so the whole run is one.
  if (alarm.TreatMissingData === 'breaching') return (measure(service, alarm, points) ?? 0) < alarm.Threshold;
  const start = Math.min(...points.map(({ at }) => at));
  const periods = Map.groupBy(points, ({ at }) => Math.floor((at - start) / 1000 / periodOf(alarm)));
  return [...periods.values()].some((inPeriod) => {
    const value = measure(service, alarm, inPeriod);
    if (value === undefined) return false;
    return alarm.ComparisonOperator === 'LessThanThreshold'
      ? value < alarm.Threshold
      : value >= alarm.Threshold;
  });
};
