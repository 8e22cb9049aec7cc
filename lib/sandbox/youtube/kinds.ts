/** The kinds of result around the videos (`google/kinds.ts` says how to read the table). */
import { relatedSearch, spelling } from '../invent/answers.ts';
import type { Kind } from '../kinds.ts';
import { channels, movies, panel, playlists, shelf, shorts, sponsored } from './invent.ts';

// biome-ignore format: a table
export const kinds: Kind[] = [
  { type: 'spelling', placement: 'head', triggers: ['teh', 'recieve', 'seperate'], chance: 0, invent: spelling },
  { type: 'ad', placement: 'head', triggers: ['buy', 'insurance'], chance: 0.35, laterChance: 0.2, invent: sponsored },
  { type: 'knowledge_panel', placement: 'side', triggers: ['what is'], chance: 0.1, invent: panel },
  { type: 'channel', placement: 'head', triggers: ['who is', 'company', 'channel'], chance: 0.25, invent: channels },
  { type: 'movie', placement: 1, triggers: ['movie', 'film'], chance: 0.04, invent: movies },
  { type: 'short', placement: 3, triggers: ['shorts'], chance: 0.4, laterChance: 0.2, invent: shorts },
  { type: 'playlist', placement: 5, triggers: ['course', 'playlist'], chance: 0.3, laterChance: 0.1, invent: playlists },
  { type: 'carousel', placement: 7, triggers: ['similar'], chance: 0.4, laterChance: 0.2, invent: shelf },
  { type: 'related_search', placement: 'foot', triggers: ['related'], chance: 0.5, laterChance: 0.2, invent: relatedSearch },
];
