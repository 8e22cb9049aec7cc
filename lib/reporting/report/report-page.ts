/**
 * The report of a project as an HTML document that is printed on A4. It has no script, no form, no link and
 * no id, and loads nothing. Pure.
 */
import { createHash } from 'node:crypto';
import { isoDay } from '../../model/day.ts';
import type { Note } from '../../model/note.ts';
import type { ProjectOverview } from '../../model/project-overview.ts';
import {
  countedPosition,
  notFound,
  type Project,
  type Rank,
  type TrackedKeyword,
} from '../../model/tracking.ts';
import { escapeXml, shortened } from './chart.ts';
import { bands, bandsChart, legendOf, lineColors, percent, sharesChart } from './report-charts.ts';
import { reportStyle } from './report-style.ts';
import { locationOf, movementOf, ownRank } from './show-keyword.ts';
import { pointsText, positionsByDay, type Shares } from './visibility.ts';

export type ReportInput = {
  project: Project;
  overview: ProjectOverview;
  visibility: Shares;
  keywords: readonly TrackedKeyword[];
  notes: readonly Pick<Note, 'date' | 'text'>[];
  now: number;
};

/**
 * Keywords and notes that a report lists, and characters of a keyword: with all of them, it is far below the
 * 6 MB of Lambda.
 */
const listedKeywords = 500;
const listedNotes = 100;
const shownCharacters = 200;

const shown = (keyword: string): string => shortened(keyword, shownCharacters);

/** Domains that a chart shows. */
const shownDomains = lineColors.length;

/** The value of the Content-Security-Policy that admits the style of the document, and nothing else. */
export const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(reportStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-modals',
].join('; ');

const positionText = (position: number | null | undefined): string => {
  if (position === null || position === undefined) return '–';
  return position === notFound ? 'not ranked' : String(position);
};

const movementText = (movement: number | null): string => {
  if (movement === null) return '–';
  return movement === 0 ? '=' : `${movement > 0 ? '▲' : '▼'} ${Math.abs(movement)}`;
};

const figure = (name: string, value: string, note = ''): string =>
  `<li><span>${name}</span><strong>${value}</strong><small>${note}</small></li>`;

/** A count of keywords as text: what was not measured is not 0. */
const countOf =
  (measured: number) =>
  (count: number): string =>
    measured === 0 ? '–' : String(count);

/** In place of a chart without a measured day. */
const nothingMeasured = '<p>Nothing was measured in these days.</p>';

const figuresOf = ({ now, share, share_change, cited, features }: ProjectOverview): string => {
  const changed = share_change ? `${pointsText(share_change.change)} since ${share_change.since}` : '';
  const ranked = now.keywords - now.not_ranked;
  const counted = countOf(now.keywords);
  const measured = (text: string): string => (now.keywords === 0 ? 'none measured' : text);
  const withOverview = features.find(({ name }) => name === 'ai_overview')?.keywords ?? 0;
  return `<ul class="figures">${[
    figure('Share of voice', percent(share), changed),
    figure(
      'Average position',
      now.average_of_ranked?.toFixed(1) ?? '–',
      measured(`${ranked} of ${now.keywords} ranked`),
    ),
    figure('In the first 3', counted(now.from_1_to_3), measured(`of ${now.keywords} measured`)),
    figure(
      'In the first 10',
      counted(now.from_1_to_3 + now.from_4_to_10),
      measured(`of ${now.keywords} measured`),
    ),
    figure(
      'Cited in AI overviews',
      withOverview === 0 ? '–' : String(cited),
      `of ${withOverview} on the result pages`,
    ),
  ].join('')}</ul>`;
};

/**
 * `isExtra`: a narrow screen does not have room for it. `isName`: a text of others, which may be written from
 * right to left. `note`: below the text.
 */
type Cell = string | { text: string; isNumber?: true; isExtra?: true; isName?: true; note?: string };

const classOf = ({ isNumber, isExtra }: Exclude<Cell, string>): string =>
  [...(isNumber ? ['number'] : []), ...(isExtra ? ['extra'] : [])].join(' ');

/** A text of others, whose letters cannot change the direction of what follows. */
const isolatedText = (text: string): string => `<bdi>${escapeXml(text)}</bdi>`;

const contentOf = ({ text, isName, note }: Exclude<Cell, string>): string =>
  (isName ? isolatedText(text) : escapeXml(text)) + (note ? `<small>${escapeXml(note)}</small>` : '');

const cellOf = (cell: Cell, tag: 'td' | 'th'): string => {
  if (typeof cell === 'string') return `<${tag}>${escapeXml(cell)}</${tag}>`;
  const classes = classOf(cell);
  return `<${tag}${classes && ` class="${classes}"`}>${contentOf(cell)}</${tag}>`;
};

const row = (cells: readonly Cell[], tag: 'td' | 'th'): string =>
  `<tr>${cells.map((cell) => cellOf(cell, tag)).join('')}</tr>`;

const table = (heads: readonly Cell[], rows: readonly (readonly Cell[])[]): string =>
  `<table><thead>${row(heads, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;

const section = (title: string, content: string): string => `<section><h2>${title}</h2>${content}</section>`;

const moreText = (count: number, what = 'more'): string => (count > 0 ? `<p>and ${count} ${what}</p>` : '');

const numbers = (...texts: string[]): Cell[] => texts.map((text) => ({ text, isNumber: true }));

const extraNumbers = (...texts: string[]): Cell[] =>
  texts.map((text) => ({ text, isNumber: true, isExtra: true }));

/** A keyword with its search, because a project can track the same words in several. */
const keywordCell = (
  keyword: Pick<TrackedKeyword, 'keyword' | 'location_name' | 'iso_code' | 'engine' | 'device'>,
  more: readonly string[] = [],
): Cell => ({
  text: shown(keyword.keyword),
  isName: true,
  note: [locationOf(keyword), keyword.engine, keyword.device, ...more].join(', '),
});

const movesTable = (moves: ProjectOverview['winners']): string =>
  moves.length === 0
    ? '<p>None.</p>'
    : table(
        ['Keyword', ...numbers('From', 'To', 'Movement')],
        moves.map((move) => [
          keywordCell(move),
          ...numbers(positionText(move.before), positionText(move.position), movementText(move.movement)),
        ]),
      );

const sharesOf = ({ data, days }: Shares): string[] => {
  const domains = data.slice(0, shownDomains).map(({ domain }) => domain);
  const dates = days.map(({ date }) => date);
  const legend = legendOf(domains.map((name, n) => ({ name, color: lineColors[n] ?? '' })));
  const cited = days.some(({ citation_shares }) =>
    Object.values(citation_shares).some((each) => each !== null),
  );
  const chart = (title: string, name: 'shares' | 'citation_shares'): string => {
    const lines = domains.map((domain) => days.map((day) => day[name][domain] ?? null));
    const isMeasured = lines.flat().some((value) => value !== null);
    return section(title, isMeasured ? legend + sharesChart(title, dates, lines) : nothingMeasured);
  };
  return [
    chart('Share of voice by day', 'shares'),
    ...(cited ? [chart('Share of citations in AI overviews by day', 'citation_shares')] : []),
    section(
      'Against competitors',
      table(
        [
          'Domain',
          ...numbers('Share of voice', 'Ranked'),
          ...extraNumbers('Top 3', 'Top 10', 'Average of ranked'),
        ],
        data.map(({ domain, share, ranked, keywords, top_3, top_10, average_of_ranked }) => [
          { text: domain, isName: true },
          ...numbers(percent(share), keywords === 0 ? '–' : `${ranked} of ${keywords}`),
          ...extraNumbers(
            countOf(keywords)(top_3),
            countOf(keywords)(top_10),
            average_of_ranked?.toFixed(1) ?? '–',
          ),
        ]),
      ),
    ),
  ];
};

const featuresOf = ({ features }: ProjectOverview): string[] => {
  const owned = features.flatMap(({ name, keywords, owners }) => {
    if (!owners) return [];
    const { own, competitor, other } = owners;
    const counts = numbers(...[own, competitor, other].map(String));
    return [[name.replaceAll('_', ' '), ...extraNumbers(String(keywords)), ...counts]];
  });
  const heads = [
    'On the result pages',
    ...extraNumbers('Keywords'),
    ...numbers('Own', 'Competitors', 'Others'),
  ];
  return owned.length === 0 ? [] : [section('Who has the other items', table(heads, owned))];
};

/** The place of a keyword in the list: what was not crawled comes after what is not ranked. */
const placeOf = ({ current }: Rank): number => (current ? countedPosition(current.position) : 102);

/** Says since when a keyword with a position is not measured any more. */
const measuredText = (keyword: TrackedKeyword, now: number): string[] => {
  const { current } = ownRank(keyword);
  return current && (positionsByDay(keyword, now).at(-1) ?? null) === null
    ? [`not measured since ${isoDay(current.at)}`]
    : [];
};

const keywordsTable = (keywords: readonly TrackedKeyword[], now: number): string => {
  const sorted = keywords
    .map((keyword) => ({ keyword, rank: ownRank(keyword) }))
    .toSorted((a, b) => {
      const order = placeOf(a.rank) - placeOf(b.rank);
      return order || (a.keyword.keyword < b.keyword.keyword ? -1 : 1);
    });
  const rows = sorted
    .slice(0, listedKeywords)
    .map(({ keyword, rank }) => [
      keywordCell(keyword, measuredText(keyword, now)),
      ...numbers(positionText(rank.current?.position), movementText(movementOf(rank))),
      ...extraNumbers(positionText(rank.best), keyword.volumes?.local_sv.toLocaleString('en-US') ?? '–'),
    ]);
  const more = sorted.length - rows.length;
  const heads = ['Keyword', ...numbers('Position', 'Movement'), ...extraNumbers('Best', 'Searches a month')];
  return rows.length === 0 ? '<p>None.</p>' : table(heads, rows) + moreText(more);
};

/** The newest notes, oldest first. */
const notesOf = (notes: ReportInput['notes']): string[] => {
  const listed = notes
    .slice(-listedNotes)
    .map(({ date, text }) => `<li>${date} ${isolatedText(text)}</li>`)
    .join('');
  const more = moreText(notes.length - listedNotes, 'earlier ones');
  return listed === '' ? [] : [section('Notes', `<ul>${listed}</ul>${more}`)];
};

/** The document. */
export const reportPage = ({ project, overview, visibility, keywords, notes, now }: ReportInput): string => {
  const name = escapeXml(project.name);
  const first = overview.days[0]?.date ?? '';
  const movements = [
    section('Largest rises of the week', movesTable(overview.winners)),
    section('Largest falls of the week', movesTable(overview.losers)),
  ];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex"><meta name="color-scheme" content="light">',
    `<title>${name}</title><style>${reportStyle}</style></head><body>`,
    `<header><h1><bdi>${name}</bdi></h1><p>${isolatedText(project.domain)} · ${first} to ${isoDay(now)} (UTC)</p></header>`,
    figuresOf(overview),
    section(
      'Keywords by position and day',
      overview.days.some((each) => each.keywords > 0)
        ? legendOf(bands) + bandsChart('Keywords by position and day', overview.days)
        : nothingMeasured,
    ),
    ...sharesOf(visibility),
    ...movements,
    ...featuresOf(overview),
    ...notesOf(notes),
    section(`Keywords (${keywords.length})`, keywordsTable(keywords, now)),
    '</body></html>',
    '',
  ].join('\n');
};
