/** The fixed monthly cost of a stage, which does not depend on the number of searches. Read from the synthesised templates. */
import * as v from 'valibot';
import { engines, fetchRoutes, metrics } from '../../lib/runtime/metrics.ts';
import { megabytes } from '../function-limits.ts';
import { makeApp, type Template } from '../synthesize.ts';
import { prices } from './prices.ts';

export type MonthlyLine = { what: string; count: number; price: number };

const minutes = 30.4 * 24 * 60;

/** Lambda polls each queue with five pollers. Each poll waits 20 s for a message. */
const pollsAMinute = 5 * 3;

/** Number of values that each dimension of the service's own metrics takes. */
const valuesOf = { engine: engines.length, route: fetchRoutes.length };

const AlarmProperties = v.object({
  Metrics: v.optional(v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) }))),
});

/** An alarm is billed for each metric that it evaluates. */
const metricsOfAlarm = (properties: unknown): number =>
  v.parse(AlarmProperties, properties).Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1;

/** The templates of a stage: the service and its monitoring. */
export const templatesOf = (stage: string): Template[] => {
  const { app } = makeApp({
    context: { stage, 'aws:cdk:bundling-stacks': [] },
    builtinCloudFormationValidation: false,
  });
  return app.synth().stacks.map(({ template }) => template);
};

export const monthlyLines = (templates: readonly Template[]): MonthlyLine[] => {
  const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
  const all = (type: string) => resources.filter(({ Type }) => Type === type);
  const own = Object.values(metrics).reduce(
    (sum, { by }) => sum + by.reduce((product, name) => product * valuesOf[name], 1),
    0,
  );
  return [
    {
      what: 'alarms, by the metrics in them',
      count: all('AWS::CloudWatch::Alarm').reduce(
        (sum, { Properties }) => sum + metricsOfAlarm(Properties),
        0,
      ),
      price: prices.month.alarm,
    },
    { what: 'dashboards', count: all('AWS::CloudWatch::Dashboard').length, price: prices.month.dashboard },
    { what: 'metrics of its own', count: own, price: prices.month.metric },
    { what: 'secrets', count: all('AWS::SecretsManager::Secret').length, price: prices.month.secret },
    {
      what: 'receives from empty queues',
      count: all('AWS::Lambda::EventSourceMapping').length * pollsAMinute * minutes,
      price: prices.queueRequest,
    },
    {
      // A sweep queries each partition of the index of unfinished work (lib/store/partitions.ts).
      what: `sweeps, a minute each: a call of 0.05 s at ${megabytes.sweeper} MB and 32 queries`,
      count: minutes,
      price:
        prices.functionCall +
        0.05 * (megabytes.sweeper / 1024) * prices.gigabyteSecond.arm64 +
        32 * 0.5 * prices.tableRead,
    },
  ];
};
