/**
 * The shares of CONCURRENCY: what the API reserves, how many pages a task fetches in parallel, how many
 * requests the gateway accepts.
 */
import { describe, expect, test } from 'vitest';
import { parameterReaders } from '../../infra/cost/load-limits.ts';
import type { Template } from '../../infra/merged-template.ts';
import { sharesOf } from '../../infra/stages.ts';
import { definitionOf, resourcesOf, templateOf } from './template.ts';

const withQuota = (CONCURRENCY: string) => templateOf('prod', { CONCURRENCY });

const reservedIn = (template: Template): Record<string, number> =>
  Object.fromEntries(
    resourcesOf(template, 'AWS::Lambda::Function').flatMap(({ metadata, properties }) =>
      'ReservedConcurrentExecutions' in properties
        ? [[metadata.Entry, Number(properties.ReservedConcurrentExecutions)]]
        : [],
    ),
  );

const throttleIn = (template: Template) => {
  const [stage] = resourcesOf(template, 'AWS::ApiGateway::Stage');
  const [settings] = (stage?.properties.MethodSettings ?? []) as Record<string, unknown>[];
  return [settings?.ThrottlingRateLimit, settings?.ThrottlingBurstLimit];
};

const pagesInParallel = (template: Template): number =>
  definitionOf(template, 'CrawlMachine').States.CrawlPages.MaxConcurrency;

describe.each([
  { quota: '10', reserved: [], pages: 2, throttle: [50, 10] },
  { quota: '100', reserved: [], pages: 10, throttle: [100, 10] },
  { quota: '123', reserved: [], pages: 10, throttle: [123, 12] },
  { quota: '124', reserved: [12, 3, 1, 3, 2, 1, 1, 1], pages: 10, throttle: [124, 12] },
  { quota: '1000', reserved: [100, 30, 10, 30, 20, 10, 10, 10], pages: 10, throttle: [1000, 100] },
])('with CONCURRENCY=$quota', ({ quota, reserved, pages, throttle }) => {
  const template = withQuota(quota);

  test('the API reserves its share if Lambda would still have 100 for the other functions', () => {
    const found = reservedIn(template);

    expect(Object.keys(found)).toEqual(
      reserved.length > 0
        ? ['serp', 'keyword', 'reporting', 'mcp', 'compat', 'account', 'status', 'site'].map(
            (area) => `functions/api/${area}.ts`,
          )
        : [],
    );
    expect(Object.values(found)).toEqual(reserved);
    if (reserved.length > 0) {
      expect(Number(quota) - reserved.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(100);
    }
  });

  test('one task fetches at most a fifth of it in pages, and at most ten', () => {
    expect(pagesInParallel(template)).toBe(pages);
  });

  test('the gateway accepts as many requests a second, and at one instant as many as find a function', () => {
    expect(throttleIn(template)).toEqual(throttle);
  });
});

test('no consumer may run more invocations at a time than Lambda accepts as a maximum', () => {
  const { crawlConcurrency, postbackConcurrency, patientConcurrency, keywordConcurrency } =
    sharesOf(1_000_000);

  expect([crawlConcurrency, postbackConcurrency, patientConcurrency, keywordConcurrency]).toEqual([
    1000, 1000, 1000, 1000,
  ]);
});

test('two stages that divide the quota of an account reserve no more than one stage with all of it', () => {
  const sum = (quota: string) =>
    Object.values(reservedIn(withQuota(quota))).reduce((total, each) => total + each, 0);

  expect(sum('700') + sum('300')).toBeLessThanOrEqual(sum('1000'));
});

test.each(['local', 'localstack'])('%s reserves nothing, whatever CONCURRENCY is', (stage) => {
  const context = { CONCURRENCY: '1000' };

  expect(reservedIn(templateOf(stage, context))).toEqual({});
  expect(pagesInParallel(templateOf(stage))).toBe(10);
});

test('the model of capacity knows all functions that read the settings of the fetchers', () => {
  const readers = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function')
    .filter(({ properties }) => JSON.stringify(properties.Environment).includes('FETCHERS_PARAMETER'))
    .map(({ metadata }) => String(metadata.Entry));

  expect(readers.length).toBeGreaterThan(5);
  expect(readers.toSorted()).toEqual(parameterReaders.toSorted());
});
