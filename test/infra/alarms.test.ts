/**
 * Every alarm of every stage names its section of the runbook and notifies the topic. The runbook also lists
 * every metric.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runbookAddress } from '../../infra/alarm-links.ts';
import { metrics } from '../../lib/runtime/metrics.ts';
import { everyTemplate, resourcesOf } from './template.ts';

const runbook = readFileSync(new URL('../../infra/RUNBOOK.md', import.meta.url), 'utf8');
const parts = runbook.split(/^## /m).slice(1);

/** The heading of an alarm's section is its name. One more section describes the log lines. */
const sections = parts.filter((part) => /^[a-z-]+\n/.test(part));
const nameOf = (section: string) => section.slice(0, section.indexOf('\n'));

const stacks = everyTemplate();
const alarmsOf = ({ template }: (typeof stacks)[number]) => resourcesOf(template, 'AWS::CloudWatch::Alarm');
const variants = Object.entries(Object.groupBy(stacks, ({ stack }) => /\((.+)\)/.exec(stack)?.[1] ?? '')).map(
  ([variant, both = []]) => ({ variant, both }),
);

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

/** The description of an alarm as CloudFormation deploys it. */
const descriptionOf = ({ properties }: ReturnType<typeof alarmsOf>[number]): string => {
  const join = properties.AlarmDescription as { 'Fn::Join': ['', (string | Record<string, unknown>)[]] };
  return join['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : replacementOf(part))).join('');
};

describe.each(variants)('$variant', ({ both }) => {
  const descriptions = both.flatMap(alarmsOf).map(descriptionOf);

  test('every alarm names a section of the runbook, and every section is an alarm’s', () => {
    const named = descriptions.map((text) => /^Runbook: (.+)$/m.exec(text)?.[1]);

    expect(both).toHaveLength(2);
    expect([...new Set(named)].sort()).toEqual(
      sections.map((section) => runbookAddress(nameOf(section))).sort(),
    );
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

  test('every alarm notifies the one topic when it starts and when it ends, and missing data is no alarm', () => {
    const topics = both.flatMap(({ template }) => resourcesOf(template, 'AWS::SNS::Topic'));

    expect(topics).toHaveLength(1);
    for (const { properties } of both.flatMap(alarmsOf)) {
      expect(JSON.stringify(properties.AlarmActions)).toContain(topics[0]?.id);
      expect(properties.OKActions).toEqual(properties.AlarmActions);
      expect(properties.TreatMissingData).toBe('notBreaching');
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
