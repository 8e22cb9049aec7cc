/** Metrics of a keyword as text, in rows of tasks and in the metrics table. */
import type { Competition, Metrics } from '../model/keyword-metrics.ts';
import { type Layout, layouts } from './layouts.ts';
import { upgrading } from './version.ts';

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
  number | null,
  Competition,
  number | null,
  number | null,
  number | null,
  [number, number, number | null][],
];

/** The version in which a text of `packMetrics` was written. */
export const versionOfMetrics = (text: string): number => Number.parseInt(text.slice(1), 10);

/** Metrics of an earlier release stay readable: the rows of tasks have them for a day. */
const toPresent = upgrading('metrics', []);

/** The metrics in a text of `packMetrics`; undefined if a later release wrote it in another version. */
export const unpackMetrics = (text: string): Metrics | undefined => {
  const [version, ...packed] = JSON.parse(text);
  const { readableVersion }: Layout = layouts.metrics;
  if (version > readableVersion) return undefined;
  const present = toPresent({ version, packed }).packed as Packed;
  const [volume, competition, competitionIndex, lowBidMicros, highBidMicros, months] = present;
  return {
    volume,
    competition,
    competitionIndex,
    lowBidMicros,
    highBidMicros,
    months: months.map(([year, month, searches]) => ({ year, month, searches })),
  };
};
