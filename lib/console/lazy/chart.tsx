/**
 * A chart of lines over time. The view shows the same figures as a table, because a canvas cannot be read
 * aloud.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { count, day } from '../format.ts';
import { bandLines, bandOf, bandRange, positionAt } from './bands.ts';
import { type ChartNote, drawGaps, drawHoles, drawNotes } from './chart-marks.ts';

type ChartSeries = { name: string; values: readonly (number | null)[] };

export type ChartProps = {
  /** What the chart shows, for screen readers. */
  label: string;
  /** Unix seconds, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
  /** Text of a value. */
  text: (value: number) => string;
  /** Positions: the first is at the top. */
  isRank?: boolean;
  /** Times at which a line must have a hole. */
  gaps?: readonly number[];
  /** Seconds between two times after which something is missing between them. */
  mostSeconds?: number;
  /** What is marked below the chart at some of its times. */
  marks?: readonly ChartMark[];
  /** Notes of the days of the chart. The view has them as a list. */
  notes?: readonly ChartNote[];
};

export type { ChartNote };

export type ChartMark = { name: string; times: readonly number[] };

/** Where the chart draws its times, in CSS pixels. */
type Plot = { left: number; width: number; from: number; to: number };

const height = 300;

/** Seconds between two dates of the axis. */
const dayIncrements = [1, 2, 3, 5, 7, 14, 30, 60].map((days) => days * 86_400);

/** Each differs from the others in lightness too. The first is the owner's. */
const colorNames = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'];
const dashes = [[], [6, 4], [2, 3], [10, 4, 2, 4], [4, 2], [12, 4]];

const colorOf = (n: number): string => colorNames[n % colorNames.length] ?? '--text';

/** The data of the chart: at the time of a gap, and where a crawl is missing, no line has a value. */
const alignedOf = (props: ChartProps): uPlot.AlignedData => {
  const { times, series, gaps = [], mostSeconds = Number.POSITIVE_INFINITY } = props;
  const missing = times.flatMap((time, n) => {
    const former = times[n - 1] ?? time;
    const isFilled = gaps.some((gap) => gap > former && gap < time);
    return time - former > mostSeconds && !isFilled ? [(time + former) / 2] : [];
  });
  const all = [
    ...times.map((time, n) => ({ time, values: series.map(({ values }) => values[n] ?? null) })),
    ...[...gaps, ...missing].map((time) => ({ time, values: series.map(() => null) })),
  ].sort((a, b) => a.time - b.time);
  return [all.map(({ time }) => time), ...series.map((_, n) => all.map(({ values }) => values[n] ?? null))];
};

const plotOf = ({ bbox, scales: { x } }: uPlot): Plot => ({
  left: bbox.left / devicePixelRatio,
  width: bbox.width / devicePixelRatio,
  from: x?.min ?? 0,
  to: x?.max ?? 1,
});

/** Below the chart, at its times: a row of marks for each name. */
const Marks = ({ marks, plot, all }: { marks: readonly ChartMark[]; plot: Plot; all: number }) => (
  <ul class="marks" style={{ paddingLeft: `${plot.left}px` }}>
    {marks.map(({ name, times }) => (
      <li key={name}>
        <span>
          {name} <span class="dim">{`${count(times.length)} of ${count(all)}`}</span>
        </span>
        <svg width={plot.width} height="8" aria-hidden="true">
          {times.map((time) => (
            <circle
              key={time}
              cx={((time - plot.from) / (plot.to - plot.from || 1)) * plot.width}
              cy="4"
              r="3"
            />
          ))}
        </svg>
      </li>
    ))}
  </ul>
);

/** As the chart draws it: positions in bands, and the first line last, so that it is in front. */
const drawnOf = ([times, ...series]: uPlot.AlignedData, isRank: boolean): uPlot.AlignedData => [
  times,
  ...series
    .map((values) =>
      isRank ? Array.from(values, (value) => (typeof value === 'number' ? bandOf(value) : null)) : values,
    )
    .reverse(),
];

/** The axis of positions: its lines are the edges of the bands. */
const rankAxis = (text: ChartProps['text']): uPlot.Axis => ({
  splits: (_, __, from, to) => bandLines(from, to),
  values: (_, lines) => lines.map((line) => text(positionAt(line))),
});

const optionsOf = (
  { series, text, isRank = false, gaps = [], notes = [] }: ChartProps,
  room: HTMLElement,
  hidden: ReadonlySet<string>,
  onPoint: (index: number | null) => void,
  onPlot: (plot: Plot) => void,
): uPlot.Options => {
  const style = getComputedStyle(room);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--dim'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: Math.max(200, room.clientWidth),
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 8 } },
    scales: {
      y: isRank
        ? { dir: -1, range: (_, low, high) => bandRange(low, high) }
        : { range: (_, __, high) => [0, Math.max(0.05, (high ?? 1) * 1.15)] },
    },
    axes: [
      {
        ...axis,
        size: 34,
        values: (_, ticks) => ticks.map((time) => day(time).slice(5)),
        space: 64,
        incrs: dayIncrements,
      },
      {
        ...axis,
        size: isRank ? 76 : 62,
        values: (_, ticks) => ticks.map(text),
        ...(isRank && rankAxis(text)),
      },
    ],
    series: [
      {},
      ...series
        .map(({ name }, n) => ({
          label: name,
          stroke: color(colorOf(n)),
          width: n === 0 ? 2.5 : 1.5,
          dash: dashes[n % dashes.length] ?? [],
          points: { show: true, size: n === 0 ? 6 : 4 },
          show: !hidden.has(name),
          spanGaps: false,
        }))
        .reverse(),
    ],
    hooks: {
      drawClear: [drawGaps(gaps, color('--bad'))],
      draw: [
        drawHoles(series.map((_, n) => color(colorOf(n))).reverse()),
        drawNotes(notes, {
          line: color('--dim'),
          text: color('--surface'),
          font: `600 ${11 * devicePixelRatio}px ${style.fontFamily}`,
        }),
        (chart) => onPlot(plotOf(chart)),
      ],
      setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)],
    },
  };
};

export const Chart = (props: ChartProps) => {
  const { label, series, text, times, marks = [] } = props;
  const room = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [point, setPoint] = useState<number | null>(null);
  const isTouched = useRef(false);
  // A finger leaves the chart when it is lifted: what it has pointed at stays.
  const pointAt = (index: number | null) => {
    if (index !== null || !isTouched.current) setPoint(index);
  };
  const [plot, setPlot] = useState<Plot | null>(null);
  const [scheme, setScheme] = useState(0);
  const data = alignedOf(props);

  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const change = () => setScheme((former) => former + 1);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);

  const keepPlot = (changed: Plot) =>
    setPlot((former) => (JSON.stringify(former) === JSON.stringify(changed) ? former : changed));
  const key = JSON.stringify([data, props.notes, [...hidden], scheme]);
  useEffect(() => {
    const element = room.current;
    if (!element) return;
    const chart = new uPlot(
      optionsOf(props, element, hidden, pointAt, keepPlot),
      drawnOf(data, props.isRank ?? false),
      element,
    );
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: Math.max(200, element.clientWidth), height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [key]);

  const last = data[0].length - 1;
  const at = Math.min(point ?? last, last);
  const time = data[0][at];
  const toggle = (name: string) => {
    const changed = new Set(hidden);
    if (!changed.delete(name)) changed.add(name);
    setHidden(changed);
  };
  return (
    <div class="chart">
      <ul class="legend">
        {series.map(({ name }, n) => {
          const value = data[n + 1]?.[at];
          return (
            <li key={name}>
              <button type="button" aria-pressed={!hidden.has(name)} onClick={() => toggle(name)}>
                <svg
                  class={`swatch line-${(n % colorNames.length) + 1}`}
                  width="22"
                  height="8"
                  aria-hidden="true"
                >
                  <path d="M0 4h22" stroke-dasharray={(dashes[n % dashes.length] ?? []).join(' ')} />
                </svg>
                {name}
                <span class="legend-value">{value === null || value === undefined ? '–' : text(value)}</span>
              </button>
            </li>
          );
        })}
        {time !== undefined && <li class="dim">{day(time)}</li>}
      </ul>
      <div
        class="chart-room"
        ref={room}
        role="img"
        aria-label={label}
        onPointerEnter={({ pointerType }) => {
          isTouched.current = pointerType === 'touch';
        }}
      />
      {plot && marks.length > 0 && <Marks marks={marks} plot={plot} all={times.length} />}
    </div>
  );
};
