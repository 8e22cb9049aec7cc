/** Every alarm of every stage names its section of the runbook and notifies the topic. The runbook also lists every metric. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

describe.each(variants)('$variant', ({ both }) => {
  test('every alarm names a section of the runbook, and every section is an alarm’s', () => {
    const named = new Set(both.flatMap(alarmsOf).map(({ properties }) => properties.AlarmDescription));

    expect(both).toHaveLength(2);
    expect([...named].sort()).toEqual(
      sections.map((section) => `infra/RUNBOOK.md#${nameOf(section)}`).sort(),
    );
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

test('every link within the runbook leads to a section', () => {
  for (const [, target] of runbook.matchAll(/\]\(#([^)]+)\)/g))
    expect(sections.map(nameOf)).toContain(target);
});

const lines = parts.find((part) => part.startsWith('What a line'))?.split('\n') ?? [];

test.each(Object.entries(metrics))('the runbook lists the metric %s with its dimensions', (name, { by }) => {
  const row = lines.find((line) => line.includes(`\`${name}\``));

  expect(/\[(.*)\]/.exec(row ?? '')?.[1] ?? '').toBe(by.join(', '));
});
