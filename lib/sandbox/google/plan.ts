/** Plans a page before it is drawn: its layout, its blocks with their results, and the number of pages. */
import type { ItemType } from '../../model/result.ts';
import { seededRandom } from '../seeded-random.ts';
import { type Vocabulary, vocabulary } from '../words.ts';
import { isAnyTriggered, type Kind, kindsOn } from './kinds.ts';
import { organicAt, organicCount } from './organic.ts';
import { pageSize, type Search } from './search.ts';
import { type PlannedItem, type SearchContext, searchContext } from './search-context.ts';

/** Consecutive results of one type that the page shows together. `body` is the column of web results. */
export type Block = { type: ItemType; part: 'head' | 'body' | 'foot'; items: PlannedItem[] };

/** Desktop: `cards` (2026), `classic` (2025), `entity` (a panel around the page) and `basic` (no scripts). Mobile: `feed`, `sheet`. */
export type LayoutName = 'cards' | 'classic' | 'entity' | 'basic' | 'feed' | 'sheet';

export type PagePlan = {
  context: SearchContext;
  layout: LayoutName;
  /** The main column in page order. Empty if the search has no such page. */
  blocks: Block[];
  side: PlannedItem[];
  pages: number;
  totalResults: number;
  seconds: number;
};

/** Basic pages show only these types, and only the title, the URL and the text of a web result. */
const basicTypes: ItemType[] = ['organic', 'related_search'];
const withoutDetails = ({ date, rating, reviews, price, sitelinks, ...shown }: PlannedItem): PlannedItem =>
  shown;

const chooseLayout = (context: SearchContext, kinds: Kind[]): LayoutName => {
  const { chance, pick } = seededRandom('layout', context.query);
  if (context.device === 'mobile') return pick(['feed', 'sheet']);
  if (chance(0.1) && !isAnyTriggered(context.query)) return 'basic';
  if (chance(0.5) && kinds.some((kind) => kind.type === 'knowledge_panel')) return 'entity';
  return pick(['cards', 'classic']);
};

/** The web results and the blocks between them. */
const bodyBlocks = (context: SearchContext, kinds: Kind[], results: PlannedItem[]): Block[] => {
  const between = kinds.flatMap((kind) =>
    typeof kind.placement === 'number' ? [{ kind, after: Math.min(kind.placement, results.length) }] : [],
  );
  const blocks: Block[] = [];
  results.forEach((result, i) => {
    const last = blocks.at(-1);
    if (last?.type === 'organic') last.items.push(result);
    else blocks.push({ type: 'organic', part: 'body', items: [result] });
    for (const { kind, after } of between) {
      if (after === i + 1) blocks.push({ type: kind.type, part: 'body', items: inventFor(context, kind) });
    }
  });
  return blocks;
};

const inventFor = (context: SearchContext, kind: Kind) =>
  kind.invent(context, seededRandom(context.query, context.page, kind.type, kind.placement));

/** The `sheet` layout has the related searches in the middle: at the end of the first screen, with results before and after them. */
const relatedInTheMiddle = (blocks: Block[]): Block[] => {
  const others = blocks.filter((block) => block.type !== 'related_search');
  const related = blocks.filter((block) => block.type === 'related_search');
  const half = Math.ceil(others.length / 2);
  return [...others.slice(0, half), ...related, ...others.slice(half)];
};

/** `layout` replaces the layout that the search would have. `words`: the vocabulary of the web results. */
export const planPage = (search: Search, layout?: LayoutName, words: Vocabulary = vocabulary): PagePlan => {
  const context = searchContext(search);
  const total = organicCount(context.query);
  const first = (context.page - 1) * pageSize + 1;
  const ranks = Array.from(
    { length: Math.max(0, Math.min(pageSize, total - first + 1)) },
    (_, i) => first + i,
  );
  const ranked = ranks.map((rank) => organicAt(context, rank, words));

  const wanted = ranked.length > 0 ? kindsOn(context) : [];
  const chosen = layout ?? chooseLayout(context, wanted);
  const isBasic = chosen === 'basic';
  const results = isBasic ? ranked.map(withoutDetails) : ranked;
  const kinds = isBasic ? wanted.filter((kind) => basicTypes.includes(kind.type)) : wanted;
  const blocksAt = (part: 'head' | 'foot', ...placements: Kind['placement'][]): Block[] =>
    kinds
      .filter((kind) => placements.includes(kind.placement))
      .map((kind) => ({ type: kind.type, part, items: inventFor(context, kind) }));

  // Mobile pages have no right side. The `entity` layout begins with the title of the panel.
  const hasSide = context.device === 'desktop' && chosen !== 'entity';
  const blocks = [
    ...(hasSide ? blocksAt('head', 'head') : blocksAt('head', 'head', 'side')),
    ...bodyBlocks(context, kinds, results),
    ...blocksAt('foot', 'foot'),
  ];
  const { between } = seededRandom(context.query, 'stats');
  return {
    context,
    layout: chosen,
    blocks: chosen === 'sheet' ? relatedInTheMiddle(blocks) : blocks,
    side: hasSide ? blocksAt('head', 'side').flatMap((block) => block.items) : [],
    pages: Math.ceil(total / pageSize),
    totalResults: total < 100 ? total : between(100, 90_000) * 1000,
    seconds: between(11, 89) / 100,
  };
};

/** The results that a parser of the page must find, in page order. */
export const plannedItems = (plan: PagePlan): { left: PlannedItem[]; right: PlannedItem[] } => ({
  left: plan.blocks.flatMap((block) => block.items),
  right: plan.side,
});
