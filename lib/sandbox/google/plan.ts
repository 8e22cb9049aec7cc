/** Plans a page of Google: its layout, and what the layout shows. */
import type { ItemType } from '../../model/result.ts';
import { isAnyTriggered, type Kind, kindsOn } from '../kinds.ts';
import { organicsAt } from '../organic.ts';
import { arrange, type Block, type PagePlan as PlanOfAnyEngine, ranksOn } from '../plan.ts';
import type { Search } from '../search.ts';
import { type PlannedItem, type SearchContext, searchContext } from '../search-context.ts';
import { seededRandom } from '../seeded-random.ts';
import { type Vocabulary, vocabulary } from '../words.ts';
import { kinds } from './kinds.ts';
import { pageSize } from './search.ts';

/**
 * Desktop: `cards` (2026), `classic` (2025), `entity` (a panel around the page) and `basic` (no scripts).
 * Mobile: `feed`, `sheet`.
 */
export type LayoutName = 'cards' | 'classic' | 'entity' | 'basic' | 'feed' | 'sheet';

export type PagePlan = PlanOfAnyEngine & { layout: LayoutName };

/** Basic pages show only these types, and only the title, the URL and the text of a web result. */
const basicTypes: ItemType[] = ['organic', 'related_search'];
const withoutDetails = ({ date, rating, reviews, price, sitelinks, ...shown }: PlannedItem): PlannedItem =>
  shown;

const chooseLayout = (context: SearchContext, shown: Kind[]): LayoutName => {
  const { chance, pick } = seededRandom('layout', context.query);
  if (context.device === 'mobile') return pick(['feed', 'sheet']);
  if (chance(0.1) && !isAnyTriggered(kinds, context.query)) return 'basic';
  if (chance(0.5) && shown.some((kind) => kind.type === 'knowledge_panel')) return 'entity';
  return pick(['cards', 'classic']);
};

/**
 * The `sheet` layout has the related searches in the middle: at the end of the first screen, with results
 * before and after them.
 */
const relatedInTheMiddle = (blocks: Block[]): Block[] => {
  const others = blocks.filter((block) => block.type !== 'related_search');
  const related = blocks.filter((block) => block.type === 'related_search');
  const half = Math.ceil(others.length / 2);
  return [...others.slice(0, half), ...related, ...others.slice(half)];
};

/** `layout` replaces the layout that the search would have. `words`: the vocabulary of the web results. */
export const planPage = (search: Search, layout?: LayoutName, words: Vocabulary = vocabulary): PagePlan => {
  const context = searchContext(search);
  const { ranks, facts } = ranksOn(context, pageSize);
  const ranked = organicsAt(context, ranks, words);

  const wanted = ranked.length > 0 ? kindsOn(kinds, context) : [];
  const chosen = layout ?? chooseLayout(context, wanted);
  const isBasic = chosen === 'basic';
  const { blocks, side } = arrange(
    context,
    isBasic ? wanted.filter((kind) => basicTypes.includes(kind.type)) : wanted,
    isBasic ? ranked.map(withoutDetails) : ranked,
    // Mobile pages have no right side. The `entity` layout begins with the title of the panel.
    context.device === 'desktop' && chosen !== 'entity',
  );
  return {
    context,
    layout: chosen,
    blocks: chosen === 'sheet' ? relatedInTheMiddle(blocks) : blocks,
    side,
    ...facts,
  };
};
