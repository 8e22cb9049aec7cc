/**
 * The scale of positions in charts. The bands between 1, 3, 10, 20, 50 and 100 have the same height, because
 * a move from 3 to 1 matters more than one from 80 to 78. Not ranked is below the last band.
 */

const edges = [1, 3, 10, 20, 50, 100] as const;

const lastBand = edges.length - 1;

/** Where `not ranked` is, in bands from the top. */
const notRanked = lastBand + 0.5;

/** The place of a position in bands from the top: 0 for 1, 1 for 3, 1.5 for 6.5. */
export const bandOf = (position: number): number => {
  if (position > 100) return notRanked;
  const band = edges.findLastIndex((edge, n) => n < lastBand && edge <= position);
  const [from = 1, to = from] = [edges[band], edges[band + 1]];
  return band + (position - from) / (to - from);
};

/** The bands that a chart shows: all that have a position, and at least two. */
export const bandRange = (low: number | null, high: number | null): [number, number] => {
  const first = Math.floor(low ?? 0);
  const worst = high ?? 0;
  const last = worst > lastBand ? notRanked : Math.min(lastBand, Math.max(Math.ceil(worst), first + 2));
  return [Math.min(first, Math.floor(last) - 2) - 0.15, last + 0.15];
};

/** The places of the lines of the scale inside a range. */
export const bandLines = (from: number, to: number): number[] =>
  [...edges.keys(), notRanked].filter((place) => place >= from && place <= to);

/** The position at a line of the scale. 101: not ranked. */
export const positionAt = (line: number): number => edges[line] ?? 101;
