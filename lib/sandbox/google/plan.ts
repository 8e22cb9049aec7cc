/** Plans a page before it is drawn: which layout it has, which results in which blocks, and whether another page follows. */
import type { ItemType } from '../../model/result.ts';
import { dice } from '../seeded-random.ts';
import { type Vocabulary, vocabulary } from '../words.ts';
import { isAnyOrdered, type Kind, kindsOn } from './kinds.ts';
import { organicAt, organicCount } from './organic.ts';
import { pageSize, type Search } from './search.ts';
import { type PlannedItem, type Scene, setScene } from './search-context.ts';

/** Neighbours of one type that the page shows together. `body` is the column of web results. */
export type Block = { type: ItemType; part: 'head' | 'body' | 'foot'; items: PlannedItem[] };

/** Desktop: `cards` (2026), `classic` (2025), `entity` (a panel around the whole page) and `basic` (no scripts). Mobile: `feed`, `sheet`. */
export type LayoutName = 'cards' | 'classic' | 'entity' | 'basic' | 'feed' | 'sheet';

export type PagePlan = {
  scene: Scene;
  layout: LayoutName;
  /** The main column in page order; empty where the search has no such page. */
  blocks: Block[];
  side: PlannedItem[];
  pages: number;
  totalResults: number;
  seconds: number;
};

/** What basic pages show: these kinds, and of web results only title, address and words. */
const plainTypes: ItemType[] = ['organic', 'related_search'];
const plain = ({ date, rating, reviews, price, sitelinks, ...shown }: PlannedItem): PlannedItem => shown;

const chooseLayout = (scene: Scene, kinds: Kind[]): LayoutName => {
  const { chance, pick } = dice('layout', scene.query);
  if (scene.device === 'mobile') return pick(['feed', 'sheet']);
  if (chance(0.1) && !isAnyOrdered(scene.query)) return 'basic';
  if (chance(0.5) && kinds.some((kind) => kind.type === 'knowledge_panel')) return 'entity';
  return pick(['cards', 'classic']);
};

/** The web results, with the blocks that stand between them. */
const bodyOf = (scene: Scene, kinds: Kind[], results: PlannedItem[]): Block[] => {
  const placed = kinds.flatMap((kind) =>
    typeof kind.place === 'number' ? [{ kind, after: Math.min(kind.place, results.length) }] : [],
  );
  const blocks: Block[] = [];
  results.forEach((result, i) => {
    const last = blocks.at(-1);
    if (last?.type === 'organic') last.items.push(result);
    else blocks.push({ type: 'organic', part: 'body', items: [result] });
    for (const { kind, after } of placed) {
      if (after === i + 1) blocks.push({ type: kind.type, part: 'body', items: inventFor(scene, kind) });
    }
  });
  return blocks;
};

const inventFor = (scene: Scene, kind: Kind) =>
  kind.invent(scene, dice(scene.query, scene.page, kind.type, kind.place));

/** On a sheet the related searches stand where the first screenful ends, with results before and after. */
const relatedAmid = (blocks: Block[]): Block[] => {
  const others = blocks.filter((block) => block.type !== 'related_search');
  const related = blocks.filter((block) => block.type === 'related_search');
  const half = Math.ceil(others.length / 2);
  return [...others.slice(0, half), ...related, ...others.slice(half)];
};

/** With `layout` the page is planned as if the search had that layout; `words` are what its web results are made of. */
export const planPage = (search: Search, layout?: LayoutName, words: Vocabulary = vocabulary): PagePlan => {
  const scene = setScene(search);
  const total = organicCount(scene.query);
  const first = (scene.page - 1) * pageSize + 1;
  const ranks = Array.from(
    { length: Math.max(0, Math.min(pageSize, total - first + 1)) },
    (_, i) => first + i,
  );
  const ranked = ranks.map((rank) => organicAt(scene, rank, words));

  const wanted = ranked.length > 0 ? kindsOn(scene) : [];
  const chosen = layout ?? chooseLayout(scene, wanted);
  const isBasic = chosen === 'basic';
  const results = isBasic ? ranked.map(plain) : ranked;
  const kinds = isBasic ? wanted.filter((kind) => plainTypes.includes(kind.type)) : wanted;
  const blocksAt = (part: 'head' | 'foot', ...places: Kind['place'][]): Block[] =>
    kinds
      .filter((kind) => places.includes(kind.place))
      .map((kind) => ({ type: kind.type, part, items: inventFor(scene, kind) }));

  // Telephones have no right side, and the page of a known thing begins with its name.
  const hasSide = scene.device === 'desktop' && chosen !== 'entity';
  const blocks = [
    ...(hasSide ? blocksAt('head', 'head') : blocksAt('head', 'head', 'side')),
    ...bodyOf(scene, kinds, results),
    ...blocksAt('foot', 'foot'),
  ];
  const { between } = dice(scene.query, 'stats');
  return {
    scene,
    layout: chosen,
    blocks: chosen === 'sheet' ? relatedAmid(blocks) : blocks,
    side: hasSide ? blocksAt('head', 'side').flatMap((block) => block.items) : [],
    pages: Math.ceil(total / pageSize),
    totalResults: total < 100 ? total : between(100, 90_000) * 1000,
    seconds: between(11, 89) / 100,
  };
};

/** What a reader of the page must find, in page order. */
export const planned = (plan: PagePlan): { left: PlannedItem[]; right: PlannedItem[] } => ({
  left: plan.blocks.flatMap((block) => block.items),
  right: plan.side,
});
