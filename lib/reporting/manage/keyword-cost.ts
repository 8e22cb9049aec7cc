/** What tracked keywords cost: searches a day, and dollars a month by the cost model (`infra/cost`). */
import { presentOrder } from '../../fetcher/present-order.ts';
import type { EngineName } from '../../model/engine.ts';
import { searchCost } from '../../model/search-cost.ts';
import type { TrackedKeyword } from '../../model/tracking.ts';

/** Every tracked search reads so many pages (Reading 40). */
export const trackedPages = 10;

const monthDays = 30;

type Tracked = Pick<TrackedKeyword, 'search_hash' | 'engine' | 'update_frequency' | 'paused'>;

/**
 * Searches a day by search: that of the keyword that is crawled most often, because keywords with the same
 * search share its crawls.
 */
const searchesADay = (keywords: readonly Tracked[]): Map<string, number> => {
  const byHash = new Map<string, number>();
  for (const { search_hash, update_frequency, paused } of keywords) {
    if (!paused) byHash.set(search_hash, Math.max(byHash.get(search_hash) ?? 0, 24 / update_frequency));
  }
  return byHash;
};

/** Dollars of a tracked search whose pages the engine's first fetcher gets. */
const dollarsOf = async (engine: EngineName): Promise<number> => {
  const [first] = await presentOrder(engine);
  const { search, page } = searchCost[first === 'browser' ? 'browser' : 'http'];
  return search + trackedPages * page;
};

type KeywordCost = { searches_per_day: number; monthly_cost_usd: number };

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Dollars of one crawl of each search. */
export const crawlsCost = async (searches: readonly Pick<Tracked, 'engine'>[]): Promise<number> => {
  let sum = 0;
  for (const [engine, ofEngine] of Map.groupBy(searches, (each) => each.engine)) {
    sum += ofEngine.length * (await dollarsOf(engine));
  }
  return rounded(sum, 4);
};

/** What keywords add to the cost of those that a project has. */
export const costOf = async (
  added: readonly Tracked[],
  existing: readonly Tracked[],
): Promise<KeywordCost> => {
  const before = searchesADay(existing);
  const after = searchesADay([...existing, ...added]);
  const byEngine = new Map<EngineName, number>();
  const engineOf = new Map(added.map(({ search_hash, engine }) => [search_hash, engine]));
  for (const [hash, engine] of engineOf) {
    const more = (after.get(hash) ?? 0) - (before.get(hash) ?? 0);
    byEngine.set(engine, (byEngine.get(engine) ?? 0) + more);
  }
  const dollars = await Promise.all(
    [...byEngine].map(async ([engine, searches]) => searches * monthDays * (await dollarsOf(engine))),
  );
  return {
    searches_per_day: rounded(
      [...byEngine.values()].reduce((sum, each) => sum + each, 0),
      2,
    ),
    monthly_cost_usd: rounded(
      dollars.reduce((sum, each) => sum + each, 0),
      4,
    ),
  };
};
