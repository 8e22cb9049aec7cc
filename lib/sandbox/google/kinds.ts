/**
 * All kinds of result but the ordinary one: how each is ordered by the words of a query, how often it comes unasked, and who
 * invents it. One row = one kind; rows for the same place are in page order.
 */
import type { ItemType } from '../../model/result.ts';
import { dice } from '../seeded-random.ts';
import * as answer from './invent/answers.ts';
import * as media from './invent/media.ts';
import * as offer from './invent/offers.ts';
import type { Invent } from './invent/parts.ts';
import type { Scene } from './search-context.ts';

/** Where a block stands: above the results, behind the n-th of a page, below them, or at the right (above, where a layout has no right). */
export type Place = 'head' | number | 'foot' | 'side';

export type Kind = {
  type: ItemType;
  place: Place;
  /** Any of these, as whole words of the query, orders the kind for the first page. */
  orderedBy: string[];
  /** Share of the searches whose first page has it unasked, and share of the later pages. */
  chance: number;
  laterChance?: number;
  invent: Invent;
};

// biome-ignore format: a table
export const kinds: Kind[] = [
  { type: 'spelling', place: 'head', orderedBy: ['teh', 'recieve', 'seperate'], chance: 0, invent: answer.spelling },
  { type: 'shopping_ad', place: 'head', orderedBy: ['buy', 'cheap'], chance: 0.1, invent: offer.shoppingAds },
  { type: 'ad', place: 'head', orderedBy: ['buy', 'insurance'], chance: 0.35, laterChance: 0.2, invent: offer.ads('top', 4) },
  { type: 'knowledge_panel', place: 'side', orderedBy: ['who is', 'company'], chance: 0.25, invent: answer.knowledgePanel },
  { type: 'ai_overview', place: 'head', orderedBy: ['why', 'explain'], chance: 0.3, invent: answer.presentOverview },
  { type: 'ai_overview', place: 'head', orderedBy: ['summarize'], chance: 0, invent: answer.deferredOverview },
  { type: 'direct_answer', place: 'head', orderedBy: ['weather'], chance: 0.04, invent: answer.directAnswer },
  { type: 'featured_snippet', place: 'head', orderedBy: ['how to', 'what is'], chance: 0.12, invent: answer.featuredSnippet },
  { type: 'people_also_ask', place: 1, orderedBy: ['how to', 'question'], chance: 0.6, laterChance: 0.1, invent: answer.peopleAlsoAsk },
  { type: 'local_pack', place: 1, orderedBy: ['near me', 'shop'], chance: 0.15, invent: offer.localPack },
  { type: 'job', place: 1, orderedBy: ['job', 'jobs'], chance: 0.03, invent: offer.jobs },
  { type: 'hotel', place: 1, orderedBy: ['hotel', 'hotels'], chance: 0, invent: offer.hotels },
  { type: 'flight', place: 1, orderedBy: ['flight', 'flights'], chance: 0, invent: offer.flights },
  { type: 'top_story', place: 2, orderedBy: ['news'], chance: 0.15, invent: media.topStories },
  { type: 'recipe', place: 2, orderedBy: ['recipe', 'recipes'], chance: 0.04, invent: offer.recipes },
  { type: 'event', place: 2, orderedBy: ['event', 'events'], chance: 0.03, invent: offer.events },
  { type: 'app', place: 2, orderedBy: ['app', 'apps'], chance: 0.03, invent: offer.apps },
  { type: 'video', place: 3, orderedBy: ['video', 'videos'], chance: 0.25, invent: media.videos },
  { type: 'product', place: 3, orderedBy: ['price', 'prices'], chance: 0.1, invent: offer.products },
  { type: 'book', place: 3, orderedBy: ['book', 'books'], chance: 0.04, invent: offer.books },
  { type: 'short', place: 4, orderedBy: ['shorts'], chance: 0.1, invent: media.shorts },
  { type: 'carousel', place: 4, orderedBy: ['types of'], chance: 0.05, invent: offer.sorts },
  { type: 'image', place: 5, orderedBy: ['photos', 'pictures'], chance: 0.2, invent: media.images },
  { type: 'discussion', place: 6, orderedBy: ['forum'], chance: 0.2, invent: media.discussions },
  { type: 'ad', place: 'foot', orderedBy: ['insurance'], chance: 0.15, laterChance: 0.1, invent: offer.ads('bottom', 2) },
  { type: 'related_search', place: 'foot', orderedBy: ['related'], chance: 0.95, laterChance: 0.8, invent: answer.relatedSearch },
];

const words = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const isOrdered = (kind: Kind, query: string): boolean =>
  kind.orderedBy.some((ordering) => words(query).includes(words(ordering)));

export const isAnyOrdered = (query: string): boolean => kinds.some((kind) => isOrdered(kind, query));

const overviews = (kind: Kind) => kind.type === 'ai_overview';

/** The kinds on one page of a search. A page has one overview at most: the deferred one, where it is ordered. */
export const kindsOn = ({ query, page }: Scene): Kind[] => {
  const shown = kinds.filter((kind, row) => {
    if (page === 1 && isOrdered(kind, query)) return true;
    return dice(query, 'kind', row, page).chance(page === 1 ? kind.chance : (kind.laterChance ?? 0));
  });
  return shown.filter((kind) => !overviews(kind) || kind === shown.findLast(overviews));
};
