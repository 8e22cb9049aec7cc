/** Metrics of a keyword as text, in rows of tasks and in the metrics table. */
import type { Competition, Metrics } from '../model/keyword-metrics.ts';
import { type Layout, layouts } from './layouts.ts';

/** Metrics as text of some 200 bytes. The names of the fields would be half of it. */
export const packMetrics = (metrics: Metrics): string =>
  JSON.stringify([
    layouts.metrics.rowVersion,
    metrics.volume,
    metrics.competition,
    metrics.competitionIndex,
    metrics.lowBidMicros,
    metrics.highBidMicros,
    metrics.months.map(({ year, month, searches }) => [year, month, searches]),
  ]);

type Packed = [
  number,
  number | null,
  Competition,
  number | null,
  number | null,
  number | null,
  [number, number, number | null][],
];

/** The version in which a text of `packMetrics` was written. */
export const versionOfMetrics = (text: string): number => Number.parseInt(text.slice(1), 10);

/** The metrics in a text of `packMetrics`; undefined if another release wrote it in another version. */
export const unpackMetrics = (text: string): Metrics | undefined => {
  const [version, volume, competition, competitionIndex, lowBidMicros, highBidMicros, months]: Packed =
    JSON.parse(text);
  const { rowVersion, readableVersion }: Layout = layouts.metrics;
  if (version < rowVersion || version > readableVersion) return undefined;
  return {
    volume,
    competition,
    competitionIndex,
    lowBidMicros,
    highBidMicros,
    months: months.map(([year, month, searches]) => ({ year, month, searches })),
  };
};
