/** Alerts and summaries as mails: what a person reads, and what the texts of others cannot do. */

import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import samples from '../../../events/webhooks.json' with { type: 'json' };
import { AlertPayload } from '../../../lib/model/alert.ts';
import { AnyPayload } from '../../../lib/model/delivery.ts';
import { alertMail, sampleMail, summaryMail } from '../../../lib/postback/mail-message.ts';

const sample = v.parse(AlertPayload, samples.alert);
const base = 'https://api.example.com';
const change = sample.changes[0];
const alertOf = (text: string): AlertPayload => ({
  ...sample,
  project_name: text,
  changes: [
    { ...change, keyword: text, location_name: text, lost_to: text, reasons: ['lost_first'] } as never,
  ],
});

test('an alert is a mail in both forms, with links to the chart and to the project', () => {
  const { subject, text, html } = alertMail(sample, base);

  expect(subject).toBe('Coffee shop: 1 change on 2026-11-22');
  expect(text).toContain('- coffee grinder: 6 → 4 (▲2) · Google, Berlin,Germany, mobile · entered top 10');
  expect(text).toContain(`<${change?.chart_url}>`);
  expect(text).toContain(`<${base}/console#/projects/${sample.project_id}?tab=alerts>`);
  expect(text).toContain('remove your address from the rule');
  expect(html).toContain('<li>coffee grinder: 6 → 4 (▲2)');
  expect(html.match(/<a href="[^"]+"/g)).toEqual([
    `<a href="${change?.chart_url}"`,
    `<a href="${base}/console#/projects/${sample.project_id}?tab=alerts"`,
  ]);
});

test('without the address of the service, a mail has no link', () => {
  const { text, html } = alertMail({ ...sample, changes: [{ ...change, chart_url: '' } as never] }, '');

  expect(text).not.toMatch(/https?:|\/console/);
  expect(html).not.toContain('<a ');
});

test('a mail lists twenty changes, and says how many more there are', () => {
  const { text } = alertMail({ ...sample, changes: Array(21).fill({ ...change, chart_url: '' }) }, base);

  expect(text.match(/^- coffee grinder/gm)).toHaveLength(20);
  expect(text).toContain('entered top 10\n\nand 1 change more\n');
});

test('the text of a mail is that of its lists, with a rule before the end', () => {
  expect(alertMail({ ...sample, changes: [] }, '').text).toBe(
    '# Coffee shop: 0 changes on 2026-11-22\n\n\n---\n\nA rule of alerts of this project sends these mails to you. ' +
      'A person who may change the project can end them: remove your address from the rule.',
  );
  expect(sampleMail(sample, 7).text).toBe(
    '# Coffee shop: 1 change on 2026-11-22\n\n- coffee grinder: 6 → 4 (▲2) · Google, Berlin,Germany, mobile · entered ' +
      'top 10\n\n---\n\nUser 7 of this service asked for this sample of an alert. It is sent once, and its figures are ' +
      'an example.',
  );
});

test('a sample says who asked for it, and speaks of no rule', () => {
  const { subject, text, html } = sampleMail(sample, 7);

  expect(subject).toBe('Sample: Coffee shop: 1 change on 2026-11-22');
  expect(text).toContain('User 7 of this service asked for this sample of an alert.');
  expect(text).not.toMatch(/https?:|\/console|the rule/);
  expect(html).not.toContain('<a ');
});

test.each([
  ['a name from right to left is kept apart', 'قهوة', '\u2068قهوة\u2069'],
  ['no sign turns what follows', 'a\u202eb\u2067', 'a b'],
  ['a joiner stays in its word', 'می\u200cخواهم', '\u2068می\u200cخواهم\u2069'],
  ['a long name leaves room for the rest', '😀'.repeat(100), `${'😀'.repeat(59)}…`],
])('%s', (_, name, shown) => {
  const { subject, text } = alertMail(alertOf(name), base);

  expect(subject).toBe(`${shown}: 1 change on 2026-11-22`);
  expect(text).toContain(`- ${shown}: 6 → 4 (▲2) · Google, ${shown}, mobile`);
});

test('signs that Markdown and mail programs read are shown as they were written', () => {
  const { subject, text } = alertMail(alertOf('a < b && c > d =? &lt; [e](f)'), base);

  expect(subject).toBe('a < b && c > d = ? &lt; [e](f): 1 change on 2026-11-22');
  expect(text).toContain('- a < b && c > d =? &lt; [e](f): 6 → 4 (▲2)');
});

test('a summary is a mail with its lists and its table', () => {
  const markdown =
    '# Shop: a to b\n\n- a\\.example (▲2)\n\n| domain | share |\n|---|---|\n| a\\.example | 4 % |\n';
  const summary = { project_id: 7, project_name: 'Shop', day: '2026-11-23', markdown };
  const { subject, text, html } = summaryMail(summary, base);

  expect(subject).toBe('Shop: the week to 2026-11-23');
  expect(text).toContain('- a.example (▲2)\n\n| domain | share |\n| a.example | 4 % |\n');
  expect(html).toContain('<td>a.example</td>');
  expect(html).toContain('<li>a.example (▲2)</li>');
});

describe('texts of others', () => {
  test.each([
    'x\r\nBcc: all@evil.example',
    '=?utf-8?B?QmNjOiBldmls?=',
    '<img src=x onerror=alert(1)><script>alert(1)</script>',
    '[free](https://evil.example) https://evil.example www.evil.example a@evil.example',
    '<https://evil.example> &lt;script&gt; ![x](https://evil.example/x.png)',
    '| a | b |\n|---|---|\n# head\n- item',
    '`code` **bold** _it_ ~~no~~ \u202e\u0000',
    '\\[x\\](https://evil.example)',
  ])('add no header, no tag and no link: %j', (hostile) => {
    const messages = [alertMail(alertOf(hostile), base), alertMail(alertOf(hostile.repeat(50)), base)];
    for (const { subject, text, html } of messages) {
      expect(subject).not.toMatch(/\p{C}|=\?/u);
      expect(text).not.toMatch(/[^\P{C}\n]/u);
      const tags = new Set(html.match(/<\/?[a-z]+1?|<!/gi));
      const known = '<! <html <body <h1 </h1 <ul <li <a </a </li </ul <hr <p </p </body </html'.split(' ');
      expect([...tags].filter((tag) => !known.includes(tag))).toEqual([]);
      expect(html.match(/href="https?:..[^/"]+/g)).toEqual(Array(2).fill(`href="${base}`));
    }
  });
});

test('a mail is kept as it is while it is parked', () => {
  const message = alertMail(sample, base);
  expect(v.parse(AnyPayload, message)).toEqual(message);
});
