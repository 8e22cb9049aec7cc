/** Every alarm of every stage says what it means and tells somebody; every line of the log is in the runbook as well. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { metrics } from '../../lib/runtime/metrics.ts';
import { everyTemplate, resourcesOf } from './template.ts';

const runbook = readFileSync(new URL('../../infra/RUNBOOK.md', import.meta.url), 'utf8');
const parts = runbook.split(/^## /m).slice(1);
/** Those on an alarm are headed by its name; one more tells of the log. */
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

  test('every alarm tells the one topic when it rings and when it stops; no traffic is no alarm', () => {
    const topics = both.flatMap(({ template }) => resourcesOf(template, 'AWS::SNS::Topic'));

    expect(topics).toHaveLength(1);
    for (const { properties } of both.flatMap(alarmsOf)) {
      expect(JSON.stringify(properties.AlarmActions)).toContain(topics[0]?.id);
      expect(properties.OKActions).toEqual(properties.AlarmActions);
      expect(properties.TreatMissingData).toBe('notBreaching');
    }
  });

  test('the service is deployed without a thought for who watches it', () => {
    const outputs = both.flatMap(({ template }) => Object.values(template.Outputs ?? {}));

    expect(outputs.filter((output) => 'Export' in output)).toEqual([]);
    expect(JSON.stringify(both)).not.toContain('Fn::ImportValue');
  });
});

test('the topic takes what CloudWatch says, over TLS alone, and mail goes to whom it was given', () => {
  const given = stacks.find(({ stack }) => stack === 'SearchRanking-prod (prod, with every setting given)');
  if (!given) throw new Error('There is no such stack');
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
  'the section %s says what it means, where to look, and what to do',
  (_, section) => {
    for (const heading of ['What it means.', 'Where to look.', 'What to do.']) {
      expect(section).toContain(`**${heading}**`);
    }
  },
);

test('links within the runbook lead somewhere', () => {
  for (const [, target] of runbook.matchAll(/\]\(#([^)]+)\)/g))
    expect(sections.map(nameOf)).toContain(target);
});

const lines = parts.find((part) => part.startsWith('What a line'))?.split('\n') ?? [];

test.each(Object.entries(metrics))(
  'the runbook tells of the metric %s, and by what it is measured',
  (name, { by }) => {
    const row = lines.find((line) => line.includes(`\`${name}\``));

    expect(/\[(.*)\]/.exec(row ?? '')?.[1] ?? '').toBe(by.join(', '));
  },
);
