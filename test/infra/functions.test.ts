/** The functions and machines of `prod`, in addition to the rules for all stages (`everywhere.test.ts`). */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { seconds } from '../../infra/function-limits.ts';
import { acceptSeconds, maxWaitSeconds } from '../../lib/task/timing.ts';
import { idsIn, resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');
const functions = resourcesOf(prod, 'AWS::Lambda::Function');

test('every function runs on arm64, except the one with Chromium, which runs on x86_64', () => {
  const others = functions.filter(
    ({ properties }) => JSON.stringify(properties.Architectures) !== '["arm64"]',
  );

  expect(others).toMatchObject([
    {
      metadata: { Entry: 'functions/crawl/render-page.ts' },
      properties: { Architectures: ['x86_64'], MemorySize: 1769, Timeout: 60 },
    },
  ]);
});

test('every entry file is a function, whose description and metadata name it', () => {
  const entries = functions.map(({ metadata }) => String(metadata.Entry));
  const root = fileURLToPath(new URL('../../', import.meta.url));

  // The folders below an area have its operations, which its function answers.
  expect(entries.toSorted()).toEqual(globSync('functions/*/*.ts', { cwd: root }).toSorted());
  expect(functions.map(({ properties }) => properties.Description)).toEqual(entries);
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

test('a function of the API ends before others may continue its request, and later than any wait', () => {
  expect(seconds.api).toBeLessThan(acceptSeconds);
  expect(seconds.api).toBeGreaterThan(maxWaitSeconds);
});

test('a scheduled run is never tried again: neither by Lambda nor by EventBridge', () => {
  const scheduled = functions.filter(({ metadata }) =>
    String(metadata.Entry).startsWith('functions/schedule/'),
  );
  const rules = resourcesOf(prod, 'AWS::Events::Rule').map(({ properties }) => properties);

  expect(scheduled).toHaveLength(6);
  const configured = resourcesOf(prod, 'AWS::Lambda::EventInvokeConfig');
  expect(configured.flatMap(({ properties }) => idsIn(properties.FunctionName)).sort()).toEqual(
    scheduled.map(({ id }) => id).sort(),
  );
  for (const { properties } of configured) {
    expect(properties).toMatchObject({
      Qualifier: '$LATEST',
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  }
  for (const target of rules.flatMap(({ Targets }) => Targets as Record<string, unknown>[])) {
    expect(target.RetryPolicy).toMatchObject({ MaximumRetryAttempts: 0 });
  }
});
