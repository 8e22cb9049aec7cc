/** The mean search of a load: what it counts, for how long it keeps functions busy, and what it costs. */
import { type AssumedValues, assumptionsFor } from './assumptions.ts';
import { bill, billedSeconds, dollarsOf, runSeconds, type Service, services } from './bill.ts';
import { type Counts, scaled, sumOf } from './counts.ts';
import type { Figures } from './figures.ts';
import { kinds } from './kinds.ts';
import type { Load } from './load-options.ts';
import { searchOf } from './searches.ts';

/** The mean of all kinds of searches in this load. */
export type Mean = {
  counts: Counts;
  /** Invocations at a time for each search per second, by function. */
  busy: Map<string, number>;
  /** Runs at a time for each search per second. */
  runs: number;
  /** Deliveries at a time for each search per second. */
  deliveries: number;
  dollars: Map<Service, number>;
};

export const consumer = 'functions/postback/deliver.ts';

const shareOf = (load: Load, kind: (typeof kinds)[number], inBatch: boolean): number => {
  const part = (isIn: boolean, share: number) => (isIn ? share : 1 - share);
  return (
    part(kind.path === 'browser', load.browser) *
    part(kind.webhook, load.webhook) *
    part(kind.depth === 100, load.deep) *
    part(inBatch, load.batched)
  );
};

export const meanOf = (figures: Figures, load: Load, values: AssumedValues): Mean => {
  const mean: Mean = { counts: {}, busy: new Map(), runs: 0, deliveries: 0, dollars: new Map() };
  const addBusy = (entry: string, seconds: number) =>
    mean.busy.set(entry, (mean.busy.get(entry) ?? 0) + seconds);
  for (const kind of kinds) {
    for (const inBatch of [false, true]) {
      const share = shareOf(load, kind, inBatch);
      if (share === 0) continue;
      const assumptions = assumptionsFor(values, kind.path);
      const search = searchOf(figures, kind, inBatch);
      const { counts } = search;
      mean.counts = sumOf(mean.counts, scaled(counts, share));
      const seconds = billedSeconds(figures.functions, search, assumptions);
      for (const [entry, each] of seconds) addBusy(entry, share * (counts[`calls ${entry}`] ?? 0) * each);
      mean.runs += share * (counts['calls EXPRESS'] ?? 0) * runSeconds(seconds, search, assumptions);
      mean.deliveries += share * (counts[`messages ${consumer}`] ?? 0) * (seconds.get(consumer) ?? 0);
      const lines = bill(figures.functions, search, assumptions);
      for (const service of services) {
        const dollars = share * dollarsOf(lines, service);
        mean.dollars.set(service, (mean.dollars.get(service) ?? 0) + dollars);
      }
    }
  }
  const { waiting, read, page } = figures.events;
  const alone = searchOf(figures, { path: 'HTTP', depth: 10, webhook: false }, false).counts;
  const oneWait = Object.fromEntries(
    Object.entries(waiting).map(([name, count]) => [name, Math.max(0, count - (alone[name] ?? 0))]),
  );
  for (const [counts, times] of [
    [oneWait, load.waiting],
    [read, load.reads],
    [page, load.opened],
  ] as const) {
    mean.counts = sumOf(mean.counts, scaled(counts, times));
    const seconds = billedSeconds(figures.functions, { counts }, assumptionsFor(values, 'HTTP'));
    for (const [entry, each] of seconds) addBusy(entry, times * (counts[`calls ${entry}`] ?? 0) * each);
  }
  return mean;
};
