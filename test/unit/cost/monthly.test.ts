import { expect, test } from 'vitest';
import { monthlyLines } from '../../../infra/cost/monthly.ts';

const template = (...resources: [string, Record<string, unknown>?][]) => ({
  Resources: Object.fromEntries(
    resources.map(([Type, Properties = {}], n) => [`Resource${n}`, { Type, Properties }]),
  ),
  Outputs: {},
});

const stat = { MetricStat: {} };

test.each([
  ['alarms, by the metrics in them', 0.4],
  ['dashboards', 3],
  ['secrets', 0.8],
])('bills %s over all stacks', (what, dollars) => {
  const lines = monthlyLines([
    template(['AWS::CloudWatch::Alarm'], ['AWS::SecretsManager::Secret'], ['AWS::SecretsManager::Secret']),
    template(
      ['AWS::CloudWatch::Alarm', { Metrics: [{ Expression: 'a / b' }, stat, stat, stat] }],
      ['AWS::CloudWatch::Dashboard'],
    ),
  ]);

  const line = lines.find((each) => each.what === what);
  expect((line?.count ?? 0) * (line?.price ?? 0)).toBeCloseTo(dollars, 9);
});
