/**
 * What a load takes of the quotas and settings, and what its month costs. Follows from the measured figures.
 * Pure.
 */
import type { AssumedValues } from './assumptions.ts';
import { monthDays, type Service, services } from './bill.ts';
import type { Figures } from './figures.ts';
import { type Limit, limitsOf } from './load-limits.ts';
import type { Load } from './load-options.ts';
import { meanOf } from './mean-search.ts';
import { eventCosts } from './searches.ts';

export type Month = { searches: number; fixed: number; byService: { service: Service; dollars: number }[] };

export type Model = {
  /** Searches in the busiest second. */
  peak: number;
  /** The nearest limit comes first. */
  limits: Limit[];
  month: Month;
};

/** Computes a load. The cost of searches and the use of each limit grow in proportion to the searches. */
export const modelOf = (figures: Figures, load: Load, values: AssumedValues): Model => {
  const peak = (load.searches / (monthDays * 86_400)) * load.peak;
  const mean = meanOf(figures, load, values);
  const [waits, read, opened, , failed] = eventCosts(figures, values).map(({ assumed }) => assumed);
  const events =
    load.waiting * (waits ?? 0) +
    load.reads * (read ?? 0) +
    load.opened * (opened ?? 0) +
    load.webhook * load.failing * (failed ?? 0);
  const byService = services.map((service) => ({
    service,
    dollars: (mean.dollars.get(service) ?? 0) * load.searches,
  }));
  return {
    peak,
    limits: limitsOf(figures, load, values, mean, peak),
    month: {
      searches: byService.reduce((sum, { dollars }) => sum + dollars, 0) + events * load.searches,
      fixed: figures.month.reduce((sum, { count, price }) => sum + count * price, 0),
      byService,
    },
  };
};
