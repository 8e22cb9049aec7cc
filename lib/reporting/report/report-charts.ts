/** The charts of a report as SVG within HTML. They have no script and no style, and load nothing. Pure. */
import { type ProjectOverview, positionBands } from '../../model/project-overview.ts';
import { escapeXml } from './chart.ts';

const width = 720;
const height = 220;
const plot = { left: 44, right: 712, top: 12, bottom: 192 };

export const lineColors = ['#3451d1', '#b45309', '#0f766e', '#a21caf', '#4d7c0f', '#64748b'] as const;

const bandColors = ['#1e3a8a', '#3451d1', '#6d86ec', '#a5b4f5', '#cfd7fa', '#b7bdc9'] as const;

const bandTitles = ['1–3', '4–10', '11–20', '21–50', '51–100', 'not ranked'] as const;

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

export const percent = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(1)} %`;

const frame = (title: string, dates: readonly string[], content: readonly string[]): string =>
  [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    '<g font-family="system-ui,sans-serif" font-size="11" fill="#565e70">',
    ...content,
    `<text x="${plot.left}" y="${height - 8}">${dates[0] ?? ''}</text>`,
    `<text x="${plot.right}" y="${height - 8}" text-anchor="end">${dates.at(-1) ?? ''}</text>`,
    '</g></svg>',
  ].join('');

const gridLine = (y: number, text: string): string =>
  `<line stroke="#dfe3ea" x1="${plot.left}" x2="${plot.right}" y1="${rounded(y)}" y2="${rounded(y)}"/>` +
  `<text x="${plot.left - 6}" y="${rounded(y + 4)}" text-anchor="end">${text}</text>`;

/** A square and a name for each line or band of a chart. */
export const legendOf = (items: readonly { name: string; color: string }[]): string =>
  `<ul class="legend">${items
    .map(
      ({ name, color }) =>
        `<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="${color}"/></svg> ${escapeXml(name)}</li>`,
    )
    .join('')}</ul>`;

/** Runs of values. Null is a hole in the line. */
const runsOf = (values: readonly (number | null)[]): { day: number; value: number }[][] => {
  const runs: { day: number; value: number }[][] = [[]];
  values.forEach((value, day) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ day, value });
  });
  return runs.filter((run) => run.length > 0);
};

/** Shares of domains by day as lines, the first domain in front. */
export const sharesChart = (
  title: string,
  dates: readonly string[],
  lines: readonly (readonly (number | null)[])[],
): string => {
  const top = Math.max(0.01, ...lines.flat().map((value) => value ?? 0));
  const x = (day: number): number =>
    plot.left + (day / Math.max(1, dates.length - 1)) * (plot.right - plot.left);
  const y = (share: number): number => plot.bottom - (share / top) * (plot.bottom - plot.top);
  const drawn = lines.map((values, n) =>
    runsOf(values)
      .map((run) => {
        const points = run.map(({ day, value }) => `${rounded(x(day))},${rounded(y(value))}`);
        const color = lineColors[n % lineColors.length];
        const [cx, cy] = points[0]?.split(',') ?? [];
        return points.length > 1
          ? `<polyline fill="none" stroke="${color}" stroke-width="${n === 0 ? 2.5 : 1.5}" points="${points.join(' ')}"/>`
          : `<circle fill="${color}" cx="${cx}" cy="${cy}" r="2.5"/>`;
      })
      .join(''),
  );
  const grid = [0, 0.5, 1].map((part) => gridLine(y(top * part), percent(top * part)));
  return frame(title, dates, [...grid, ...drawn.reverse()]);
};

export const bands = bandTitles.map((name, n) => ({ name, color: bandColors[n] ?? '' }));

/** The keywords of each day by bands of positions, as stacked bars. */
export const bandsChart = (title: string, days: ProjectOverview['days']): string => {
  const most = Math.max(1, ...days.map(({ keywords }) => keywords));
  const step = (plot.right - plot.left) / Math.max(1, days.length);
  const scale = (plot.bottom - plot.top) / most;
  const bars = days.map((day, n) => {
    const counts = [...positionBands.map(([name]) => day[name]), day.not_ranked];
    let bottom = plot.bottom;
    return counts
      .map((count, band) => {
        bottom -= count * scale;
        return count === 0
          ? ''
          : `<rect fill="${bandColors[band]}" x="${rounded(plot.left + n * step + 1)}" y="${rounded(bottom)}" width="${rounded(step - 2)}" height="${rounded(count * scale)}"/>`;
      })
      .join('');
  });
  const grid = [gridLine(plot.bottom, '0'), gridLine(plot.top, String(most))];
  return frame(
    title,
    days.map(({ date }) => date),
    [...grid, ...bars],
  );
};
