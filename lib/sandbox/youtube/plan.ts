/** Plans a page of YouTube. */
import { kindsOn } from '../kinds.ts';
import { arrange, type PagePlan, ranksOn } from '../plan.ts';
import type { Search } from '../search.ts';
import { searchContext } from '../search-context.ts';
import { type Vocabulary, vocabulary } from '../words.ts';
import { videosAt } from './invent.ts';
import { kinds } from './kinds.ts';
import { pageSize } from './search.ts';

export const planPage = (search: Search, words: Vocabulary = vocabulary): PagePlan => {
  const context = searchContext(search);
  const { ranks, facts } = ranksOn(context, pageSize);
  const wanted = ranks.length > 0 ? kindsOn(kinds, context) : [];
  const videos = videosAt(context, ranks, words);
  return { context, ...arrange(context, wanted, videos, context.device === 'desktop'), ...facts };
};
