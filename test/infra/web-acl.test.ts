/** The optional web ACL of the gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { afterAll, expect, test } from 'vitest';
import { makeWebAcl } from '../../infra/api/web-acl.ts';
import { templateOf } from './template.ts';

/** CDK would leave its folder behind. */
const outdir = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const templateWith = (WAF: string): Template => {
  const stack = new Stack(new App({ outdir, context: { WAF } }), 'Probe');
  const api = new RestApi(stack, 'Api');
  api.root.addMethod('ANY');
  makeWebAcl(stack, api);
  return Template.fromStack(stack);
};

type Rule = {
  Name: string;
  Priority: number;
  Action?: unknown;
  Statement: {
    RateBasedStatement?: unknown;
    ManagedRuleGroupStatement?: { RuleActionOverrides: { Name: string; ActionToUse: unknown }[] };
  };
  VisibilityConfig: unknown;
};

const [acl] = Object.values(templateWith('on').findResources('AWS::WAFv2::WebACL'));
const rules: Rule[] = acl?.Properties.Rules;

test('it protects the stage of the gateway, and allows requests that no rule blocks', () => {
  expect(acl?.Properties).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
  templateWith('on').hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
    ResourceArn: {
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':apigateway:',
          { Ref: 'AWS::Region' },
          '::/restapis/',
          { Ref: 'ApiF70053CD' },
          '/stages/',
          { Ref: 'ApiDeploymentStageprod3EB9684E' },
        ],
      ],
    },
  });
});

test('an address with too many requests gets 429 in the format of the interface', () => {
  const [rate] = rules;
  const { CustomResponseBodies } = acl?.Properties ?? {};

  expect(rate?.Statement.RateBasedStatement).toEqual({
    AggregateKeyType: 'IP',
    EvaluationWindowSec: 60,
    Limit: 6000,
  });
  expect(rate?.Action).toMatchObject({
    Block: { CustomResponse: { ResponseCode: 429, ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }] } },
  });
  expect(JSON.parse(CustomResponseBodies.TooManyRequests.Content)).toEqual({
    detail: expect.stringMatching(/^Too many requests/),
  });
});

test('the managed rules only count what they find in bodies, because batches, queries and webhook addresses are data', () => {
  const groups = rules.flatMap(({ Name, Statement }) =>
    Statement.ManagedRuleGroupStatement
      ? [[Name, Statement.ManagedRuleGroupStatement.RuleActionOverrides] as const]
      : [],
  );

  expect(groups.map(([name]) => name)).toEqual([
    'AWSManagedRulesCommonRuleSet',
    'AWSManagedRulesKnownBadInputsRuleSet',
  ]);
  const overrides = groups.flatMap(([, rules]) => rules);
  for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} });
  expect(overrides.map(({ Name }) => Name)).toEqual(
    expect.arrayContaining(['SizeRestrictions_BODY', 'GenericRFI_BODY', 'EC2MetaDataSSRF_BODY']),
  );
});

test('keeps no samples of requests, because they contain API keys', () => {
  const shown = [acl?.Properties.VisibilityConfig, ...rules.map((rule) => rule.VisibilityConfig)];

  expect(shown.length).toBe(4);
  for (const config of shown) {
    expect(config).toMatchObject({ SampledRequestsEnabled: false, CloudWatchMetricsEnabled: true });
  }
});

test('there is no web ACL without WAF=on; any other value is refused', () => {
  templateWith('').resourceCountIs('AWS::WAFv2::WebACL', 0);
  templateWith('off').resourceCountIs('AWS::WAFv2::WebACL', 0);
  expect(() => templateWith('yes')).toThrow('WAF must be on or off');
});

test('the service stack is the same with and without a web ACL', () => {
  const service = (context: Record<string, string>) => templateOf('prod', context).Resources;

  expect(service({ WAF: 'on' })).toEqual(service({}));
});
