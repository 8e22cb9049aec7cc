import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, expect, test } from 'vitest';
import { makeApp } from '../../infra/synthesize.ts';

const findings = (stack: Stack) =>
  new AwsSolutionsChecks()
    .validateScope(stack)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );

const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const stackOf = (stage: string) =>
  makeApp({ outdir, context: { stage, 'aws:cdk:bundling-stacks': [] } }).stack;

test.each(['local', 'localstack', 'dev', 'prod'])(
  'the AwsSolutions pack has nothing to say about %s',
  (stage) => {
    expect(findings(stackOf(stage))).toEqual([]);
  },
);

test('the pack speaks up where there is something to say', () => {
  const stack = new Stack(new App({ outdir }), 'Careless');
  new Bucket(stack, 'Open');

  expect(findings(stack)).toContain('AwsSolutions-S10 Careless/Open/Resource');
});

test('every acknowledgement has a reason of its own, and none covers a whole stack', () => {
  const stack = stackOf('prod');
  const acknowledged = (construct: { node: { metadata: { type: string; data?: unknown }[] } }) =>
    construct.node.metadata.filter(({ type }) => type.includes('acknowledge')).map(({ data }) => data);
  const all = stack.node.findAll().flatMap(acknowledged);

  expect(acknowledged(stack)).toEqual([]);
  expect(all.length).toBeGreaterThan(20);
  for (const rules of all) {
    for (const reason of Object.values(rules as Record<string, string>)) {
      expect(reason.split(' ').length).toBeGreaterThan(10);
    }
  }
});
