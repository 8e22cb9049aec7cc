/** The dashboard shows every metric of the service, and every part of it. */
import { expect, test } from 'vitest';
import { metrics } from '../../lib/runtime/metrics.ts';
import { resourcesOf, withApp } from './template.ts';

const [service, ops] = withApp({ stage: 'prod', context: {} }, (app) =>
  app.synth().stacks.map(({ template }) => template),
);

/** The body as CloudWatch gets it, with the text of each reference in its place. */
const body = (): {
  widgets: { x: number; y: number; properties: { title: string; metrics: unknown[] } }[];
} => {
  const [dashboard] = resourcesOf(ops, 'AWS::CloudWatch::Dashboard');
  if (!dashboard) throw new Error('The template has no dashboard');
  const { 'Fn::Join': join } = dashboard.properties.DashboardBody as { 'Fn::Join': [string, unknown[]] };
  return JSON.parse(
    join[1]
      .map((part) => (typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'")))
      .join(''),
  );
};

test('its name contains the stage and the region, because a name is unique in the whole account', () => {
  const [dashboard] = resourcesOf(ops, 'AWS::CloudWatch::Dashboard');

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

  for (const { id } of resourcesOf(service, type)) expect(shown).toContain(id);
});

test('it has a graph of the cost of the service, and the title names what is not included', () => {
  const cost = body().widgets.find(({ properties }) => properties.title.startsWith('Dollars'));

  expect(cost?.properties.title).toContain('no storage, logs, traces or data transfer');
  for (const part of ['Gateway', 'Functions', 'Machines', 'Queues', 'Tables']) {
    expect(JSON.stringify(cost?.properties.metrics)).toContain(`"label":"${part}"`);
  }
});
