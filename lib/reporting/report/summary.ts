/** The summary of a week of a project as Markdown. Pure. */
import { isoDay, secondsOfDay } from '../../model/day.ts';
import { plain } from '../../model/markdown.ts';
import { countedPosition, notFound, type Project, type TrackedKeyword } from '../../model/tracking.ts';
import { ownRank } from './show-keyword.ts';
import { visibilityOf } from './visibility.ts';

const weekSeconds = 7 * secondsOfDay;

/** Keywords of a list in the summary. */
const listed = 10;

/**
 * A keyword that was crawled within the week, with its position before the week, or, without one, its first
 * one in it.
 */
type Move = { keyword: TrackedKeyword; before: number; now: number };

const moveOf = (keyword: TrackedKeyword, since: number): Move[] => {
  const { current } = ownRank(keyword);
  if (!current || current.at <= since) return [];
  const known = keyword.days.filter(({ positions }) => typeof positions[0] === 'number');
  const before = (known.findLast(({ at }) => at <= since) ?? known[0])?.positions[0];
  return typeof before === 'number' ? [{ keyword, before, now: current.position }] : [];
};

/** Positive is up. Not ranked counts as 101. */
const changeOf = ({ before, now }: Move): number => countedPosition(before) - countedPosition(now);

const positionText = (position: number): string => (position === notFound ? 'not ranked' : String(position));

const nameOf = ({ keyword, device, location_name, iso_code }: TrackedKeyword): string =>
  `${plain(keyword)} (${[location_name || iso_code, device].map(plain).join(', ')})`;

const lineOf = (move: Move): string => {
  const change = changeOf(move);
  const sign = change > 0 ? '+' : '−';
  return `- ${nameOf(move.keyword)}: ${positionText(move.before)} → ${positionText(move.now)} (${sign}${Math.abs(change)})`;
};

const section = (heading: string, lines: readonly string[], none: string): string[] => [
  `## ${heading}`,
  '',
  ...(lines.length > 0 ? lines.slice(0, listed) : [none]),
  ...(lines.length > listed ? [`- and ${lines.length - listed} more`] : []),
  '',
];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** The change of a share, in percentage points. */
const pointsText = (change: number): string =>
  Math.abs(change) < 0.0005
    ? 'no change'
    : `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(1)} points`;

const shareLines = (project: Project, keywords: readonly TrackedKeyword[], now: number): string[] => {
  const { data, days } = visibilityOf(project, keywords, now);
  const weekAgo = days.at(-8)?.shares ?? {};
  return [
    '| domain | share | change in the week | top 3 | top 10 | average position |',
    '|---|---|---|---|---|---|',
    ...data.map(
      ({ domain, share, top_3, top_10, average_position }) =>
        `| ${plain(domain)} | ${percent(share)} | ${pointsText(share - (weekAgo[domain] ?? 0))} | ${top_3} | ${top_10} | ${average_position ?? '–'} |`,
    ),
  ];
};

/**
 * The week up to `now`: movements, visibility of the domains, and failed crawls. Keywords of the type `owner`
 * only.
 */
export const summaryOfWeek = (project: Project, all: readonly TrackedKeyword[], now: number): string => {
  const since = now - weekSeconds;
  const keywords = all.filter(({ type }) => type === 'owner');
  const moves = keywords.flatMap((keyword) => moveOf(keyword, since));
  const up = moves.filter((move) => changeOf(move) > 0).sort((a, b) => changeOf(b) - changeOf(a));
  const down = moves.filter((move) => changeOf(move) < 0).sort((a, b) => changeOf(a) - changeOf(b));
  const entered = moves.filter(({ before, now: position }) => before > 10 && position <= 10);
  const left = moves.filter(({ before, now: position }) => before <= 10 && position > 10);
  const gaps = keywords.flatMap(({ gap, ...keyword }) =>
    gap && gap.at > since
      ? [`- ${nameOf({ ...keyword, gap })}: ${plain(gap.reason)} (${isoDay(gap.at)})`]
      : [],
  );
  return [
    `# ${plain(project.name)}: ${isoDay(since)} to ${isoDay(now)}`,
    '',
    `${keywords.length} keywords of ${plain(project.domain)}: ${up.length} moved up, ${down.length} moved down, ${moves.length - up.length - down.length} did not move, ` +
      `${keywords.length - moves.length} have no position of this week.`,
    '',
    ...section('Moved up', up.map(lineOf), 'No keyword moved up.'),
    ...section('Moved down', down.map(lineOf), 'No keyword moved down.'),
    ...section('Entered the top 10', entered.map(lineOf), 'No keyword entered the top 10.'),
    ...section('Left the top 10', left.map(lineOf), 'No keyword left the top 10.'),
    '## Share of voice',
    '',
    ...shareLines(project, keywords, now),
    '',
    ...section('Failed crawls', gaps, 'The newest crawl of each keyword succeeded.'),
  ].join('\n');
};
