/** What the functions and machines of `prod` are, beyond what holds everywhere. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');
const functions = resourcesOf(prod, 'AWS::Lambda::Function');

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
  expect(functions.map(({ properties }) => properties.Description)).toEqual(entries);
  for (const entry of entries) {
    expect(entry).toMatch(/^functions\/[a-z-]+\/[a-z-]+\.ts$/);
    expect(existsSync(new URL(`../../${entry}`, import.meta.url))).toBe(true);
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
