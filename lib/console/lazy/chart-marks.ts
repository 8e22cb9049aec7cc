/** What the chart draws besides its lines: times of gaps, dotted lines over holes, and lines of notes. */
import type uPlot from 'uplot';

/** A mark over the whole height at a time, with a short name. */
export type ChartNote = { time: number; name: string };

const isInside = ({ bbox }: uPlot, x: number): boolean => x >= bbox.left && x <= bbox.left + bbox.width;

/** Colors the times of gaps. */
export const drawGaps = (gaps: readonly number[], color: string) => (chart: uPlot) => {
  const { ctx, bbox } = chart;
  const half = 4 * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = color;
  ctx.globalAlpha = 0.25;
  for (const time of gaps) {
    const x = chart.valToPos(time, 'x', true);
    if (isInside(chart, x)) ctx.fillRect(x - half, bbox.top, 2 * half, bbox.height);
  }
  ctx.restore();
};

/** Draws a dotted line over each hole of a line, because nothing was measured there. `colors`: by line. */
export const drawHoles = (colors: readonly string[]) => (chart: uPlot) => {
  const { ctx, data, series } = chart;
  ctx.save();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.lineCap = 'round';
  ctx.setLineDash([0.5 * devicePixelRatio, 5 * devicePixelRatio]);
  for (const [n, color] of colors.entries()) {
    if (!series[n + 1]?.show) continue;
    ctx.strokeStyle = color;
    ctx.beginPath();
    let former: number | null = null;
    for (const [at, value] of [...(data[n + 1] ?? [])].entries()) {
      if (value === null || value === undefined) continue;
      if (former !== null && at - former > 1) {
        const place = (index: number) => chart.valToPos(data[0][index] ?? 0, 'x', true);
        ctx.moveTo(place(former), chart.valToPos(data[n + 1]?.[former] ?? 0, 'y', true));
        ctx.lineTo(place(at), chart.valToPos(value, 'y', true));
      }
      former = at;
    }
    ctx.stroke();
  }
  ctx.restore();
};

/** Draws a line for each day with notes, and their names at its top. */
export const drawNotes =
  (notes: readonly ChartNote[], { line, text, font }: { line: string; text: string; font: string }) =>
  (chart: uPlot) => {
    const { ctx, bbox } = chart;
    const size = 8 * devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = line;
    ctx.lineWidth = devicePixelRatio;
    ctx.font = font;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (const [time, all] of Map.groupBy(notes, (note) => note.time)) {
      const x = chart.valToPos(time, 'x', true);
      if (!isInside(chart, x)) continue;
      ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top + 2 * size);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.setLineDash([]);
      const name = all.map((note) => note.name).join(', ');
      const half = Math.max(size, ctx.measureText(name).width / 2 + size / 2);
      // At the edges of the chart the name is beside its line.
      const middle = Math.min(Math.max(x, half), ctx.canvas.width - half);
      ctx.beginPath();
      ctx.roundRect(middle - half, bbox.top, 2 * half, 2 * size, size);
      ctx.fillStyle = line;
      ctx.fill();
      ctx.fillStyle = text;
      ctx.fillText(name, middle, bbox.top + size);
    }
    ctx.restore();
  };
