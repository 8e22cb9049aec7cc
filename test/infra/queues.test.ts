/** How the queues of a stage are consumed. */
import { expect, test } from 'vitest';
import { placesPerUser } from '../../lib/postback/policy.ts';
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
])('%s gives %i messages at a time, and gathers them for %i s', (name, size, window) => {
  expect(mappingOf(name).properties).toMatchObject({
    BatchSize: size,
    MaximumBatchingWindowInSeconds: window,
  });
});

test.each(['local', 'dev', 'prod'])(
  'no user of %s can hold up all copies of the postback consumer',
  (stage) => {
    const mapping = resourcesOf(templateOf(stage), 'AWS::Lambda::EventSourceMapping').find(({ properties }) =>
      JSON.stringify(properties.EventSourceArn).includes('"PostbackQueue'),
    );
    const { MaximumConcurrency } = (mapping?.properties.ScalingConfig ?? {}) as {
      MaximumConcurrency?: number;
    };

    expect(MaximumConcurrency).toBeGreaterThan(placesPerUser);
  },
);

test('the consumers of dev leave room in an account that runs ten functions at a time', () => {
  const most = resourcesOf(templateOf('dev'), 'AWS::Lambda::EventSourceMapping').map(
    ({ properties }) => (properties.ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency,
  );

  expect(most.length).toBe(3);
  // The sweeper, and two for the pages.
  expect(most.reduce((sum, each) => sum + each, 0) + 3).toBeLessThanOrEqual(10);
});
