/**
 * The history of a keyword's positions as an SVG image. Pure, and the same for the same input. It has no
 * script and loads nothing.
 */
import { isoDay } from '../../model/day.ts';

/** A crawl: a position, or null for a gap. `at`: Unix seconds. */
type ChartPoint = { at: number; position: number | null };

export type ChartInput = {
  keyword: string;
  domain: string;
  /** Oldest first. */
  points: readonly ChartPoint[];
  /** The first and the last second that the chart shows. */
  from: number;
  to: number;
};

const width = 720;
const height = 320;
const plot = { left: 48, right: 704, top: 56, bottom: 276 };

/** The lowest position of the axis. Lower ones, and not ranked, are drawn on a line below it. */
const axisEnds = [10, 20, 50, 100] as const;

const marks: Record<(typeof axisEnds)[number], readonly number[]> = {
  10: [1, 4, 7, 10],
  20: [1, 5, 10, 15, 20],
  50: [1, 10, 20, 30, 40, 50],
  100: [1, 20, 40, 60, 80, 100],
};

// Attributes instead of a style sheet, because the content security policy of the image allows none.
const blue = '#0b57d0';
const red = '#b3261e';

/** The text as content of an element or of an attribute. Characters that XML does not allow are left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 does not allow them, not even escaped.
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The text, cut to a number of characters. */
export const shortened = (text: string, length: number): string =>
  [...text].length > length ? `${[...text].slice(0, length - 1).join('')}…` : text;

const coordinate = (value: number): string => String(Math.round(value * 10) / 10);

type Dot = { x: number; y: number; isRanked: boolean };

/** Runs of crawls between gaps. A gap is a hole in the line. */
const runsOf = (points: readonly ChartPoint[]): (ChartPoint & { position: number })[][] => {
  const runs: (ChartPoint & { position: number })[][] = [[]];
  for (const { at, position } of points) {
    if (position === null) runs.push([]);
    else runs.at(-1)?.push({ at, position });
  }
  return runs.filter((run) => run.length > 0);
};

const lineOf = (dots: readonly Dot[]): string =>
  dots.length > 1
    ? `<polyline fill="none" stroke="${blue}" stroke-width="2" points="${dots.map(({ x, y }) => `${coordinate(x)},${coordinate(y)}`).join(' ')}"/>`
    : '';

const dotOf = ({ x, y, isRanked }: Dot): string =>
  `<circle fill="${isRanked ? blue : '#fff'}" stroke="${blue}" stroke-width="2" cx="${coordinate(x)}" cy="${coordinate(y)}" r="3"/>`;

const positionText = (position: number, end: number): string =>
  position > end ? `lower than ${end}` : String(position);

/** What the chart shows, in words, for screen readers. */
const descriptionOf = ({ points, from, to }: ChartInput, end: number): string => {
  const ranked = points.filter(
    (point): point is ChartPoint & { position: number } => point.position !== null,
  );
  const gaps = points.length - ranked.length;
  const [first, last] = [ranked[0], ranked.at(-1)];
  const range = `From ${isoDay(from)} to ${isoDay(to)}`;
  const failed = gaps === 0 ? '' : ` ${gaps} ${gaps === 1 ? 'crawl' : 'crawls'} failed.`;
  if (!first || !last) return `${range} there are no positions.${failed}`;
  const best = Math.min(...ranked.map(({ position }) => position));
  const facts = [
    `${ranked.length} ${ranked.length === 1 ? 'position' : 'positions'}`,
    `the first is ${positionText(first.position, end)}`,
    `the last is ${positionText(last.position, end)}`,
    `the best is ${positionText(best, end)}`,
  ];
  return `${range}: ${facts.join(', ')}.${failed}`;
};

/** The chart. Position 1 is at the top. A gap is a hole in the line and a mark at the foot. */
export const chartOf = (input: ChartInput): string => {
  const { keyword, domain, points, from, to } = input;
  const lowest = Math.max(
    1,
    ...points.flatMap(({ position }) => (position !== null && position <= 100 ? [position] : [])),
  );
  const end = axisEnds.find((each) => lowest <= each) ?? 100;
  const hasOut = points.some(({ position }) => position !== null && position > end);
  // One row below the axis for crawls that did not find the domain.
  const axisBottom = hasOut ? plot.bottom - 24 : plot.bottom;
  const x = (at: number): number =>
    plot.left + ((at - from) / Math.max(1, to - from)) * (plot.right - plot.left);
  const y = (position: number): number =>
    position > end ? plot.bottom : plot.top + ((position - 1) / (end - 1)) * (axisBottom - plot.top);

  const rows = [
    ...marks[end].map((position) => ({ text: String(position), at: y(position) })),
    ...(hasOut ? [{ text: `> ${end}`, at: plot.bottom }] : []),
  ];
  const grid = rows.map(
    ({ text, at }) =>
      `<line stroke="#ddd" x1="${plot.left}" x2="${plot.right}" y1="${coordinate(at)}" y2="${coordinate(at)}"/>` +
      `<text x="${plot.left - 8}" y="${coordinate(at + 4)}" text-anchor="end">${escapeXml(text)}</text>`,
  );
  const runs = runsOf(points).map((run) =>
    run.map(({ at, position }) => ({ x: x(at), y: y(position), isRanked: position <= end })),
  );
  const gaps = points
    .filter(({ position }) => position === null)
    .map(
      ({ at }) =>
        `<path stroke="${red}" stroke-width="2" d="M${coordinate(x(at) - 4)} ${plot.bottom + 8}l8 8m0 -8l-8 8"><title>${isoDay(at)}: no position</title></path>`,
    );
  const title = `Positions of ${domain} for “${keyword}”`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(descriptionOf(input, end))}</desc>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<g font-family="system-ui,sans-serif" font-size="12" fill="#333">`,
    `<text font-size="15" font-weight="600" x="${plot.left}" y="28">${escapeXml(shortened(keyword, 60))}</text>`,
    `<text x="${plot.left}" y="45">${escapeXml(shortened(domain, 80))}</text>`,
    ...grid,
    ...runs.map((dots) => lineOf(dots) + dots.map(dotOf).join('')),
    ...gaps,
    `<text x="${plot.left}" y="${height - 12}">${isoDay(from)}</text>`,
    `<text x="${plot.right}" y="${height - 12}" text-anchor="end">${isoDay(to)}</text>`,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};
