/** The summary of a week of a project as Markdown. Pure. */
import { isoDay } from '../../model/day.ts';
import { plain } from '../../model/markdown.ts';
import { isSameSite } from '../../model/site.ts';
import { notFound, type Project, type TrackedKeyword } from '../../model/tracking.ts';
import { shortened } from './chart.ts';
import { comparedKeywords } from './compared-sites.ts';
import { validUntil } from './measured-days.ts';
import { changeOf, isCrawledInWeek, type Move, movesOf, weekSeconds } from './moves.ts';
import { pointsText, type ShareChange, type Shares, shareChangesOf, visibilityOf } from './visibility.ts';

/** Keywords of a list in the summary. */
const listed = 10;

/** Characters of a keyword in the summary. */
const shownCharacters = 100;

const positionText = (position: number): string => (position === notFound ? 'not ranked' : String(position));

/** The name of a keyword, with its domain if that is not the one of the project. */
const nameOf = (
  { keyword, device, location_name, iso_code, domain }: TrackedKeyword,
  project: Project,
): string => {
  const where = [location_name || iso_code, device, ...(isSameSite(domain, project.domain) ? [] : [domain])];
  return `${plain(shortened(keyword, shownCharacters))} (${where.map(plain).join(', ')})`;
};

/** A movement, with the day of its first position unless that was the position when the week began. */
const lineOf =
  (project: Project, weekBegin: number) =>
  (move: Move): string => {
    const change = changeOf(move);
    const sign = change > 0 ? '+' : '−';
    const isFromBegin = move.since <= weekBegin && validUntil(move.keyword, move.since) >= weekBegin;
    const since = isFromBegin ? '' : ` since ${isoDay(move.since)}`;
    return `- ${nameOf(move.keyword, project)}: ${positionText(move.before)} → ${positionText(move.now)} (${sign}${Math.abs(change)}${since})`;
  };

const section = (heading: string, lines: readonly string[], none: string): string[] => [
  `## ${heading}`,
  '',
  ...(lines.length > 0 ? lines.slice(0, listed) : [none]),
  ...(lines.length > listed ? [`- and ${lines.length - listed} more`] : []),
  '',
];

const have = (count: number): string => `${count} ${count === 1 ? 'has' : 'have'}`;

const percent = (share: number | null): string =>
  share === null ? 'not measured' : `${(share * 100).toFixed(1)} %`;

/** The change of a domain's share in the week, and on what it rests if that is not all of it. */
const changeText = (found: ShareChange | undefined, weekBegin: string, measured: number): string => {
  if (!found) return '–';
  const { change, since, keywords } = found;
  return [
    pointsText(change),
    ...(since === weekBegin ? [] : [`since ${since}`]),
    ...(keywords === measured ? [] : [`(of ${keywords} ${keywords === 1 ? 'keyword' : 'keywords'})`]),
  ].join(' ');
};

const shareLines = (
  { data, volumes }: Shares,
  changes: readonly ShareChange[],
  weekBegin: string,
): string[] => [
  '| domain | share | change in the week | ranked | top 3 | top 10 | average position of ranked | of all |',
  '|---|---|---|---|---|---|---|---|',
  ...data.map(({ domain, share, ...row }) => {
    const cells = [
      plain(domain),
      percent(share),
      changeText(
        changes.find((each) => each.domain === domain),
        weekBegin,
        row.keywords,
      ),
      `${row.ranked} of ${row.keywords}`,
      row.top_3,
      row.top_10,
      row.average_of_ranked ?? '–',
      row.average_of_all ?? '–',
    ];
    return `| ${cells.join(' | ')} |`;
  }),
  ...(volumes.unknown > 0 ? ['', volumesText(volumes)] : []),
];

const volumesText = ({ unknown, assumed }: Shares['volumes']): string =>
  assumed === null
    ? 'The volume of no keyword is known, so all count alike.'
    : `The volume of ${unknown} ${unknown === 1 ? 'keyword' : 'keywords'} is not known: it is taken to be ${assumed}, the median.`;

/**
 * The week up to `now`: movements, visibility of the domains, and failed crawls. Keywords of the type `owner`
 * only.
 */
export const summaryOfWeek = (project: Project, all: readonly TrackedKeyword[], now: number): string => {
  const since = now - weekSeconds;
  const keywords = all.filter(({ type }) => type === 'owner');
  const line = lineOf(project, since);
  const ofProject = comparedKeywords(keywords, project).length;
  const moves = keywords.flatMap((keyword) => movesOf(keyword, now));
  const crawled = keywords.filter((keyword) => isCrawledInWeek(keyword, now)).length;
  const up = moves.filter((move) => changeOf(move) > 0).sort((a, b) => changeOf(b) - changeOf(a));
  const down = moves.filter((move) => changeOf(move) < 0).sort((a, b) => changeOf(a) - changeOf(b));
  const entered = moves.filter(({ before, now: position }) => before > 10 && position <= 10);
  const left = moves.filter(({ before, now: position }) => before <= 10 && position > 10);
  const gaps = keywords.flatMap((keyword) => {
    const { gap } = keyword;
    return gap && gap.at > since
      ? [`- ${nameOf(keyword, project)}: ${plain(gap.reason)} (${isoDay(gap.at)})`]
      : [];
  });
  return [
    `# ${plain(project.name)}: ${isoDay(since)} to ${isoDay(now)}`,
    '',
    `${keywords.length} ${keywords.length === 1 ? 'keyword' : 'keywords'}${ofProject === keywords.length ? '' : `, ${ofProject} of them`} of ${plain(project.domain)}: ${up.length} moved up, ${down.length} moved down, ${moves.length - up.length - down.length} did not move, ` +
      `${have(crawled - moves.length)} no earlier crawl to compare with, ${have(keywords.length - crawled)} no position of this week.`,
    '',
    ...section('Moved up', up.map(line), 'No keyword moved up.'),
    ...section('Moved down', down.map(line), 'No keyword moved down.'),
    ...section('Entered the top 10', entered.map(line), 'No keyword entered the top 10.'),
    ...section('Left the top 10', left.map(line), 'No keyword left the top 10.'),
    '## Share of voice',
    '',
    ...shareLines(
      visibilityOf(project, keywords, now),
      shareChangesOf(project, keywords, now),
      isoDay(since),
    ),
    '',
    ...section('Failed crawls', gaps, 'No keyword’s newest crawl failed.'),
  ].join('\n');
};
