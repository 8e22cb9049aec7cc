import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { placesPerUser } from '../../lib/postback/policy.ts';
import { definitionOf, resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');
const queues = resourcesOf(prod, 'AWS::SQS::Queue');
const alarms = resourcesOf(prod, 'AWS::CloudWatch::Alarm');

const redriveOf = (queue: (typeof queues)[number]) =>
  queue.properties.RedrivePolicy as
    | { maxReceiveCount: number; deadLetterTargetArn: { 'Fn::GetAtt': [string] } }
    | undefined;

const targets = queues.flatMap((queue) => redriveOf(queue)?.deadLetterTargetArn['Fn::GetAtt'][0] ?? []);

test('every queue but those for dead letters has one for them, and four receives', () => {
  const withoutOne = queues.filter((queue) => !redriveOf(queue)).map(({ id }) => id);

  expect(new Set(targets).size).toBe(2);
  expect(withoutOne.filter((id) => !targets.includes(id))).toEqual([
    expect.stringMatching(/^ParkedDeliveries/),
  ]);
  for (const queue of queues) expect(redriveOf(queue)?.maxReceiveCount ?? 4).toBe(4);
});

test('queues are encrypted, and refuse callers without TLS', () => {
  const policies = JSON.stringify(resourcesOf(prod, 'AWS::SQS::QueuePolicy'));

  for (const { id, properties } of queues) {
    expect(properties.SqsManagedSseEnabled).toBe(true);
    expect(policies).toContain(id);
  }
  expect(policies.match(/"aws:SecureTransport":"false"/g)).toHaveLength(queues.length);
});

test('dead letters are kept as long as SQS keeps anything', () => {
  for (const queue of queues.filter((each) => !redriveOf(each))) {
    expect(queue.properties.MessageRetentionPeriod).toBe(14 * 86_400);
  }
});

const sections = readFileSync(new URL('../../infra/RUNBOOK.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('## '))
  .map((line) => line.slice(3));

test('every queue of dead letters has an alarm at the first message', () => {
  const watched = alarms.map(({ properties }) => JSON.stringify(properties.Dimensions));
  const dead = queues.filter((queue) => !redriveOf(queue));

  expect(dead).toHaveLength(3);
  for (const { id } of dead) expect(watched).toContainEqual(expect.stringContaining(id));
  for (const { properties } of alarms) {
    expect(properties).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
  }
});

test('every alarm names a section of the runbook, and every section an alarm', () => {
  expect(alarms.map(({ properties }) => properties.AlarmDescription).sort()).toEqual(
    sections.map((section) => `infra/RUNBOOK.md#${section}`).sort(),
  );
});

const functionOf = (mapping: { properties: Record<string, unknown> }) => {
  const { Ref: id } = mapping.properties.FunctionName as { Ref: string };
  return resourcesOf(prod, 'AWS::Lambda::Function').find((each) => each.id === id)?.properties ?? {};
};

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
])('%s is consumed in parts, with a bound', (name, size, window) => {
  expect(mappingOf(name).properties).toMatchObject({
    BatchSize: size,
    MaximumBatchingWindowInSeconds: window,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: expect.any(Number) },
  });
});

test.each([
  ['CrawlQueue', 'CrawlMachine'],
  // Its consumer does not wait for the machine.
  ['PostbackQueue', undefined],
  ['PatientPostbackQueue', undefined],
] as const)('no message of %s comes again while it is worked on', (name, machine) => {
  const queue = queues.find(({ id }) => id.startsWith(name));
  const consumerTimeout = Number(functionOf(mappingOf(name)).Timeout);

  expect(Number(queue?.properties.VisibilityTimeout)).toBeGreaterThan(consumerTimeout);
  expect(consumerTimeout).toBeGreaterThan(machine ? definitionOf(prod, machine).TimeoutSeconds : 0);
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
