/** The dashboard shows every metric of the service, and every part of it. */
import { expect, test } from 'vitest';
import { metrics } from '../../lib/runtime/metrics.ts';
import { resourcesOf, stacksOf } from './template.ts';

const { data, service, ops } = stacksOf('prod');

/** The body as CloudWatch gets it, with the text of each reference in its place. */
const body = (): {
  widgets: { x: number; y: number; properties: { title: string; metrics: unknown[] } }[];
} => {
  const [dashboard] = resourcesOf(ops.template, 'AWS::CloudWatch::Dashboard');
  if (!dashboard) throw new Error('The template has no dashboard');
  const { 'Fn::Join': join } = dashboard.properties.DashboardBody as { 'Fn::Join': [string, unknown[]] };
  return JSON.parse(
    join[1]
      .map((part) => (typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'")))
      .join(''),
  );
};

test('its name contains the stage and the region, because a name is unique in the whole account', () => {
  const [dashboard] = resourcesOf(ops.template, 'AWS::CloudWatch::Dashboard');

  expect(dashboard?.properties.DashboardName).toEqual({
    'Fn::Join': ['', ['SearchRanking-prod-', { Ref: 'AWS::Region' }]],
  });
});

test.each(Object.keys(metrics))('it shows the metric %s', (name) => {
  expect(JSON.stringify(body().widgets.map(({ properties }) => properties.metrics))).toContain(`"${name}"`);
});

test.each([
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::DynamoDB::Table',
  'AWS::StepFunctions::StateMachine',
])('it shows every %s', (type) => {
  const shown = JSON.stringify(body());

  const made = [data, service].flatMap(({ template }) => resourcesOf(template, type));

  expect(made.length).toBeGreaterThan(1);
  for (const { id } of made) expect(shown).toContain(id);
});

test('it has a graph of the cost of the service, and the title names what is not included', () => {
  const cost = body().widgets.find(({ properties }) => properties.title.startsWith('Dollars'));

  expect(cost?.properties.title).toContain('no storage, logs, traces or data transfer');
  for (const part of ['Gateway', 'Functions', 'Machines', 'Queues', 'Tables']) {
    expect(JSON.stringify(cost?.properties.metrics)).toContain(`"label":"${part}"`);
  }
});

/** The expressions of all graphs. */
const expressions = () =>
  body().widgets.flatMap(
    ({ properties }) =>
      JSON.stringify(properties.metrics ?? [])
        .match(/"expression":"[^"]*"/g)
        ?.map((text) => text.slice('"expression":"'.length, -1)) ?? [],
  );

test('every expression has at most 2,048 characters, as CloudWatch accepts it, with room for 30 functions', () => {
  const now = resourcesOf(service.template, 'AWS::Lambda::Function').length;
  const longest = Math.max(...expressions().map(({ length }) => length));

  expect(expressions().length).toBeGreaterThan(5);
  // A sum whose length grew with the functions would be too long before there are 30.
  expect((longest / now) * 30).toBeLessThanOrEqual(2048);
});

test('the cost of the functions contains the calls and the duration of each of them', () => {
  const cost = body().widgets.find(({ properties }) => properties.title.startsWith('Dollars'));
  const shown = JSON.stringify(cost?.properties.metrics);
  const ids = (prefix: string) => [...new Set(shown.match(new RegExp(`"id":"${prefix}\\d+"`, 'g')))];
  const functions = resourcesOf(service.template, 'AWS::Lambda::Function');
  const summed = expressions()
    .join(' ')
    .match(/FILL\(functions\d+, 0\) \*/g);

  expect(ids('functions')).toHaveLength(2 * functions.length);
  expect(new Set(summed).size).toBe(2 * functions.length);
  expect(shown).toMatch(/"expression":"functionspart0( \+ functionspart\d+)+"/);
});

test('the cost of the queues contains the surcharge of fair queues for each request with a message', () => {
  const cost = body().widgets.find(({ properties }) => properties.title.startsWith('Dollars'));
  const shown = JSON.stringify(cost?.properties.metrics);
  // Dollars of a request by the metric that counts it: `FILL(queues0, 0) * 0.0000005…` and its metric.
  const prices = new Map(
    [...shown.matchAll(/FILL\((queues\d+), 0\) \* ([\d.]+)/g)].map(([, id, price]) => [id, Number(price)]),
  );
  const used = [...shown.matchAll(/"AWS\/SQS","(\w+)"[^\]]*?"id":"(queues\d+)"/g)].map(([, metric, id]) => [
    metric,
    prices.get(id),
  ]);

  expect(used).toHaveLength(4 * resourcesOf(service.template, 'AWS::SQS::Queue').length);
  expect(Object.fromEntries(used)).toEqual({
    NumberOfMessagesSent: 0.0000005,
    NumberOfMessagesReceived: 0.0000005,
    NumberOfMessagesDeleted: 0.0000005,
    NumberOfEmptyReceives: 0.0000004,
  });
});
