/**
 * Finds out whether results are for the first word of a query only, as Bing answers clients that it does not
 * trust.
 */
import type { ResultItem } from '../../model/result.ts';
import { wordsShown } from '../relevance.ts';

/**
 * On such pages, (nearly) all results show the first word, and (nearly) none shows any other. `dropped`: the
 * limits for each other word, and for all of them on average.
 */
const bounds = { kept: 0.8, dropped: { each: 0.2, mean: 0.1 } };

/**
 * So many other words are too many for a page that answers one of them, unless all results are for that one.
 */
const tooManyDropped = 4;

/** Longer queries are not judged by this. Each word costs a search in all results. */
const maxWords = 32;

const shareOf = (word: string, results: ResultItem[]): number | null => {
  const shown = wordsShown(word, results);
  return shown && shown.mean / shown.of;
};

/**
 * The share of results that show the beginning of a word, in a script that is compared by pairs of letters.
 */
const shareOfBeginning = (word: string, results: ResultItem[]): number =>
  shareOf([...word].slice(0, 2).join(''), results) ?? 0;

type OnlyWord = {
  /** The query up to the only word that the results are for. */
  words: string;
  /** Whether the results have too little to do with the query to be its results. */
  isDecoy: boolean;
};

/**
 * The only word of the query that the results are for, and the words before it that are too short to judge;
 * null if there is none.
 */
export const onlyWordOf = (query: string, results: ResultItem[]): OnlyWord | null => {
  const words = query.trim().split(/\s+/);
  if (words.length < 2 || words.length > maxWords) return null;
  let first = -1;
  let kept = 0;
  const dropped: number[] = [];
  for (const [index, word] of words.entries()) {
    const share = shareOf(word, results);
    if (share === null) continue;
    if (first >= 0) {
      if (share > bounds.dropped.each) return null;
      dropped.push(share);
      continue;
    }
    first = index;
    kept = share < bounds.kept ? shareOfBeginning(word, results) : share;
    if (kept < bounds.kept) return null;
  }
  const mean = dropped.reduce((sum, share) => sum + share, 0) / dropped.length;
  // Not for a query whose other words are too short: the mean of no number is not a number.
  if (!(mean <= bounds.dropped.mean)) return null;
  return {
    words: words.slice(0, first + 1).join(' '),
    isDecoy: dropped.length >= tooManyDropped && kept < 1,
  };
};
