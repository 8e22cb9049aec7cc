/** Finds out whether results are for the first word of a query only, as Bing answers clients that it does not trust. */
import type { ResultItem } from '../../model/result.ts';
import { wordsShown } from '../relevance.ts';

/**
 * On such pages, (nearly) all results show the first word, and (nearly) none shows any other. `dropped`: the limits for each other word, and
 * for all of them on average.
 */
const bounds = { kept: 0.8, dropped: { each: 0.2, mean: 0.1 } };

/** So many other words are too many for a page that answers one of them, unless all results are for that one. */
const tooManyDropped = 4;

const shareOf = (word: string, results: ResultItem[]): number | null => {
  const shown = wordsShown(word, results);
  return shown && shown.mean / shown.of;
};

/** The share of results that show a word, or its beginning in a script that is compared by pairs of letters. Null if it is too short. */
const bestShareOf = (word: string, results: ResultItem[]): number | null => {
  const beginning = [...word].slice(0, 2).join('');
  const shares = [word, beginning].map((text) => shareOf(text, results)).filter((share) => share !== null);
  return shares.length === 0 ? null : Math.max(...shares);
};

export type OnlyWord = {
  /** The query up to the only word that the results are for. */
  words: string;
  /** Whether the results have too little to do with the query to be its results. */
  isDecoy: boolean;
};

/** The only word of the query that the results are for, and the words before it that are too short to judge; null if there is none. */
export const onlyWordOf = (query: string, results: ResultItem[]): OnlyWord | null => {
  const words = query.trim().split(/\s+/);
  const first = words.findIndex((word) => shareOf(word, results) !== null);
  const kept = bestShareOf(words[first] ?? '', results) ?? 0;
  const dropped = words
    .slice(first + 1)
    .map((word) => shareOf(word, results))
    .filter((share) => share !== null);
  if (first < 0 || dropped.length === 0 || kept < bounds.kept) return null;
  const mean = dropped.reduce((sum, share) => sum + share, 0) / dropped.length;
  if (mean > bounds.dropped.mean || dropped.some((share) => share > bounds.dropped.each)) return null;
  return {
    words: words.slice(0, first + 1).join(' '),
    isDecoy: dropped.length >= tooManyDropped && kept < 1,
  };
};
