/** The mean search of a load: what it counts, for how long it keeps functions busy, and what it costs. */
import { batchSize } from '../function-limits.ts';
import { type AssumedValues, assumptionsFor } from './assumptions.ts';
import { bill, dollarsOf, type Service, services } from './bill.ts';
import { billedSeconds, runSeconds, startingSeconds } from './billed-seconds.ts';
import { type Counts, scaled, sumOf } from './counts.ts';
import type { Figures } from './figures.ts';
import { kinds } from './kinds.ts';
import type { Load } from './load-options.ts';
import { prices } from './prices.ts';
import { searchOf } from './searches.ts';

/** The mean of all kinds of searches in this load. */
export type Mean = {
  counts: Counts;
  /** Invocations at a time for each search per second, by function. */
  busy: Map<string, number>;
  /** Runs at a time for each search per second. */
  runs: number;
  /** The kinds of runs: the share of all runs, and the seconds of one. */
  runKinds: { share: number; seconds: number }[];
  /** Seconds for which a consumer with a full batch works itself, besides the wait for its runs. */
  starting: number;
  /** Deliveries at a time for each search per second. */
  deliveries: number;
  dollars: Map<Service, number>;
};

export const consumer = 'functions/postback/deliver.ts';

/** The function of the API that requests about searches keep busy. */
export const api = 'functions/api/serp.ts';

const shareOf = (load: Load, kind: (typeof kinds)[number], inBatch: boolean): number => {
  const part = (isIn: boolean, share: number) => (isIn ? share : 1 - share);
  return (
    part(kind.path === 'browser', load.browser) *
    part(kind.webhook, load.webhook) *
    part(kind.depth === 100, load.deep) *
    part(inBatch, load.batched)
  );
};

/**
 * The slots of a request that waits, of its user and of its area: each is counted and given back, and the
 * counter of the window before is read. The embedded stack has no slots of areas, so they are not measured.
 */
const ofSlots = { 'write Limits': 4, 'read Limits': 2 };

/** A request that waits for its search keeps its function for as long as the search runs. */
const addHeld = (mean: Mean, figures: Figures, { held }: Load): void => {
  mean.counts = sumOf(mean.counts, scaled(ofSlots, held));
  const units = ofSlots['write Limits'] * prices.tableWrite + ofSlots['read Limits'] * prices.tableRead;
  mean.dollars.set('DynamoDB', (mean.dollars.get('DynamoDB') ?? 0) + held * units);
  const seconds = held * mean.runs;
  mean.busy.set(api, (mean.busy.get(api) ?? 0) + seconds);
  const fn = figures.functions.find(({ entry }) => entry === api);
  if (!fn) return;
  const dollars = seconds * (fn.memoryMb / 1024) * prices.gigabyteSecond[fn.architecture];
  mean.dollars.set('Lambda', (mean.dollars.get('Lambda') ?? 0) + dollars);
};

export const meanOf = (figures: Figures, load: Load, values: AssumedValues): Mean => {
  const mean: Mean = {
    counts: {},
    busy: new Map(),
    runs: 0,
    runKinds: [],
    starting: 0,
    deliveries: 0,
    dollars: new Map(),
  };
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
      const ofKind = {
        share: share * (counts['calls EXPRESS'] ?? 0),
        seconds: runSeconds(seconds, search, assumptions),
      };
      mean.runs += ofKind.share * ofKind.seconds;
      mean.runKinds.push(ofKind);
      mean.starting += share * startingSeconds(figures.functions, search, assumptions, batchSize);
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
  addHeld(mean, figures, load);
  return mean;
};

/**
 * The expected seconds of the slowest of so many runs, each of a kind by chance. A consumer waits for all
 * runs of its batch, so its places are not free before.
 */
export const slowestOf = (kindsOfRuns: Mean['runKinds'], runs: number): number => {
  const all = kindsOfRuns.reduce((sum, { share }) => sum + share, 0);
  let [below, expected] = [0, 0];
  for (const { share, seconds } of kindsOfRuns.toSorted((one, other) => one.seconds - other.seconds)) {
    // All runs are of this kind or of a faster one, and not all of a faster one.
    const upTo = Math.min(1, below + share / all);
    expected += seconds * (upTo ** runs - below ** runs);
    below = upTo;
  }
  return expected;
};
