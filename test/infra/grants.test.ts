/** Who may do what: no role and no policy of any stack of any stage says more than it must. */
import { describe, expect, test } from 'vitest';
import type { Template } from '../../infra/synthesize.ts';
import { everyTemplate, resourcesOf, type Statement, statementsIn } from './template.ts';

/** Actions that AWS accepts on everything only: traces, and the delivery of logs. */
const onEverything = [
  'xray:PutTraceSegments',
  'xray:PutTelemetryRecords',
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
  'logs:CreateLogDelivery',
  'logs:GetLogDelivery',
  'logs:UpdateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:DescribeResourcePolicies',
  'logs:DescribeLogGroups',
];

/** What the stack's roles may do, wherever it is written, and what those who take the stack's resources may. */
const statementsOf = (template: Template): Statement[] =>
  Object.values(template.Resources).flatMap(({ Properties: properties = {} }) => [
    ...(properties.PolicyDocument ? statementsIn(properties.PolicyDocument) : []),
    ...((properties.Policies ?? []) as { PolicyDocument: unknown }[]).flatMap(({ PolicyDocument }) =>
      statementsIn(PolicyDocument),
    ),
  ]);

/** Whether it is the objects of one kind in the bucket: a prefix is the narrowest name of things that come and go. */
const isPrefix = (on: unknown): boolean =>
  /"Bucket\w+","Arn"\]\},"\/(html|results|deliveries)\/\*"\]\]\}$/.test(JSON.stringify(on));

describe.each(everyTemplate())('in $stack', ({ template }) => {
  const allowed = statementsOf(template).filter(({ Effect }) => Effect === 'Allow');

  test('no grant has a wildcard for an action', () => {
    expect(allowed.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });

  test('only traces and the delivery of logs are granted on everything, and else whole resources or prefixes', () => {
    for (const { Action, Resource } of allowed) {
      const wide = [Resource].flat().filter((on) => JSON.stringify(on)?.includes('*') && !isPrefix(on));
      if (wide.length === 0) continue;
      expect(wide).toEqual(['*']);
      expect(onEverything).toEqual(expect.arrayContaining([Action].flat()));
    }
  });

  test('nobody outside is let in but a service of AWS, on behalf of this account', () => {
    // A key obeys its account: without that statement nobody could ever change its policy.
    const keys = resourcesOf(template, 'AWS::KMS::Key')
      .flatMap(({ properties }) => statementsIn(properties.KeyPolicy))
      .filter(({ Principal }) => !/"AWS::AccountId"\},":root"/.test(JSON.stringify(Principal)));
    for (const { Principal, Condition } of [...allowed, ...keys].filter((each) => each.Principal)) {
      expect(Object.keys(Principal as object)).toEqual(['Service']);
      expect(JSON.stringify(Condition)).toMatch(/aws:Source(Arn|Account)/i);
    }
  });

  test('no role has a managed policy but the one of the gateway', () => {
    const managed = resourcesOf(template, 'AWS::IAM::Role').filter(
      ({ properties }) => properties.ManagedPolicyArns,
    );
    for (const { id } of managed) expect(id).toMatch(/^ApiCloudWatchRole/);
  });
});
