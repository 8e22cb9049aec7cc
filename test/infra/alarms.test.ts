/**
 * Every alarm of every stage names its section of the runbook and notifies the topic. The runbook also lists
 * every metric.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runbookAddress } from '../../infra/alarm-links.ts';
import { metrics } from '../../lib/runtime/metrics.ts';
import { everyTemplate, idsIn, resourcesOf } from './template.ts';

const runbook = readFileSync(new URL('../../infra/RUNBOOK.md', import.meta.url), 'utf8');
const parts = runbook.split(/^## /m).slice(1);

/** The heading of an alarm's section is its name. One more section describes the log lines. */
const sections = parts.filter((part) => /^[a-z-]+\n/.test(part));
const nameOf = (section: string) => section.slice(0, section.indexOf('\n'));

const stacks = everyTemplate();
type Stack = (typeof stacks)[number];
const singlesOf = ({ template }: Stack) => resourcesOf(template, 'AWS::CloudWatch::Alarm');
const compositesOf = ({ template }: Stack) => resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm');
const alarmsOf = (stack: Stack) => [...singlesOf(stack), ...compositesOf(stack)];
/** The stack with the data has no alarm. */
const watching = stacks.filter(({ stack }) => !stack.includes('-Data'));
const variants = Object.entries(
  Object.groupBy(watching, ({ stack }) => /\((.+)\)/.exec(stack)?.[1] ?? ''),
).map(([variant, both = []]) => ({ variant, both }));

/**
 * Values that CloudFormation puts in place of references. Names of resources have 80 characters at most, as
 * AWS has it for queues.
 */
const replacementOf = (reference: Record<string, unknown>): string => {
  const pseudo: Record<string, string> = {
    'AWS::Region': 'us-gov-west-1',
    'AWS::AccountId': '123456789012',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const { Ref: name } = reference;
  return (typeof name === 'string' ? pseudo[name] : undefined) ?? 'n'.repeat(80);
};

/** A text as CloudFormation makes it, with this in the place of each reference. */
const textOf = (value: unknown, of: (reference: Record<string, unknown>) => string): string =>
  (value as { 'Fn::Join': ['', (string | Record<string, unknown>)[]] })['Fn::Join'][1]
    .map((part) => (typeof part === 'string' ? part : of(part)))
    .join('');

const logicalIdOf = (reference: Record<string, unknown>): string =>
  idsIn(reference)
    .join()
    .replace(/[0-9A-F]{8}$/, '');

/** The description of an alarm as CloudFormation deploys it. */
const descriptionOf = ({ properties }: ReturnType<typeof alarmsOf>[number]): string =>
  textOf(properties.AlarmDescription, replacementOf);

describe.each(variants)('$variant', ({ both }) => {
  const descriptions = both.flatMap(alarmsOf).map(descriptionOf);
  const isForCanary = ({ id }: { id: string }) => id.includes('Canary');

  test('every alarm names a section of the runbook, and every section is an alarm’s', () => {
    const named = descriptions.map((text) => /^Runbook: (.+)$/m.exec(text)?.[1]);

    expect(both).toHaveLength(2);
    const hasCanaries = both.flatMap(alarmsOf).some(isForCanary);
    const names = sections.map(nameOf).filter((name) => hasCanaries || name !== 'canary-failed');
    expect([...new Set(named)].sort()).toEqual(names.map((name) => runbookAddress(name)).sort());
  });

  test('every alarm links to a console page of its region, within the 1,024 characters of a description', () => {
    for (const text of descriptions) {
      const page = /^Console: (.+)$/m.exec(text)?.[1] ?? '';
      const { hostname, searchParams, hash, pathname } = new URL(page);

      expect(hostname).toBe('us-gov-west-1.console.aws.amazon.com');
      expect(searchParams.get('region')).toBe('us-gov-west-1');
      expect(hash || pathname).not.toBe('');
      expect(text.length).toBeLessThanOrEqual(1024);
    }
  });

  const composites = both.flatMap(compositesOf);
  const singles = both.flatMap(singlesOf).filter((alarm) => !isForCanary(alarm));

  test('only the three composite alarms notify the one topic, when they start and when they end', () => {
    const topics = both.flatMap(({ template }) => resourcesOf(template, 'AWS::SNS::Topic'));

    expect(topics).toHaveLength(1);
    expect(composites.map(({ id }) => id.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual([
      'OthersFail',
      'ServiceFails',
      'WorkLeftOver',
    ]);
    for (const { properties } of composites) {
      expect(JSON.stringify(properties.AlarmActions)).toContain(topics[0]?.id);
      expect(properties.OKActions).toEqual(properties.AlarmActions);
    }
    for (const { properties } of singles) {
      expect(properties).not.toHaveProperty('AlarmActions');
      expect(properties).not.toHaveProperty('OKActions');
    }
  });

  test('each single alarm is in the rule of exactly one composite alarm, within the limits of CloudWatch', () => {
    const rules = composites.map(({ properties }) => JSON.stringify(properties.AlarmRule));

    for (const { id } of singles)
      expect(
        rules.filter((rule) => rule.includes(id)),
        id,
      ).toHaveLength(1);
    for (const { properties } of composites) {
      const arn = `arn:aws-us-gov:cloudwatch:us-gov-west-1:123456789012:alarm:${'n'.repeat(80)}`;
      const rule = textOf(properties.AlarmRule, () => arn);
      expect(rule.length).toBeLessThanOrEqual(10_240);
      expect(rule.split('ALARM(').length - 1).toBeLessThanOrEqual(100);
    }
  });

  test('a fault of the service holds back the mails about its consequences', () => {
    const [cause] = composites.filter(({ id }) => id.startsWith('ServiceFails'));
    const [others, leftOver] = composites.filter(({ id }) => !id.startsWith('ServiceFails'));

    expect(cause?.properties).not.toHaveProperty('ActionsSuppressor');
    for (const each of [others, leftOver]) {
      expect(each?.properties).toMatchObject({
        ActionsSuppressor: { 'Fn::GetAtt': [cause?.id, 'Arn'] },
        ActionsSuppressorWaitPeriod: 300,
        ActionsSuppressorExtensionPeriod: 600,
      });
    }
  });

  test('missing data rings for each scheduled function after some of its runs, and for nothing else', () => {
    const silent = singles.filter(({ properties }) => properties.TreatMissingData === 'breaching');
    const quiet = singles.filter(({ properties }) => properties.TreatMissingData === 'notBreaching');

    expect(quiet.length + silent.length).toBe(singles.length);
    const minutesOf = new Map(
      both
        .flatMap(({ template }) => resourcesOf(template, 'AWS::Events::Rule'))
        .map(({ properties }) => [
          idsIn(properties.Targets)
            .find((id) => /Function[0-9A-F]{8}$/.test(id))
            ?.slice(0, -8),
          Number.parseInt(String(properties.ScheduleExpression).slice('rate('.length), 10),
        ]),
    );
    expect(minutesOf.size).toBe(6);
    expect(silent.map(({ id }) => id.replace(/Silent\w{8}$/, '')).sort()).toEqual(
      [...minutesOf.keys()].toSorted(),
    );
    expect(silent.map(({ properties }) => properties.MetricName).sort()).toEqual([
      'Invocations',
      'Invocations',
      'Invocations',
      'OldestTaskSeconds',
      'ResultsRecorded',
      'SearchesPlanned',
    ]);
    for (const { id, properties } of silent) {
      const minutes = minutesOf.get(id.replace(/Silent\w{8}$/, '')) ?? 0;
      expect(properties).toMatchObject({
        Period: 60 * (minutes === 1 ? 10 : 4 * minutes),
        EvaluationPeriods: 1,
        Statistic: 'SampleCount',
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
      });
    }
  });

  test('every queue that a function consumes has an alarm on its oldest message', () => {
    const consumed = both
      .flatMap(({ template }) => resourcesOf(template, 'AWS::Lambda::EventSourceMapping'))
      .flatMap(({ properties }) => idsIn(properties.EventSourceArn));
    const watched = singles
      .filter(({ properties }) => properties.MetricName === 'ApproximateAgeOfOldestMessage')
      .map(({ properties }) => JSON.stringify(properties.Dimensions));

    expect(consumed).toHaveLength(4);
    expect(watched).toHaveLength(4);
    for (const id of consumed) expect(watched.filter((text) => text.includes(id))).toHaveLength(1);
  });

  test('each objective has a fast and a slow window, each with a short one that ends the alarm soon', () => {
    const windows = (objective: string) =>
      singles
        .filter(({ id }) => id.startsWith(objective))
        .map(({ id, properties }) => {
          const periods = JSON.stringify(properties).match(/"Period":(\d+)/g);
          return [
            id.slice(objective.length).replace(/[0-9A-F]{8}$/, ''),
            [...new Set(periods)],
            properties.Threshold,
          ];
        })
        .sort();

    expect(windows('TasksEnd')).toEqual([
      ['FastLong', ['"Period":3600'], 0.856],
      ['FastShort', ['"Period":300'], 0.856],
      ['SlowLong', ['"Period":21600'], 0.94],
      ['SlowShort', ['"Period":1800'], 0.94],
    ]);
    expect(windows('WebhooksArrive').map(([, , threshold]) => threshold)).toEqual([0.28, 0.28, 0.7, 0.7]);
    const rules = composites.map(({ properties }) => textOf(properties.AlarmRule, logicalIdOf)).join();
    for (const pair of ['TasksEndFast', 'TasksEndSlow', 'WebhooksArriveFast', 'WebhooksArriveSlow']) {
      expect(rules).toContain(`(ALARM("${pair}Long") AND ALARM("${pair}Short"))`);
    }
  });

  test('the service stack exports nothing, so it can be deployed independently of the stack that watches it', () => {
    const outputs = both.flatMap(({ template }) => Object.values(template.Outputs ?? {}));

    expect(outputs.filter((output) => 'Export' in output)).toEqual([]);
    expect(JSON.stringify(both)).not.toContain('Fn::ImportValue');
  });
});

test.each([
  ['', 'infra/RUNBOOK.md#api-slow'],
  ['github:owner/name', 'infra/RUNBOOK.md#api-slow'],
  ['https://host.example/owner/name', 'https://host.example/owner/name/blob/HEAD/infra/RUNBOOK.md#api-slow'],
  [
    'git+https://host.example/owner/name.git',
    'https://host.example/owner/name/blob/HEAD/infra/RUNBOOK.md#api-slow',
  ],
])('with the repository "%s" in package.json, alarms link to %s', (repository, address) => {
  expect(runbookAddress('api-slow', repository)).toBe(address);
});

test('CloudWatch may publish to the topic and use its key, and the configured address is subscribed', () => {
  const given = stacks.find(({ stack }) => stack === 'SearchRanking-prod (prod, with every setting given)');
  if (!given) throw new Error('The stack is missing');
  const [key] = resourcesOf(given.template, 'AWS::KMS::Key');
  const [policy] = resourcesOf(given.template, 'AWS::SNS::TopicPolicy');

  for (const [document, actions] of [
    [key?.properties.KeyPolicy, ['kms:Decrypt', 'kms:GenerateDataKey']],
    [policy?.properties.PolicyDocument, 'sns:Publish'],
  ]) {
    expect(document).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Allow',
          Action: actions,
          Principal: { Service: 'cloudwatch.amazonaws.com' },
        }),
      ]),
    });
  }
  expect(resourcesOf(given.template, 'AWS::SNS::Subscription')).toMatchObject([
    { properties: { Protocol: 'email', Endpoint: 'operator@example.com' } },
  ]);
});

test.each(sections.map((section) => [nameOf(section), section]))(
  'the section %s says what the alarm means, where to look, and what to do',
  (_, section) => {
    for (const heading of ['What it means.', 'Where to look.', 'What to do.']) {
      expect(section).toContain(`**${heading}**`);
    }
  },
);

const lines = parts.find((part) => part.startsWith('Log lines and metrics'))?.split('\n') ?? [];

test.each(Object.entries(metrics))('the runbook lists the metric %s with its dimensions', (name, { by }) => {
  const row = lines.find((line) => line.includes(`\`${name}\``));

  expect(/\[(.*)\]/.exec(row ?? '')?.[1] ?? '').toBe(by.join(', '));
});
