/**
 * When the alarms on the service ring, as the runbook says it, and which mail they cause. The alarms on
 * objectives, heartbeats and dead letters are in `alarms.test.ts`.
 */
import { expect, test } from 'vitest';
import { engineNames } from '../../lib/model/engine.ts';
import { resourcesOf, stacksOf } from './template.ts';

const { template } = stacksOf('prod').ops;

/** One name for the alarms that each engine, machine, function or queue has. */
const nameOf = (id: string): string => {
  const name = id.replace(/[0-9A-F]{8}$/, '');
  const engine = engineNames.find((each) => name.toLowerCase().startsWith(each)) ?? '';
  return name.slice(engine.length).replace(/^\w+?(?=Machine|FunctionErrors|QueueAge)/, '');
};

type Metric = { Expression?: string; MetricStat?: { Period: number } };

const others = JSON.stringify(
  resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm').find(({ id }) => id.startsWith('OthersFail'))
    ?.properties.AlarmRule,
);

/** The mail, the threshold, the minutes of one value, and how many events it needs. */
const ruleOf = ({ id, properties }: { id: string; properties: Record<string, unknown> }): string => {
  const metrics = (properties.Metrics ?? []) as Metric[];
  const periods = [properties.Period, ...metrics.map((each) => each.MetricStat?.Period)].filter(Number);
  const [, least] = /IF\(\w+ >= (\d+)/.exec(metrics.map((each) => each.Expression).join()) ?? [];
  return [
    others.includes(`"${id}"`) ? 'others:' : 'service:',
    properties.ComparisonOperator === 'LessThanThreshold' ? '<' : '>=',
    properties.Threshold,
    `in ${[...new Set(periods)].map((seconds) => Number(seconds) / 60)} min`,
    ...(least ? [`of ${least}`] : []),
  ].join(' ');
};

test('each alarm has the threshold of its section, and those whose cause is outside are in the mail on others', () => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter(
    ({ id }) => !/^(TasksEnd|WebhooksArrive)|Silent/.test(id),
  );
  const rules = Map.groupBy(alarms, ({ id }) => nameOf(id));

  expect(
    Object.fromEntries([...rules].map(([name, all]) => [name, [...new Set(all.map(ruleOf))].join('; ')])),
  ).toEqual({
    ApiErrors: 'service: >= 0.05 in 5 min of 20',
    ApiSlow: 'service: >= 0.05 in 5 min of 20',
    AwsRefusals: 'service: >= 20 in 5 min',
    BlockedBrowser: 'others: >= 0.5 in 15 min of 10',
    BlockedHttp: 'others: >= 0.8 in 15 min of 10',
    BrowserFailed: 'service: >= 1 in 5 min',
    FunctionErrors: 'service: >= 5 in 5 min',
    MachineFailed: 'service: >= 3 in 5 min',
    MachineTimedOut: 'service: >= 3 in 5 min',
    QueueAge: 'service: >= 1800 in 5 min',
    RestedBrowser: 'others: >= 3 in 60 min',
    RestedHttp: 'others: >= 3 in 60 min',
    SearchesOverdue: 'service: >= 3600 in 5 min',
    SourceFailing: 'others: >= 10 in 5 min',
    SuccessRate: 'others: < 0.5 in 15 min of 10',
    TasksUnfinished: 'service: >= 3600 in 5 min',
    Throttles: 'service: >= 20 in 5 min',
    Unclaimed: 'others: >= 0.6 in 15 min of 10',
    UpstreamFailures: 'others: < 0.5 in 15 min of 10',
    UpstreamRefused: 'others: >= 1 in 5 min',
    WebhookFailures: 'others: < 0.5 in 15 min of 10',
    WebhooksUnfinished: 'service: >= 3600 in 5 min',
  });
});
