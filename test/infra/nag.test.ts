/** Runs two rule packs of cdk-nag on every stack of every stage: AwsSolutions and Serverless. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { afterAll, expect, test } from 'vitest';
import { variants, withApp } from './template.ts';

/** CDK would leave its folder behind. */
const outdir = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const findings = (scope: IConstruct): string[] =>
  [new AwsSolutionsChecks(), new ServerlessChecks()].flatMap((pack) =>
    pack
      .validateScope(scope)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      ),
  );

test.each(variants)('neither pack finds anything in $name', (variant) => {
  expect(withApp(variant, findings)).toEqual([]);
});

test('the packs find the faults of a careless stack', () => {
  const stack = new Stack(new App({ outdir }), 'Careless');
  new Bucket(stack, 'Open');
  new LambdaFunction(stack, 'Lost', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = () => {}'),
  });

  expect(findings(stack)).toEqual(
    expect.arrayContaining([
      'AwsSolutions-S10 Careless/Open/Resource',
      'Serverless-LambdaDLQ Careless/Lost/Resource',
    ]),
  );
});

test('every acknowledgement has a reason of more than ten words, and none covers a whole stack', () => {
  const acknowledged = (construct: IConstruct) =>
    construct.node.metadata.filter(({ type }) => type.includes('acknowledge')).map(({ data }) => data);
  const [onScopes, all] = withApp({ stage: 'prod', context: {} }, (app) => [
    [app, ...app.node.children].flatMap(acknowledged),
    app.node.findAll().flatMap(acknowledged),
  ]);

  expect(onScopes).toEqual([]);
  expect(all?.length).toBeGreaterThan(20);
  for (const rules of all ?? []) {
    for (const reason of Object.values(rules as Record<string, string>)) {
      expect(reason.split(' ').length).toBeGreaterThan(10);
    }
  }
});
