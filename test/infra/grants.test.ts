/** The roles and policies of all stacks and stages grant no more than necessary. */
import { describe, expect, test } from 'vitest';
import type { Template } from '../../infra/merged-template.ts';
import { everyTemplate, resourcesOf, type Statement, statementsIn } from './template.ts';

/**
 * Actions without resource-level permissions, for traces and log delivery: AWS accepts them on `*` only. And
 * the one that CodeDeploy reads alarms with: AWS's own policy for its role has it on `*`.
 */
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
  'cloudwatch:DescribeAlarms',
];

/** All statements of a template: of the roles, inline or not, and of the resource policies. */
const statementsOf = (template: Template): Statement[] =>
  Object.values(template.Resources).flatMap(({ Properties: properties = {} }) => [
    ...(properties.PolicyDocument ? statementsIn(properties.PolicyDocument) : []),
    ...((properties.Policies ?? []) as { PolicyDocument: unknown }[]).flatMap(({ PolicyDocument }) =>
      statementsIn(PolicyDocument),
    ),
  ]);

/**
 * Whether the ARN is a prefix of objects in the bucket. There is no narrower name for all objects of one
 * kind.
 */
const isPrefix = (on: unknown): boolean =>
  /FnGetAttBucket\w+Arn\w+"\}\},"\/(html|opened|results|deliveries|alerts)\/\*"\]\]\}$/.test(
    JSON.stringify(on),
  );

describe.each(everyTemplate())('in $stack', ({ template }) => {
  const allowed = statementsOf(template).filter(({ Effect }) => Effect === 'Allow');

  test('no grant has a wildcard in its actions', () => {
    expect(allowed.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });

  test('only traces, log delivery and reading alarms are granted on *, everything else on single resources or prefixes', () => {
    for (const { Action, Resource } of allowed) {
      const wide = [Resource].flat().filter((on) => JSON.stringify(on)?.includes('*') && !isPrefix(on));
      if (wide.length === 0) continue;
      expect(wide).toEqual(['*']);
      expect(onEverything).toEqual(expect.arrayContaining([Action].flat()));
    }
  });

  test('the only outside principals are AWS services that act on behalf of this account', () => {
    // The policy of a key must allow its own account: without that statement, nobody could change the policy.
    const keys = resourcesOf(template, 'AWS::KMS::Key')
      .flatMap(({ properties }) => statementsIn(properties.KeyPolicy))
      .filter(({ Principal }) => !/"AWS::AccountId"\},":root"/.test(JSON.stringify(Principal)));
    for (const { Principal, Condition } of [...allowed, ...keys].filter((each) => each.Principal)) {
      expect(Object.keys(Principal as object)).toEqual(['Service']);
      expect(JSON.stringify(Condition)).toMatch(/aws:Source(Arn|Account)/i);
    }
  });

  test('services assume the roles on behalf of this account only, apart from Lambda', () => {
    const statements = resourcesOf(template, 'AWS::IAM::Role')
      .flatMap(({ properties }) => statementsIn(properties.AssumeRolePolicyDocument))
      .filter(({ Principal }) => JSON.stringify(Principal) !== '{"Service":"lambda.amazonaws.com"}');

    for (const { Condition } of statements) {
      expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
    }
  });

  test('no role has a managed policy, except the logging role of the gateway', () => {
    const managed = resourcesOf(template, 'AWS::IAM::Role').filter(
      ({ properties }) => properties.ManagedPolicyArns,
    );
    for (const { id } of managed) expect(id).toMatch(/^ApiCloudWatchRole/);
  });
});

test('only the functions that make attempts at deliveries may send mail, from the address of the operator', () => {
  const granted = everyTemplate().flatMap(({ stack, template }) =>
    resourcesOf(template, 'AWS::IAM::Policy').flatMap(({ properties }) =>
      statementsIn(properties.PolicyDocument)
        .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('ses:')))
        .map((statement) => ({ ...statement, stack, role: JSON.stringify(properties.Roles) })),
    ),
  );

  expect(granted.length).toBeGreaterThan(0);
  for (const { Action, Resource, Condition, stack, role } of granted) {
    expect(stack).toContain('with every setting given');
    expect(role).toMatch(/"Ref":"(Deliver(Again)?|Keyword)Function/);
    expect(Action).toBe('ses:SendEmail');
    expect(JSON.stringify(Resource)).toMatch(/:identity\/example\.com"\]\]\}$/);
    expect(Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'reports@example.com' } });
  }
});
