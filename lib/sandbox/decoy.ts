/**
 * Plans a page that has nothing to do with its query: with another subject, and words that the query does not
 * have.
 */
import type { PagePlan } from './plan.ts';
import type { Search } from './search.ts';
import { type Vocabulary, vocabulary } from './words.ts';

const subjects = ['umbrella stand', 'pizza dough', 'violin bow', 'desert fox', 'tide table'];

const stems = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 4));

export const decoyWords = (query: string): { subject: string; words: Vocabulary } => {
  const queryStems = stems(query);
  const isUnrelated = (phrase: string) => !queryStems.some((stem) => phrase.toLowerCase().includes(stem));
  const unrelated = (list: readonly string[], fallback: string) => {
    const found = list.filter(isUnrelated);
    return found.length > 0 ? found : [fallback];
  };
  return {
    subject: subjects.find(isUnrelated) ?? 'qwyx',
    words: {
      brands: unrelated(vocabulary.brands, 'zorb'),
      ending: 'invalid',
      fixedHosts: {},
      movingHosts: {},
      sections: unrelated(vocabulary.sections, 'zz'),
      titles: unrelated(vocabulary.titles, '*'),
      sentences: unrelated(vocabulary.sentences, '*.'),
    },
  };
};

/** Plans the web results for another subject, without the blocks around them. */
export const planDecoy = <Plan extends PagePlan>(
  search: Search,
  plan: (search: Search, words: Vocabulary) => Plan,
): Plan => {
  const { subject, words } = decoyWords(search.rawQuery);
  const planned = plan({ ...search, query: subject }, words);
  return { ...planned, blocks: planned.blocks.filter(({ type }) => type === 'organic'), side: [] };
};
