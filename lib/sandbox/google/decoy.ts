/** Chooses a subject, and words to speak of it, that have nothing in common with a query. */
import type { Vocabulary } from '../words.ts';

const subjects = ['umbrella stand', 'pizza dough', 'violin bow', 'desert fox', 'tide table'];

const stems = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 4));

export const decoyWords = (query: string, vocabulary: Vocabulary): { subject: string; words: Vocabulary } => {
  const asked = stems(query);
  const strange = (phrase: string) => !asked.some((stem) => phrase.toLowerCase().includes(stem));
  const some = (list: readonly string[], otherwise: string) => {
    const left = list.filter(strange);
    return left.length > 0 ? left : [otherwise];
  };
  return {
    subject: subjects.find(strange) ?? 'qwyx',
    words: {
      brands: some(vocabulary.brands, 'zorb'),
      ending: 'invalid',
      fixedHosts: {},
      sections: some(vocabulary.sections, 'zz'),
      titles: some(vocabulary.titles, '*'),
      sentences: some(vocabulary.sentences, '*.'),
    },
  };
};
