/** Writes an alert or the summary of a week as a mail. Its texts are those of others. Pure. */
import { Marked } from 'marked';
import type { AlertPayload, WeekSummary } from '../model/alert.ts';
import { isolated } from '../model/isolated.ts';
import type { MailMessage } from '../model/mail.ts';
import { escaped, plain } from '../model/markdown.ts';
import { detailsOf, listedChanges, moreText, short, titleOf } from './chat-message.ts';

/** Without the rule that makes links of addresses in a text: the texts are those of others. */
const markdown = new Marked({ async: false, gfm: true, tokenizer: { url: () => undefined } });

/** Markdown without its escapes, as people read it. */
const textOf = (source: string): string =>
  source
    .replace(/^\|(?:-+\|)+\n/gm, '')
    .replace(/\\([\\`*_{}[\]<>()#+\-.!|~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

/** A title of one line, in which no mail program reads an encoded word. */
const subjectOf = (title: string): string => title.replaceAll('=?', '= ?');

/** Where a person reads and changes the rule of a project. */
const consoleUrl = (baseUrl: string, projectId: number): string =>
  `${baseUrl}/console#/projects/${projectId}?tab=alerts`;

/** The project in the console, and how the mails end. */
const footer = (baseUrl: string, projectId: number): string =>
  [
    '',
    '---',
    '',
    'A rule of alerts of this project sends these mails to you. A person who may change the project can end them: remove your address from the rule' +
      (baseUrl ? `, in the console: <${consoleUrl(baseUrl, projectId)}>` : '.'),
  ].join('\n');

const sampleFooter = (userId: number): string =>
  [
    '',
    '---',
    '',
    `User ${userId} of this service asked for this sample of an alert. It is sent once, and its figures are an example.`,
  ].join('\n');

const messageOf = (title: string, source: string): MailMessage => ({
  subject: subjectOf(title),
  text: textOf(source),
  html: `<!doctype html>\n<html lang="en"><body>\n${markdown.parse(source)}</body></html>\n`,
});

const mailOf = (alert: AlertPayload, ending: string): MailMessage => {
  const title = titleOf(alert);
  const lines = alert.changes.slice(0, listedChanges).flatMap((change) => {
    const { keyword, chart_url: chart } = change;
    const link = URL.canParse(chart) ? `  <${chart}>` : [];
    return [`- ${plain(short(keyword))}: ${escaped(detailsOf(change))}`, link].flat();
  });
  const more = moreText(alert).flatMap((text) => ['', escaped(text)]);
  const source = [`# ${escaped(title)}`, '', ...lines, ...more, ending].join('\n');
  return messageOf(title, source);
};

/** The mail of an alert. `baseUrl`: of the links to the console; empty if it is not known. */
export const alertMail = (alert: AlertPayload, baseUrl: string): MailMessage =>
  mailOf(alert, footer(baseUrl, alert.project_id));

/** The mail of a sample of an alert, which says who asked for it. It has no links. */
export const sampleMail = (sample: AlertPayload, userId: number): MailMessage => {
  // Its charts do not exist.
  const changes = sample.changes.map((change) => ({ ...change, chart_url: '' }));
  const { subject, ...message } = mailOf({ ...sample, changes }, sampleFooter(userId));
  return { ...message, subject: `Sample: ${subject}` };
};

/** The mail of the summary of a week. */
export const summaryMail = (
  { project_id, project_name, day, markdown: summary }: WeekSummary,
  baseUrl: string,
): MailMessage =>
  messageOf(`${isolated(short(project_name))}: the week to ${day}`, summary + footer(baseUrl, project_id));
