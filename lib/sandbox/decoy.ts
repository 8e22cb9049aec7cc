/** Chooses a subject and a vocabulary that have nothing in common with a query. */
import type { Vocabulary } from './words.ts';

const subjects = ['umbrella stand', 'pizza dough', 'violin bow', 'desert fox', 'tide table'];

const stems = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 4));

export const decoyWords = (query: string, vocabulary: Vocabulary): { subject: string; words: Vocabulary } => {
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
