/**
 * The fixed monthly cost of a stage, which does not depend on the number of searches. Read from the
 * synthesised templates.
 */
import * as v from 'valibot';
import { engines, fetchRoutes, metrics } from '../../lib/runtime/metrics.ts';
import { unfinishedShards } from '../../lib/store/partitions.ts';
import { megabytes } from '../function-limits.ts';
import type { Template } from '../merged-template.ts';
import { forReading, makeApp } from '../synthesize.ts';
import { prices } from './prices.ts';

/** `needsWork`: billed only for the hours in which something is done. */
type MonthlyLine = { what: string; count: number; price: number; needsWork?: true };

const minutes = 30.4 * 24 * 60;

/** Bytes that a sweep logs: the line with its metric, and the bytes that CloudWatch adds. */
const sweepLogBytes = 800;

/** A sweep queries each partition of the index of unfinished work: those of tasks, and those of webhooks. */
const sweepQueries = 2 * unfinishedShards.read;

/**
 * DynamoDB asks KMS for the key of a table at most once in five minutes for each role that uses the table.
 */
const keyRequestsAMonth = minutes / 5;

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

const Policy = v.object({
  PolicyDocument: v.object({
    Statement: v.array(
      v.object({ Action: v.union([v.string(), v.array(v.string())]), Resource: v.unknown() }),
    ),
  }),
});

const ScheduledTargets = v.object({
  Targets: v.array(v.object({ Arn: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }) })),
});
const RoleOfFunction = v.object({ Role: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }) });
const PolicyRoles = v.object({ Roles: v.array(v.object({ Ref: v.string() })) });

/** The logical ids of the roles of the scheduled functions, which use their tables without any work. */
const scheduledRoles = ({ Resources }: Template): Set<string> => {
  const functions = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Events::Rule')
    .flatMap(({ Properties }) => v.parse(ScheduledTargets, Properties).Targets)
    .map(({ Arn }) => Arn['Fn::GetAtt'][0]);
  return new Set(
    functions.map((id) => v.parse(RoleOfFunction, Resources[id]?.Properties).Role['Fn::GetAtt'][0]),
  );
};

/** The tables that the role of a policy may use, by the logical ids in its statements. */
const tablesOf = (properties: unknown): number => {
  const statements = v
    .parse(Policy, properties)
    .PolicyDocument.Statement.filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('dynamodb:')),
    );
  const names = statements.flatMap(({ Resource }) => {
    // Of a table in the same stack, or of an output of the stack with the data.
    const found = [
      ...JSON.stringify(Resource).matchAll(/"Fn::GetAtt":\["(\w+)"|"PublishOutputFnGetAtt(\w+?)Arn/g),
    ];
    if (found.length === 0) throw new Error(`No table is found in ${JSON.stringify(Resource)}`);
    return found.map(([, own, other]) => own ?? other);
  });
  return new Set(names).size;
};

const ScheduledRule = v.object({
  ScheduleExpression: v.pipe(v.string(), v.regex(/^rate\(\d+ minutes?\)$/)),
  Targets: v.array(v.unknown()),
});

/** The calls of a rule in a month: one for each of its targets at each of its times. */
const callsOfRule = (properties: unknown): number => {
  const { ScheduleExpression, Targets } = v.parse(ScheduledRule, properties);
  return (minutes / Number.parseInt(ScheduleExpression.slice('rate('.length), 10)) * Targets.length;
};

/** The templates of a stage: the service and its monitoring. */
export const templatesOf = (stage: string): Template[] => {
  const { app } = makeApp({ context: { stage, 'aws:cdk:bundling-stacks': [] }, ...forReading });
  return app.synth().stacks.map(({ template }) => template);
};

export const monthlyLines = (templates: readonly Template[]): MonthlyLine[] => {
  const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
  const all = (type: string) => resources.filter(({ Type }) => Type === type);
  const written = (isWanted: (isIdle: boolean) => boolean) =>
    Object.values(metrics)
      .filter((metric) => isWanted('isIdle' in metric))
      .reduce((sum, { by }) => sum + by.reduce((product, name) => product * valuesOf[name], 1), 0);
  const tablesOfRoles = (isScheduled: boolean) =>
    templates
      .flatMap((template) => {
        const scheduled = scheduledRoles(template);
        return Object.values(template.Resources).filter(
          ({ Type, Properties }) =>
            Type === 'AWS::IAM::Policy' &&
            v.parse(PolicyRoles, Properties).Roles.some(({ Ref }) => scheduled.has(Ref)) === isScheduled,
        );
      })
      .reduce((sum, { Properties }) => sum + tablesOf(Properties), 0);
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
    {
      what: 'composite alarms',
      count: all('AWS::CloudWatch::CompositeAlarm').length,
      price: prices.month.compositeAlarm,
    },
    {
      what: 'metrics of its own that are written without work',
      count: written((isIdle) => isIdle),
      price: prices.month.metric,
    },
    {
      what: 'other metrics of its own, if each is written in each hour',
      count: written((isIdle) => !isIdle),
      price: prices.month.metric,
      needsWork: true,
    },
    { what: 'encryption keys', count: all('AWS::KMS::Key').length, price: prices.month.key },
    {
      what: 'requests for the keys of tables by scheduled functions, at most',
      count: tablesOfRoles(true) * keyRequestsAMonth,
      price: prices.keyRequest,
    },
    {
      what: 'requests for the keys of tables by other functions, at most',
      count: tablesOfRoles(false) * keyRequestsAMonth,
      price: prices.keyRequest,
      needsWork: true,
    },
    { what: 'secrets', count: all('AWS::SecretsManager::Secret').length, price: prices.month.secret },
    {
      what: 'receives from empty queues',
      count: all('AWS::Lambda::EventSourceMapping').length * pollsAMinute * minutes,
      price: prices.queueRequest,
    },
    {
      what: `sweeps, one a minute: a call of 0.05 s at ${megabytes.sweeper} MB, ${sweepQueries} queries and a line of the log`,
      count: minutes,
      price:
        prices.functionCall +
        0.05 * (megabytes.sweeper / 1024) * prices.gigabyteSecond.arm64 +
        sweepQueries * 0.5 * prices.tableRead +
        (sweepLogBytes / 1e9) * prices.logGigabyte,
    },
    {
      // The sweep is one of the scheduled calls.
      what: `other scheduled calls, for reporting: 0.05 s at ${megabytes.planner} MB and 4 queries each`,
      count: all('AWS::Events::Rule').reduce(
        (sum, { Properties }) => sum + callsOfRule(Properties),
        -minutes,
      ),
      price:
        prices.functionCall +
        0.05 * (megabytes.planner / 1024) * prices.gigabyteSecond.arm64 +
        4 * 0.5 * prices.tableRead,
    },
  ];
};
