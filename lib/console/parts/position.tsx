/** Positions, movements and their course as small graphics. */

/** Not ranked counts as 101 in graphics, as in movements (Reading 38). */
export const drawnPosition = (position: number): number => Math.min(position, 101);

export const positionText = (position: number | null): string =>
  position === null ? '–' : position === 1000 ? 'not ranked' : String(position);

export const Movement = ({ movement }: { movement: number | null }) => {
  if (movement === null) return <span class="dim">–</span>;
  if (movement === 0) {
    return (
      <span class="dim">
        <span aria-hidden="true">=</span>
        <span class="unseen">no change</span>
      </span>
    );
  }
  const isUp = movement > 0;
  return (
    <span class={isUp ? 'up' : 'down'}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span>
      <span class="unseen">{isUp ? 'up' : 'down'}</span> {Math.abs(movement)}
    </span>
  );
};

type DayPosition = { date: string; position: number | null };

const width = 112;
const height = 26;
const margin = 3;
const dayMs = 86_400_000;
const shownDays = 31;

/** Fewer positions than this fill half of the height, so that a move by one place is no cliff. */
const leastSpan = 8;

type Props = { days: readonly DayPosition[]; everyHours: number; today?: number };

/** The positions of the last 31 days. The line has a hole where crawls are missing. */
export const Sparkline = ({ days, everyHours, today = Date.now() }: Props) => {
  // The embedded stack can run the calendar of tracking ahead of the clock.
  const last = Math.floor(Math.max(today, Date.parse(days.at(-1)?.date ?? '') || 0) / dayMs);
  const points = days.flatMap(({ date, position }) => {
    const ago = last - Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs);
    return position === null || ago < 0 || ago >= shownDays
      ? []
      : [{ ago, position: drawnPosition(position) }];
  });
  const [first, newest] = [points[0], points.at(-1)];
  if (!first || !newest) return <span class="dim nowrap">no positions yet</span>;
  const positions = points.map(({ position }) => position);
  const [best, worst] = [Math.min(...positions), Math.max(...positions)];
  const span = Math.max(leastSpan, worst - best);
  const middle = (best + worst) / 2;
  const x = (ago: number) => margin + ((shownDays - 1 - ago) / (shownDays - 1)) * (width - 2 * margin);
  const y = (position: number) => margin + ((position - middle) / span + 0.5) * (height - 2 * margin);
  const mostDays = Math.max(1, Math.ceil(everyHours / 24)) * 1.5;
  const line = points
    .map(({ ago, position }, n) => {
      const former = points[n - 1];
      const isHole = !former || former.ago - ago > mostDays;
      const place = `${x(ago).toFixed(1)} ${y(position).toFixed(1)}`;
      // A lonely crawl is a dot.
      return isHole ? `M${place}h0` : `L${place}`;
    })
    .join('');
  const text = (position: number) => (position > 100 ? 'not ranked' : `position ${position}`);
  return (
    <svg
      class="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Last 31 days: from ${text(first.position)} to ${text(newest.position)}, best ${best > 100 ? 'not ranked' : best}`}
    >
      <path d={line} />
      <circle cx={x(newest.ago)} cy={y(newest.position)} r="2.6" />
    </svg>
  );
};
