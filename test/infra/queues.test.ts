/** The event source mappings of the queues. */
import { expect, test } from 'vitest';
import type { Template } from '../../infra/merged-template.ts';
import { slotsPerUser } from '../../lib/postback/policy.ts';
import { resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');

const mappingOf = (queue: string) => {
  const found = resourcesOf(prod, 'AWS::Lambda::EventSourceMapping').find(({ properties }) =>
    JSON.stringify(properties.EventSourceArn).includes(`"${queue}`),
  );
  if (!found) throw new Error(`Nothing consumes ${queue}`);
  return found;
};

test.each([
  ['CrawlQueue', 10, 0],
  ['PostbackQueue', 10, 0],
  ['PatientPostbackQueue', 30, 1],
  ['KeywordQueue', 100, 1],
])('%s delivers up to %i messages at a time and collects them for %i s', (name, size, window) => {
  expect(mappingOf(name).properties).toMatchObject({
    BatchSize: size,
    MaximumBatchingWindowInSeconds: window,
  });
});

test.each(['local', 'dev', 'prod'])(
  'in %s, one user cannot occupy all copies of the postback consumer',
  (stage) => {
    const mapping = resourcesOf(templateOf(stage), 'AWS::Lambda::EventSourceMapping').find(({ properties }) =>
      JSON.stringify(properties.EventSourceArn).includes('"PostbackQueue'),
    );
    const { MaximumConcurrency } = (mapping?.properties.ScalingConfig ?? {}) as {
      MaximumConcurrency?: number;
    };

    expect(MaximumConcurrency).toBeGreaterThan(slotsPerUser);
  },
);

/** The maximum concurrency of the consumer of each queue. */
const copiesIn = (template: Template): Record<string, number> =>
  Object.fromEntries(
    resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(({ properties }) => [
      /"(\w+Queue)[0-9A-F]{8}"/.exec(JSON.stringify(properties.EventSourceArn))?.[1],
      (properties.ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency,
    ]),
  );

test.each(['dev', 'prod'])(
  'the consumers of the crawl and the webhooks in %s leave three of the ten concurrent functions of a new account to others',
  (stage) => {
    const { CrawlQueue, PostbackQueue, PatientPostbackQueue, KeywordQueue, ...others } = copiesIn(
      templateOf(stage),
    );

    expect(others).toEqual({});
    // Three for the sweeper and two pages.
    expect(CrawlQueue! + PostbackQueue! + PatientPostbackQueue! + 3).toBeLessThanOrEqual(10);
    // The least that SQS accepts. A call to the source of keyword data is short and rare.
    expect(KeywordQueue).toBe(2);
  },
);

test('CONCURRENCY raises the maximum concurrency of the consumers; an invalid value is refused', () => {
  const withQuota = (CONCURRENCY: string) => templateOf('prod', { CONCURRENCY });

  expect(copiesIn(withQuota('1000'))).toEqual({
    CrawlQueue: 125,
    PostbackQueue: 20,
    PatientPostbackQueue: 20,
    KeywordQueue: 5,
  });
  for (const wrong of ['9', '10.5', 'many', '-1'])
    expect(() => withQuota(wrong)).toThrow('CONCURRENCY must be');
});
