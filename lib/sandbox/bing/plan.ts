/** Plans a page of Bing. */
import { kindsOn } from '../kinds.ts';
import { organicsAt } from '../organic.ts';
import { arrange, type PagePlan, ranksOn } from '../plan.ts';
import type { Search } from '../search.ts';
import { searchContext } from '../search-context.ts';
import { type Vocabulary, vocabulary } from '../words.ts';
import { kinds } from './kinds.ts';
import { pageSize } from './search.ts';

export const planPage = (search: Search, words: Vocabulary = vocabulary): PagePlan => {
  const context = searchContext(search);
  const { ranks, facts } = ranksOn(context, pageSize);
  const wanted = ranks.length > 0 ? kindsOn(kinds, context) : [];
  const results = organicsAt(context, ranks, words);
  return { context, ...arrange(context, wanted, results, context.device === 'desktop'), ...facts };
};
