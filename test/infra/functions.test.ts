import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { definitionOf, resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');
const functions = resourcesOf(prod, 'AWS::Lambda::Function');

test('every function is traced, runs Node 24, logs to a group of its own, and reserves nothing', () => {
  for (const { properties } of functions) {
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogGroup: { Ref: expect.any(String) } },
    });
    expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
  }
  const groups = functions.map(({ properties }) => JSON.stringify(properties.LoggingConfig));
  const roles = functions.map(({ properties }) => JSON.stringify(properties.Role));
  expect(new Set(groups).size).toBe(functions.length);
  expect(new Set(roles).size).toBe(functions.length);
});

test('every function runs on arm64 but the one with Chromium, which is built for x86_64', () => {
  const others = functions.filter(
    ({ properties }) => JSON.stringify(properties.Architectures) !== '["arm64"]',
  );

  expect(others).toMatchObject([
    {
      metadata: { Entry: 'functions/crawl/render-page.ts' },
      properties: { Architectures: ['x86_64'], MemorySize: 2048, Timeout: 90 },
    },
  ]);
});

test('every function names the file that it is made from', () => {
  const entries = functions.map(({ metadata }) => String(metadata.Entry));

  expect(new Set(entries).size).toBe(12);
  for (const entry of entries) {
    expect(entry).toMatch(/^functions\/[a-z-]+\/[a-z-]+\.ts$/);
    expect(existsSync(new URL(`../../${entry}`, import.meta.url))).toBe(true);
  }
});

test('no role has a managed policy but the one of the gateway', () => {
  const managed = resourcesOf(prod, 'AWS::IAM::Role').filter(
    ({ properties }) => properties.ManagedPolicyArns,
  );

  expect(managed.map(({ id }) => id)).toEqual([expect.stringMatching(/^ApiCloudWatchRole/)]);
});

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };

const statements = resourcesOf(prod, 'AWS::IAM::Policy').flatMap(
  ({ properties }) => (properties.PolicyDocument as { Statement: Statement[] }).Statement,
);

test('no grant has a wildcard for an action', () => {
  const actions = statements.flatMap(({ Action }) => Action);

  expect(actions.length).toBeGreaterThan(30);
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

test('only traces and the delivery of logs are granted on everything', () => {
  const onEverything = statements.filter(({ Resource }) => Resource === '*').flatMap(({ Action }) => Action);

  expect(new Set(onEverything)).toEqual(
    new Set([
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
    ]),
  );
});

test('other wildcards are the prefixes of the bucket', () => {
  const partly = statements
    .flatMap(({ Resource }) => Resource)
    .filter((resource) => resource !== '*' && JSON.stringify(resource).includes('*'));

  expect(partly.length).toBeGreaterThan(5);
  for (const resource of partly) {
    expect(JSON.stringify(resource)).toMatch(
      /"Bucket\w+","Arn"\]\},"\/(html|results|deliveries)\/\*"\]\]\}$/,
    );
  }
});

test('every log is kept for a while, and not for ever', () => {
  const kept = resourcesOf(prod, 'AWS::Logs::LogGroup').map(({ properties }) => properties.RetentionInDays);

  expect(kept.length).toBeGreaterThan(functions.length);
  expect(new Set(kept)).toEqual(new Set([90]));
});

type State = {
  Type: string;
  TimeoutSeconds?: number;
  Retry?: unknown;
  Catch?: unknown;
  ItemProcessor?: { States: States };
};
type States = Record<string, State>;

const statesOf = (states: States): [string, State][] =>
  Object.entries(states).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.ItemProcessor ? statesOf(state.ItemProcessor.States) : []),
  ]);

test.each([
  ['CrawlMachine', ['FetchPage', 'ParseTask', 'PlanPages', 'RenderPage', 'ResolveLinks']],
  ['PostbackMachine', ['DeliverAgain', 'ParkDelivery']],
] as const)('every step of %s ends in time, is tried again, and is caught', (machine, names) => {
  const tasks = statesOf(definitionOf(prod, machine).States).filter(([, { Type }]) => Type === 'Task');

  expect(tasks.map(([name]) => name).sort()).toEqual(names);
  for (const [, task] of tasks) {
    expect(task.TimeoutSeconds).toBeGreaterThan(0);
    expect(task.Retry).toMatchObject([{ ErrorEquals: ['States.ALL'], MaxAttempts: 3 }]);
    expect(task.Catch).toMatchObject([{ ErrorEquals: ['States.ALL'] }]);
  }
});

test('a step is ended by its function before the machine gives it up', () => {
  for (const machine of ['CrawlMachine', 'PostbackMachine'] as const) {
    for (const [, { TimeoutSeconds, ...task }] of statesOf(definitionOf(prod, machine).States)) {
      if (task.Type !== 'Task') continue;
      const run = functions.find(({ id }) => JSON.stringify(task).includes(`function:${id}"`));
      expect(TimeoutSeconds).toBeGreaterThan(Number(run?.properties.Timeout));
    }
  }
});

test('both machines are traced and logged; the crawl is EXPRESS, the postback STANDARD', () => {
  const machines = resourcesOf(prod, 'AWS::StepFunctions::StateMachine').map(({ properties }) => properties);

  expect(machines).toMatchObject([
    {
      StateMachineType: 'EXPRESS',
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: 'ERROR' },
    },
    {
      StateMachineType: 'STANDARD',
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: 'ALL' },
    },
  ]);
});
