/**
 * All kinds of result except ordinary web results: the query words that trigger each kind, how often it
 * appears without them, and the function that invents it. One row is one kind. Rows with the same placement
 * are in page order.
 */
import * as answer from '../invent/answers.ts';
import * as media from '../invent/media.ts';
import * as offer from '../invent/offers.ts';
import * as subject from '../invent/subjects.ts';
import type { Kind } from '../kinds.ts';
import * as own from './own-sites.ts';
import { refinements } from './refinements.ts';

// biome-ignore format: a table
export const kinds: Kind[] = [
  { type: 'spelling', placement: 'head', triggers: ['teh', 'recieve', 'seperate'], chance: 0, invent: answer.spelling },
  { type: 'shopping_ad', placement: 'head', triggers: ['buy', 'cheap'], chance: 0.1, invent: offer.shoppingAds },
  { type: 'ad', placement: 'head', triggers: ['buy', 'insurance'], chance: 0.35, laterChance: 0.2, invent: offer.ads('top', 4) },
  { type: 'knowledge_panel', placement: 'side', triggers: ['who is', 'company'], chance: 0.25, invent: answer.knowledgePanel },
  { type: 'ai_overview', placement: 'head', triggers: ['why', 'explain'], chance: 0.3, invent: answer.presentOverview },
  { type: 'ai_overview', placement: 'head', triggers: ['summarize'], chance: 0, invent: answer.deferredOverview },
  { type: 'direct_answer', placement: 'head', triggers: ['weather'], chance: 0.04, invent: answer.directAnswer },
  { type: 'featured_snippet', placement: 'head', triggers: ['how to', 'what is'], chance: 0.12, invent: answer.featuredSnippet },
  { type: 'people_also_ask', placement: 1, triggers: ['how to', 'question'], chance: 0.6, laterChance: 0.1, invent: answer.peopleAlsoAsk },
  { type: 'local_pack', placement: 1, triggers: ['near me', 'shop'], chance: 0.15, invent: offer.localPack },
  { type: 'job', placement: 1, triggers: ['job', 'jobs'], chance: 0.03, invent: offer.jobs },
  { type: 'hotel', placement: 1, triggers: ['hotel', 'hotels'], chance: 0, invent: offer.hotels },
  { type: 'flight', placement: 1, triggers: ['flight', 'flights'], chance: 0, invent: offer.flights },
  { type: 'top_story', placement: 2, triggers: ['news'], chance: 0.15, invent: media.topStories },
  { type: 'recipe', placement: 2, triggers: ['recipe', 'recipes'], chance: 0.04, invent: offer.recipes },
  { type: 'event', placement: 2, triggers: ['event', 'events'], chance: 0.03, invent: offer.events },
  { type: 'app', placement: 2, triggers: ['app', 'apps'], chance: 0.03, invent: own.apps },
  { type: 'video', placement: 3, triggers: ['video', 'videos'], chance: 0.25, invent: media.videos },
  { type: 'product', placement: 3, triggers: ['price', 'prices'], chance: 0.1, invent: offer.products },
  { type: 'book', placement: 3, triggers: ['book', 'books'], chance: 0.04, invent: own.books },
  { type: 'short', placement: 4, triggers: ['shorts'], chance: 0.1, invent: own.shorts },
  { type: 'carousel', placement: 4, triggers: ['types of'], chance: 0.05, invent: offer.carousel },
  { type: 'image', placement: 5, triggers: ['photos', 'pictures'], chance: 0.2, invent: media.images },
  { type: 'discussion', placement: 6, triggers: ['forum'], chance: 0.2, invent: media.discussions },
  { type: 'ad', placement: 'foot', triggers: ['insurance'], chance: 0.15, laterChance: 0.1, invent: offer.ads('bottom', 2) },
  { type: 'related_search', placement: 'foot', triggers: ['related'], chance: 0.95, laterChance: 0.8, invent: answer.relatedSearch },
  // Last, because whether a kind appears without its words depends on the number of its row.
  { type: 'refinements', placement: 1, triggers: ['filters'], chance: 0, invent: refinements },
  { type: 'product_panel', placement: 1, triggers: ['offers'], chance: 0, invent: subject.productPanel },
  { type: 'sports', placement: 1, triggers: ['match', 'score'], chance: 0, invent: subject.matches },
  { type: 'showtimes', placement: 1, triggers: ['showtimes'], chance: 0, invent: subject.showtimes },
  { type: 'things_to_know', placement: 4, triggers: ['things to know'], chance: 0, invent: subject.thingsToKnow },
  { type: 'post', placement: 6, triggers: ['posts'], chance: 0, invent: subject.posts },
];
