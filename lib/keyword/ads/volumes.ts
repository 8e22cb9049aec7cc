/** The metrics of keywords in a market: from the cache, and from the source. */
import { keywordForm, type Metrics, noMetrics } from '../../model/keyword-metrics.ts';
import type { Fault, Market, Read } from '../../provider/contract.ts';
import { clock } from '../../runtime/clock.ts';
import { type MetricsKey, putMetrics, readMetrics, type StoredMetrics } from '../../store/metrics.ts';
import { callSource, type Patience } from './call-source.ts';
import { placeOfSource, reuseSeconds, volumeSource } from './source.ts';

/** Metrics by `keywordForm`. `reused`: they were stored by an earlier request. */
export type Volume = StoredMetrics & { reused: boolean };
export type Volumes = Map<string, Volume>;

const keyOf = (market: Market, keyword: string): MetricsKey => ({
  source: placeOfSource(),
  ...market,
  keyword,
});

/**
 * The different keywords among these, in their form. Empty ones are left out: no source can be asked about
 * them.
 */
export const formsOf = (keywords: readonly string[]): string[] => [
  ...new Set(keywords.map(keywordForm).filter(Boolean)),
];

/** The stored metrics of keywords, by form. */
export const readStored = async (
  forms: readonly string[],
  market: Market,
  now = clock(),
): Promise<Volumes> => {
  const seconds = reuseSeconds();
  if (seconds === 0) return new Map();
  const stored = await readMetrics(
    forms.map((form) => keyOf(market, form)),
    now - seconds,
  );
  return new Map([...stored].map(([form, each]) => [form, { ...each, reused: true }]));
};

/**
 * Gets the metrics of keywords from the source, by form, and stores them. The caller has taken a turn. A
 * keyword that the source does not know has `noMetrics`.
 */
export const fetchVolumes = async (
  userId: number,
  forms: readonly string[],
  market: Market,
  patience: Patience,
): Promise<Read<Volumes>> => {
  const read = await callSource(userId, volumeSource().volumes, { keywords: forms, market }, patience);
  if (!read.ok) return read;
  const fetchedAt = clock();
  const found = forms.map((form): [string, Metrics] => [form, read.value.get(form) ?? noMetrics]);
  const seconds = reuseSeconds();
  if (seconds > 0) {
    const entries = found.map(([form, metrics]) => ({ key: keyOf(market, form), metrics }));
    await putMetrics(entries, fetchedAt, seconds);
  }
  return {
    ok: true,
    value: new Map(found.map(([form, metrics]) => [form, { metrics, fetchedAt, reused: false }])),
  };
};

/** The keywords that the source refused; empty if it refused something else. */
export const refusedForms = (forms: readonly string[], { problem, at = [] }: Fault): Set<string> =>
  problem === 'rejected' && at.every(({ field, index }) => field === 'keywords' && index !== undefined)
    ? new Set(at.flatMap(({ index = -1 }) => forms[index] ?? []))
    : new Set();
