/** Alerts as messages of Slack and Microsoft Teams. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import samples from '../../../events/webhooks.json' with { type: 'json' };
import { type AlertChange, AlertPayload } from '../../../lib/model/alert.ts';
import { SlackMessage, TeamsMessage } from '../../../lib/model/chat-message.ts';
import { AnyPayload } from '../../../lib/model/delivery.ts';
import { alertMessage, detailsOf, short } from '../../../lib/postback/chat-message.ts';

const sample = v.parse(AlertPayload, samples.alert);
const [change] = sample.changes as [AlertChange];
const alertOf = (changes: Partial<AlertChange>[], project_name = sample.project_name): AlertPayload => ({
  ...sample,
  project_name,
  changes: changes.map((each) => ({ ...change, ...each })),
});

const slackOf = (alert: AlertPayload) => v.parse(SlackMessage, alertMessage(alert, 'slack'));
const teamsOf = (alert: AlertPayload) =>
  v
    .parse(TeamsMessage, alertMessage(alert, 'teams'))
    .attachments.flatMap(({ content }) =>
      content.body.map(({ inlines }) =>
        inlines
          .map(({ text, selectAction }) => (selectAction ? `[${text}](${selectAction.url})` : text))
          .join(''),
      ),
    );

test('the standard form is the payload itself', () => {
  expect(alertMessage(sample, 'standard')).toBe(sample);
});

test('Slack gets a header, and a section for each change with a link to its chart', () => {
  expect(slackOf(sample)).toEqual({
    text: 'Coffee shop: 1 change on 2026-11-22',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Coffee shop: 1 change on 2026-11-22' } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text:
            '<https://api.example.com/charts/1.1830556800.Mzc2NzM5.AAAA.svg|coffee grinder>\n' +
            '6 → 4 (▲2) · Google, Berlin,Germany, mobile · entered top 10',
        },
      },
    ],
  });
});

test('Teams gets an Adaptive Card with the same', () => {
  expect(teamsOf(sample)).toEqual([
    'Coffee shop: 1 change on 2026-11-22',
    '[coffee grinder](https://api.example.com/charts/1.1830556800.Mzc2NzM5.AAAA.svg) ' +
      '6 → 4 (▲2) · Google, Berlin,Germany, mobile · entered top 10',
  ]);
});

test.each([
  [{ previous_position: 3, position: 1000 }, '3 → not ranked (▼98)'],
  [{ previous_position: 1000, position: 1000, reasons: ['not_cited'] }, 'not ranked → not ranked ·'],
  [{ reasons: ['lost_first'], lost_to: 'rival.example' }, 'lost the first place to rival.example'],
  [{ reasons: ['cited'] }, 'cited in the AI overview'],
] as [Partial<AlertChange>, string][])('of %j it says %j', (changes, text) => {
  expect(slackOf(alertOf([changes])).blocks[1]?.text.text).toContain(text);
});

test('a change whose only reason is the movement says no more', () => {
  expect(detailsOf({ ...change, reasons: ['moved'] })).toBe('6 → 4 (▲2) · Google, Berlin,Germany, mobile');
});

test('several reasons are a list', () => {
  const details = detailsOf({
    ...change,
    reasons: ['moved', 'lost_first', 'not_cited'],
    lost_to: 'a.example',
  });

  expect(details).toMatch(/ · lost the first place to a\.example, no longer cited in the AI overview$/);
});

test('twenty changes are listed, and of more it says how many', () => {
  const countOf = (changes: number) => slackOf(alertOf(Array(changes).fill({}))).blocks.length;

  expect([countOf(20), countOf(21)]).toEqual([21, 22]);
  expect(teamsOf(alertOf(Array(21).fill({}))).at(-1)).toBe('and 1 change more');
});

test('a text of 100 characters is not cut', () => {
  expect(short('a'.repeat(100))).toBe('a'.repeat(100));
  expect(short('a'.repeat(101))).toBe(`${'a'.repeat(99)}…`);
});

describe('texts of others', () => {
  const hostile = '<!channel> <https://evil.example|free> & [x](https://evil.example) \n*b* \u202e\u0000';

  test('are no links, mentions or lines of Slack', () => {
    const [header, section] = slackOf(alertOf([{ keyword: hostile, lost_to: '<!here>' }], hostile)).blocks;

    expect(header?.text.text).not.toContain('\n');
    expect(section?.text.text.match(/<[^>]*>/g)).toHaveLength(1);
    expect(section?.text.text.split('\n')).toHaveLength(2);
    expect(slackOf(alertOf([], hostile)).text).not.toMatch(/[<>\p{C}]/u);
  });

  test('are as they were in Slack', () => {
    const { blocks } = slackOf(alertOf([{ keyword: 'a & b < c > d', chart_url: '' }]));

    expect(blocks[1]?.text.text).toMatch(/^a &amp; b &lt; c &gt; d\n/);
  });

  test('are no Markdown of Teams, which knows none in a run of text', () => {
    const message = alertMessage(alertOf([{ keyword: hostile, location_name: hostile }], hostile), 'teams');

    expect(JSON.stringify(message)).not.toContain('"TextBlock"');
    expect(JSON.stringify(message)).toContain('[x](https://evil.example) *b*');
    expect(JSON.stringify(message)).not.toMatch(/[\p{C}]/u);
  });

  test.each(['&', '"', '\u{1F600}', '語'])('of many %s fit into what Slack and Teams take', (sign) => {
    const text = sign.repeat(2048);
    const many = alertOf(
      Array.from({ length: 1000 }, () => ({ keyword: text, location_name: text, lost_to: text })),
      sign.repeat(256),
    );
    const { blocks } = slackOf(many);

    expect(blocks).toHaveLength(22);
    expect(blocks.at(-1)?.text.text).toBe('and 980 changes more');
    expect(Math.max(...blocks.slice(1).map(({ text }) => text.text.length))).toBeLessThan(3000);
    expect([...(blocks[0]?.text.text ?? '')].length).toBeLessThanOrEqual(150);
    expect(Buffer.byteLength(JSON.stringify(alertMessage(many, 'teams')))).toBeLessThan(28_000);
  });
});

test('a message is kept as it is while it is parked', () => {
  for (const format of ['slack', 'teams'] as const) {
    const message = alertMessage(sample, format);
    expect(v.parse(AnyPayload, message)).toEqual(message);
  }
});

test('a chart whose address is only a path has no link, which the programs would refuse', () => {
  const alert = alertOf([{ chart_url: '/charts/1.AAAA.svg' }]);

  expect(slackOf(alert).blocks[1]?.text.text).toMatch(/^coffee grinder\n6 → 4/);
  expect(teamsOf(alert)[1]).toMatch(/^coffee grinder 6 → 4/);
});
