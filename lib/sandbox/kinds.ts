/** Kinds of results: what an engine shows between the results of its ranking, and for which queries. */
import type { ItemType } from '../model/result.ts';
import type { Invent } from './invent/parts.ts';
import type { SearchContext } from './search-context.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * Where a block is: above the results, after the n-th result, below them, or on the right (above, if the
 * layout has no right side).
 */
type Placement = 'head' | number | 'foot' | 'side';

export type Kind = {
  type: ItemType;
  placement: Placement;
  /** Any of these, as whole words of the query, puts the kind on the first page. */
  triggers: string[];
  /** Share of the searches without a trigger word whose first page has the kind. */
  chance: number;
  /** The same for later pages, where trigger words have no effect. */
  laterChance?: number;
  invent: Invent;
};

const words = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const isTriggered = (kind: Kind, query: string): boolean =>
  kind.triggers.some((trigger) => words(query).includes(words(trigger)));

export const isAnyTriggered = (kinds: readonly Kind[], query: string): boolean =>
  kinds.some((kind) => isTriggered(kind, query));

const isOverview = (kind: Kind) => kind.type === 'ai_overview';

/**
 * The kinds of an engine on one page of a search. A page has at most one overview: the deferred one if the
 * query triggers it.
 */
export const kindsOn = (kinds: readonly Kind[], { query, page }: SearchContext): Kind[] => {
  const shown = kinds.filter((kind, row) => {
    if (page === 1 && isTriggered(kind, query)) return true;
    return seededRandom(query, 'kind', row, page).chance(page === 1 ? kind.chance : (kind.laterChance ?? 0));
  });
  return shown.filter((kind) => !isOverview(kind) || kind === shown.findLast(isOverview));
};
