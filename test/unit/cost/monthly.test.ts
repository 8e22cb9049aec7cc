import { expect, test } from 'vitest';
import { monthlyLines } from '../../../infra/cost/monthly.ts';
import { engines, fetchRoutes, metrics } from '../../../lib/runtime/metrics.ts';

const template = (...resources: [string, Record<string, unknown>?][]) => ({
  Resources: Object.fromEntries(
    resources.map(([Type, Properties = {}], n) => [`Resource${n}`, { Type, Properties }]),
  ),
  Outputs: {},
});

/** A policy of a role with a statement for each list of tables, and one for a queue. */
const policy = (role: string, ...statements: string[][]): [string, Record<string, unknown>] => [
  'AWS::IAM::Policy',
  {
    Roles: [{ Ref: role }],
    PolicyDocument: {
      Statement: [
        { Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
        ...statements.map((tables) => ({
          Action: ['dynamodb:GetItem'],
          Resource: tables.map((table) => ({ 'Fn::GetAtt': [table, 'Arn'] })),
        })),
      ],
    },
  },
];

/** The same for one table of the stack with the data. */
const policyOfOther = (role: string, table: string): [string, Record<string, unknown>] => {
  const output = { StackName: 'Data', OutputName: `PublishOutputFnGetAtt${table}0BA6A452Arn24B58FD6` };
  const statement = { Action: 'dynamodb:GetItem', Resource: { 'Fn::GetStackOutput': output } };
  return ['AWS::IAM::Policy', { Roles: [{ Ref: role }], PolicyDocument: { Statement: [statement] } }];
};

const stat = { MetricStat: {} };

/** Every metric of the service with every combination of its dimensions: CloudWatch bills each of them. */
const ownMetrics = Object.entries<{ by: readonly string[] }>(metrics).flatMap(([name, { by }]) => {
  const rows = by.includes('engine') ? engines.map((engine) => `${name} of ${engine}`) : [name];
  return by.includes('route')
    ? rows.flatMap((row) => fetchRoutes.map((route) => `${row} by ${route}`))
    : rows;
});

/** Dollars of a month of 30.4 days. */
const expected = {
  'alarms, by the metrics in them': 0.4,
  dashboards: 3,
  'composite alarms': 0.5,
  // The sweep, the planner and the recorder write one each at each run.
  'metrics of its own that are written without work': 0.3 * 3,
  'other metrics of its own, if each is written in each hour': 0.3 * (new Set(ownMetrics).size - 3),
  'encryption keys': 1,
  // Two roles with one and two tables, each asked for 12 times an hour, 729.6 hours a month, at 3 dollars a
  // million.
  'requests for the keys of tables by scheduled functions, at most': 0.0262656,
  'requests for the keys of tables by other functions, at most': 0.0525312,
  secrets: 0.8,
  // Two sources, 15 receives a minute each, at 0.40 dollars a million.
  'receives from empty queues': 0.525312,
  // 43,776 calls, each with 800 bytes of the log.
  'sweeps, one a minute: a call of 0.05 s at 1769 MB, 128 queries and a line of the log':
    0.05917195 + 0.350208 + 0.0175104,
  // Two calls every five minutes. The first rule is that of the sweep.
  'other scheduled calls, for reporting: 0.05 s at 1769 MB and 4 queries each': 0.02804638,
};

const target = { Arn: { 'Fn::GetAtt': ['Resource0', 'Arn'] } };

const lines = monthlyLines([
  template(
    ['AWS::Lambda::Function', { Role: { 'Fn::GetAtt': ['ScheduledRole', 'Arn'] } }],
    ['AWS::CloudWatch::Alarm'],
    ['AWS::KMS::Key'],
    policy('Role', ['Tasks', 'Users'], ['Tasks']),
    policyOfOther('ScheduledRole', 'Tasks'),
    ['AWS::SecretsManager::Secret'],
    ['AWS::SecretsManager::Secret'],
    ['AWS::Lambda::EventSourceMapping'],
    ['AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', Targets: [target] }],
    ['AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)', Targets: [target, target] }],
  ),
  template(
    ['AWS::CloudWatch::Alarm', { Metrics: [{ Expression: 'a / b' }, stat, stat, stat] }],
    ['AWS::CloudWatch::Dashboard'],
    ['AWS::CloudWatch::CompositeAlarm'],
    ['AWS::Lambda::EventSourceMapping'],
  ),
]);

test('every line is in the table of this test', () => {
  expect(lines.map(({ what }) => what).sort()).toEqual(Object.keys(expected).sort());
});

test.each(Object.entries(expected))('bills %s over all stacks', (what, dollars) => {
  const line = lines.find((each) => each.what === what);

  expect((line?.count ?? 0) * (line?.price ?? 0)).toBeCloseTo(dollars, 8);
});

test('only metrics of work are not billed in an idle month', () => {
  expect(lines.filter(({ needsWork }) => needsWork).map(({ what }) => what)).toEqual([
    'other metrics of its own, if each is written in each hour',
    'requests for the keys of tables by other functions, at most',
  ]);
});

test('has no metric with a dimension that the cost model does not know', () => {
  const names = new Set(Object.values<{ by: readonly string[] }>(metrics).flatMap(({ by }) => by));

  expect([...names].sort()).toEqual(['engine', 'route']);
});
