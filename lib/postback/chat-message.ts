/** Writes an alert as a message of Slack or Microsoft Teams. Keywords and pages are texts of others. Pure. */
import type { AlertChange, AlertPayload } from '../model/alert.ts';
import type { AlertFormat, SlackMessage, TeamsMessage, TextRun } from '../model/chat-message.ts';
import { engines } from '../model/engine.ts';
import { isolated } from '../model/isolated.ts';
import { countedPosition, notFound } from '../model/tracking.ts';

/** Changes that a message lists, also a mail. Slack takes 50 blocks, and Teams 28 KB. */
export const listedChanges = 20;

/** Characters of a keyword or a name in a message, and its bytes in UTF-8. */
const maxText = 100;
const maxBytes = 240;

/** The text on one line, without control characters, and not longer than `maxText` and `maxBytes`. */
export const short = (text: string): string => {
  // Two invisible signs are part of words and of emoji: the joiner, and the non-joiner of Persian.
  const characters = [...text.replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ').trim()];
  let bytes = 0;
  const fits = characters.findIndex((character, n) => {
    bytes += Buffer.byteLength(character);
    return n >= maxText || bytes > maxBytes;
  });
  return fits < 0 ? characters.join('') : `${characters.slice(0, fits - 1).join('')}…`;
};

/** Whether a chat program can open the address: it is empty, or a path in an alert of a former release. */
const isAddress = (url: string): boolean => URL.canParse(url);

/** A text of others for a line of a message. */
const named = (text: string): string => isolated(short(text));

const numberOf = (changes: number): string => `${changes} ${changes === 1 ? 'change' : 'changes'}`;

export const titleOf = ({ project_name, alert_date, changes }: AlertPayload): string =>
  `${named(project_name)}: ${numberOf(changes.length)} on ${alert_date}`;

const positionText = (position: number): string => (position === notFound ? 'not ranked' : String(position));

const reasonWords: Partial<Record<AlertChange['reasons'][number], string>> = {
  cited: 'cited in the AI overview',
  not_cited: 'no longer cited in the AI overview',
  lost_first: 'lost the first place',
};

const reasonText = (reason: AlertChange['reasons'][number], lostTo: string | null): string =>
  (reasonWords[reason] ?? reason.replaceAll('_', ' ')) +
  (reason === 'lost_first' && lostTo ? ` to ${named(lostTo)}` : '');

/** What is said of a change behind its keyword. */
export const detailsOf = (change: AlertChange): string => {
  const { engine, location_name, iso_code, device, previous_position, position, reasons, lost_to } = change;
  const moved = countedPosition(previous_position) - countedPosition(position);
  const arrow = moved === 0 ? '' : ` (${moved > 0 ? '▲' : '▼'}${Math.abs(moved)})`;
  const said = reasons.filter((reason) => reason !== 'moved').map((reason) => reasonText(reason, lost_to));
  return [
    `${positionText(previous_position)} → ${positionText(position)}${arrow}`,
    `${engines[engine].title}, ${named(location_name || iso_code)}, ${device}`,
    ...(said.length > 0 ? [said.join(', ')] : []),
  ].join(' · ');
};

export const moreText = ({ changes }: AlertPayload): string[] =>
  changes.length > listedChanges ? [`and ${numberOf(changes.length - listedChanges)} more`] : [];

/** Slack reads these three characters as the begin of links, mentions and entities. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const slackMessage = (alert: AlertPayload): SlackMessage => {
  const title = titleOf(alert);
  const section = (text: string) => ({
    type: 'section' as const,
    text: { type: 'mrkdwn' as const, text, verbatim: true as const },
  });
  const lineOf = (change: AlertChange): string => {
    const keyword = slackText(named(change.keyword));
    const linked = isAddress(change.chart_url) ? `<${change.chart_url}|${keyword}>` : keyword;
    return `${linked}\n${slackText(detailsOf(change))}`;
  };
  return {
    text: slackText(title),
    blocks: [
      // A header is a plain text, which needs no escapes.
      { type: 'header', text: { type: 'plain_text', text: title } },
      ...alert.changes.slice(0, listedChanges).map((change) => section(lineOf(change))),
      ...moreText(alert).map(section),
    ],
  };
};

/** Runs of text, because a text block is Markdown, whose escapes some programs of Teams show. */
const teamsMessage = (alert: AlertPayload): TeamsMessage => {
  const run = (text: string): TextRun => ({ type: 'TextRun', text });
  const block = (...inlines: TextRun[]) => ({ type: 'RichTextBlock' as const, inlines });
  const changeBlock = (change: AlertChange) => {
    const { chart_url: url } = change;
    const keyword = run(named(change.keyword));
    const linked = { ...keyword, selectAction: { type: 'Action.OpenUrl' as const, url } };
    return block(isAddress(url) ? linked : keyword, run(` ${detailsOf(change)}`));
  };
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block({ ...run(titleOf(alert)), size: 'Large', weight: 'Bolder' }),
            ...alert.changes.slice(0, listedChanges).map(changeBlock),
            ...moreText(alert).map((text) => block(run(text))),
          ],
        },
      },
    ],
  };
};

/** The body of the webhook of an alert in a form. */
export const alertMessage = (
  alert: AlertPayload,
  format: AlertFormat,
): AlertPayload | SlackMessage | TeamsMessage => {
  if (format === 'slack') return slackMessage(alert);
  return format === 'teams' ? teamsMessage(alert) : alert;
};
