/** The kinds of result around the web results (`google/kinds.ts` says how to read the table). */
import * as answer from '../invent/answers.ts';
import * as media from '../invent/media.ts';
import * as offer from '../invent/offers.ts';
import type { Kind } from '../kinds.ts';

// biome-ignore format: a table
export const kinds: Kind[] = [
  { type: 'spelling', placement: 'head', triggers: ['teh', 'recieve', 'seperate'], chance: 0, invent: answer.spelling },
  { type: 'ad', placement: 'head', triggers: ['buy', 'insurance'], chance: 0.35, laterChance: 0.2, invent: offer.ads('top', 4) },
  { type: 'shopping_ad', placement: 'head', triggers: ['buy', 'cheap'], chance: 0.1, invent: offer.shoppingAds },
  { type: 'knowledge_panel', placement: 'side', triggers: ['who is', 'company'], chance: 0.25, invent: answer.knowledgePanel },
  { type: 'featured_snippet', placement: 'head', triggers: ['how to', 'what is'], chance: 0.12, invent: answer.featuredSnippet },
  { type: 'people_also_ask', placement: 1, triggers: ['how to', 'question'], chance: 0.4, laterChance: 0.1, invent: answer.peopleAlsoAsk },
  { type: 'local_pack', placement: 1, triggers: ['near me', 'shop'], chance: 0.15, invent: offer.localPack },
  { type: 'top_story', placement: 2, triggers: ['news'], chance: 0.15, invent: media.topStories },
  { type: 'video', placement: 3, triggers: ['video', 'videos'], chance: 0.3, invent: media.videos },
  { type: 'image', placement: 5, triggers: ['photos', 'pictures'], chance: 0.2, invent: media.images },
  { type: 'ad', placement: 'foot', triggers: ['insurance'], chance: 0.15, laterChance: 0.1, invent: offer.ads('bottom', 2) },
  { type: 'related_search', placement: 'foot', triggers: ['related'], chance: 0.9, laterChance: 0.8, invent: answer.relatedSearch },
];
