/** Plans a page before it is drawn: its blocks with their results, and the number of pages. */
import type { ItemType } from '../model/result.ts';
import { blank } from './invent/parts.ts';
import { type Kind, kindsOn } from './kinds.ts';
import { organicCount } from './organic.ts';
import type { Search } from './search.ts';
import { type PlannedItem, type SearchContext, searchContext } from './search-context.ts';
import { seededRandom } from './seeded-random.ts';
import { type Vocabulary, vocabulary } from './words.ts';

/** Consecutive results of one type that the page shows together. `body` is the column of the ranking. */
export type Block = { type: ItemType; part: 'head' | 'body' | 'foot'; items: PlannedItem[] };

export type PagePlan = {
  context: SearchContext;
  /** The main column in page order. Empty if the search has no such page. */
  blocks: Block[];
  side: PlannedItem[];
  pages: number;
  totalResults: number;
  seconds: number;
};

type Facts = Pick<PagePlan, 'pages' | 'totalResults' | 'seconds'>;

/** The ranks on the page of a search, and what the page says about the search. */
export const ranksOn = (context: SearchContext, pageSize: number): { ranks: number[]; facts: Facts } => {
  const total = organicCount(context.query);
  const first = (context.page - 1) * pageSize + 1;
  const { between } = seededRandom(context.query, 'stats');
  return {
    ranks: Array.from({ length: Math.max(0, Math.min(pageSize, total - first + 1)) }, (_, i) => first + i),
    facts: {
      pages: Math.ceil(total / pageSize),
      totalResults: total < 100 ? total : between(100, 90_000) * 1000,
      seconds: between(11, 89) / 100,
    },
  };
};

const inventFor = (context: SearchContext, kind: Kind) =>
  kind.invent(
    context,
    seededRandom(context.query, context.country, context.place, context.page, kind.type, kind.placement),
  );

/** The results of the ranking and the blocks between them. */
const bodyBlocks = (context: SearchContext, kinds: Kind[], results: PlannedItem[]): Block[] => {
  const between = kinds.flatMap((kind) =>
    typeof kind.placement === 'number' ? [{ kind, after: Math.min(kind.placement, results.length) }] : [],
  );
  const blocks: Block[] = [];
  results.forEach((result, i) => {
    const last = blocks.at(-1);
    if (last?.type === result.type) last.items.push(result);
    else blocks.push({ type: result.type, part: 'body', items: [result] });
    for (const { kind, after } of between) {
      if (after === i + 1) blocks.push({ type: kind.type, part: 'body', items: inventFor(context, kind) });
    }
  });
  return blocks;
};

/**
 * Arranges the results of the ranking and the blocks of other kinds. Without a right side, its blocks are
 * above the results.
 */
export const arrange = (
  context: SearchContext,
  kinds: Kind[],
  results: PlannedItem[],
  hasSide: boolean,
): Pick<PagePlan, 'blocks' | 'side'> => {
  const blocksAt = (part: 'head' | 'foot', ...placements: Kind['placement'][]): Block[] =>
    kinds
      .filter((kind) => placements.includes(kind.placement))
      .map((kind) => ({ type: kind.type, part, items: inventFor(context, kind) }));
  return {
    blocks: [
      ...(hasSide ? blocksAt('head', 'head') : blocksAt('head', 'head', 'side')),
      ...bodyBlocks(context, kinds, results),
      ...blocksAt('foot', 'foot'),
    ],
    side: hasSide ? blocksAt('head', 'side').flatMap((block) => block.items) : [],
  };
};

/** What an engine with one layout for each device ranks, and what it shows around the ranking. */
type Ranking = {
  pageSize: number;
  kinds: Kind[];
  resultsAt: (context: SearchContext, ranks: number[], words: Vocabulary) => PlannedItem[];
  hasSide: (context: SearchContext) => boolean;
};

/** Plans the pages of such an engine. `words`: the vocabulary of the ranking. */
export const planner =
  ({ pageSize, kinds, resultsAt, hasSide }: Ranking) =>
  (search: Search, words: Vocabulary = vocabulary): PagePlan => {
    const context = searchContext(search);
    const { ranks, facts } = ranksOn(context, pageSize);
    const wanted = ranks.length > 0 ? kindsOn(kinds, context) : [];
    const results = resultsAt(context, ranks, words);
    return { context, ...arrange(context, wanted, results, hasSide(context)), ...facts };
  };

export const isDesktop = ({ device }: SearchContext): boolean => device === 'desktop';

/** If the query had a prefix, the page says that it searched for other words than the user typed. */
export const noticed = <Plan extends PagePlan>(plan: Plan): Plan => {
  const { query, rawQuery } = plan.context;
  if (query === rawQuery || plan.blocks.length === 0) return plan;
  const notice: Block = {
    type: 'spelling',
    part: 'head',
    items: [{ ...blank, type: 'spelling', title: query }],
  };
  return { ...plan, blocks: [notice, ...plan.blocks] };
};

/** The results that a parser of the page must find, in page order. */
export const plannedItems = (plan: PagePlan): { left: PlannedItem[]; right: PlannedItem[] } => ({
  left: plan.blocks.flatMap((block) => block.items),
  right: plan.side,
});
