/**
 * Tests whether results have anything to do with the query. A decoy has correct markup, but unrelated words,
 * or results of one word of the query only.
 */

import type { ResultItem } from '../model/result.ts';
import { agreesWithSites, maximumJudged, namesSite } from './asked-sites.ts';
import { sameLetters } from './letters.ts';
import { isSameQuery } from './query.ts';
import { comparable, partsOf, type Term, withoutSpaces } from './query-parts.ts';
import { shownBy } from './shown.ts';
import { showsSigns, testOf, testOfSite } from './shown-words.ts';
import { isPart, isVariant, statesSpelling, wordsIn } from './variants.ts';
import {
  areAllShown,
  aroundOf,
  type Count,
  countsOf,
  fewResults,
  onlyWord,
  shownAround,
  withoutOptional,
  withoutReadings,
} from './word-counts.ts';

/** The minimum number of results for a judgement by shares. */
const minimumJudged = 3;

/**
 * Unrelated results contain fewer of the query's words than this on average. For a long query half a word per
 * result is enough, because the engine also finds results by meaning.
 */
const unrelatedBelow = { share: 0.15, words: 0.5 };

/** Of a query of so many words, which is a sentence, each result shows a few: a word is missing from all. */
const manyWords = 6;

/**
 * Results of which more than half show one word of a sentence, and of which at most a quarter show each
 * other, are for that word. So are results that show fewer words than this on average: those are there by
 * accident.
 */
const accident = { kept: 0.5, others: 0.25, words: 0.75 };

/**
 * Such a sentence is searched as a whole if so many of its words are shown, more than those of results for
 * one word, and each by fewer than this share of the results on average.
 */
const byMeaning = { words: 6, share: 0.5 };

/** A word is missing if at most this share of the results show it. */
const missingUpTo = 0.1;

/** The share of a query's words that are missing from results for a part of the query. */
const partFrom = { few: 0.3, many: 0.5 };

/**
 * Results for one word of several: at most `kept` of the words are shown, and so many others are missing, or
 * the results that show the word are not nearly all.
 */
const foreign = { kept: 1 / 3, dropped: 4, share: 0.9 };

/** Of two words, a single one that fewer results show than this proves nothing. */
const keptOfTwo = 0.5;

/**
 * `fits`: the results are for the query. `part`: they are for some of its words, `kept`, which is empty if
 * they show none, or too few to tell. `foreign`: they have too little to do with the query to be its
 * results.
 */
export type Fit = { fit: 'fits' | 'foreign' } | { fit: 'part'; kept: string };

/** The words of a query that contain one of these terms, as the query writes them. */
const textOf = (query: string, counts: Count[], kept: Count[]): string => {
  const wordsOf = (all: Count[]): string[] =>
    all.flatMap(({ term }) => term.words.flatMap((word) => word.split(' ')));
  const words = wordsOf(kept);
  const dropped = wordsOf(counts.filter((count) => !kept.includes(count)));
  return query
    .split(/\s+/)
    .flatMap((piece) => {
      const text = sameLetters(comparable(piece));
      const has = (word: string): boolean => text.includes(sameLetters(word));
      const found = /site:/i.test(piece) ? [] : [...new Set(words.filter(has))];
      // `face` and `book` are in `facebook`, too.
      const own = found.filter((word) => !found.some((other) => other !== word && other.includes(word)));
      if (own.length === 0) return [];
      // A piece of several words, such as one in Chinese, may have some of each.
      return dropped.some(has) ? own.join(withoutSpaces.test(piece) ? '' : ' ') : piece;
    })
    .join(' ');
};

const isUnrelated = (counts: Count[]): boolean => {
  const [first] = counts;
  if (counts.length === 1 && first) return first.share < onlyWord;
  const mean = counts.reduce((sum, { share }) => sum + share, 0);
  return mean < Math.min(unrelatedBelow.share * counts.length, unrelatedBelow.words);
};

const fitOfCounts = (query: string, counts: Count[], isOnSite: boolean): Fit => {
  if (isOnSite ? counts.every(({ share }) => share === 0) : isUnrelated(counts)) return { fit: 'foreign' };
  const isLong = counts.length >= manyWords;
  const limit = isLong ? 0 : missingUpTo;
  const kept = counts.filter(({ share }) => share > limit);
  const dropped = counts.length - kept.length;
  if (kept.length === 0 || dropped < partFrom[isLong ? 'many' : 'few'] * counts.length)
    return { fit: 'fits' };
  // Results for a part of a query all show this part. Those for a sentence show some of its words each.
  const shown = kept.reduce((sum, { share }) => sum + share, 0) / kept.length;
  const isFewKept = kept.length <= foreign.kept * counts.length;
  if (isLong && !isFewKept && kept.length >= byMeaning.words && shown < byMeaning.share)
    return { fit: 'fits' };
  const most = Math.max(...kept.map(({ share }) => share));
  const isForeign =
    counts.length === 2
      ? most < keptOfTwo
      : isFewKept && (dropped >= foreign.dropped || most < foreign.share);
  return isForeign && !isOnSite ? { fit: 'foreign' } : { fit: 'part', kept: textOf(query, counts, kept) };
};

/** The fit of results that may show the words of a sentence by accident. */
const partByAccident = (query: string, counts: Count[]): Fit => {
  const [first, second, ...others] = counts.toSorted((one, other) => other.share - one.share);
  if (!first || !second || counts.length < manyWords) return { fit: 'fits' };
  const mean = [first, second, ...others].reduce((sum, { share }) => sum + share, 0);
  if (first.share > accident.kept && second.share <= accident.others)
    return { fit: 'part', kept: textOf(query, counts, [first]) };
  return mean < accident.words ? { fit: 'part', kept: '' } : { fit: 'fits' };
};

/**
 * One or two results are never foreign by their words. If they and what is around them show at most half,
 * they are for a part; for which one only if they show less than half.
 */
const fitOfFew = (query: string, counts: Count[]): Fit => {
  const kept = counts.filter(({ share }) => share > 0);
  if (2 * kept.length > counts.length) return { fit: 'fits' };
  const isKnown = 2 * kept.length < counts.length;
  return { fit: 'part', kept: isKnown ? textOf(query, counts, kept) : '' };
};

/**
 * Whether the questions and the related terms of a page are for the query. Then its results, which show other
 * words, may have been found by their meaning. The decoys of engines have nothing around the results, and a
 * page of another search has its own terms there.
 */
const isSearchedAround = (query: string, terms: Term[], page: ResultItem[]): boolean => {
  const around = aroundOf(page);
  return (
    around.length >= minimumJudged &&
    fitOfCounts(query, withoutOptional(countsOf(terms, around, [])), false).fit === 'fits'
  );
};

/** Whether the only word of a query may be short for the name of the sites of some results. */
const isShortName = ([term, ...others]: Term[], results: ResultItem[]): boolean => {
  if (!term || others.length > 0) return false;
  const judged = results.slice(0, maximumJudged).map(shownBy);
  return judged.filter(testOfSite(term)).length >= onlyWord * judged.length;
};

const shownNothing: Fit = { fit: 'part', kept: '' };

/**
 * How the results fit a query. A query without any letters and digits fits all results, but one of pictures
 * only those that show one of them. `page`: the other items of the page.
 */
export const fitOf = (
  query: string,
  results: ResultItem[],
  page: ResultItem[] = [],
  parts = partsOf(query),
): Fit => {
  const agrees = agreesWithSites(parts, results);
  if (agrees === false) return { fit: 'foreign' };
  if (results.length === 0) return { fit: 'fits' };
  if (parts.terms.length === 0) return showsSigns(query, results) ? { fit: 'fits' } : shownNothing;
  const isOnSite = agrees === true && namesSite(parts);
  if (isOnSite && results.length <= fewResults)
    return results.map(shownBy).some((shown) => parts.terms.some((term) => testOf(term)(shown)))
      ? { fit: 'fits' }
      : shownNothing;
  if (results.length > fewResults && areAllShown(parts.terms, results)) return { fit: 'fits' };
  const all = withoutOptional(countsOf(parts.terms, results, page));
  const counts = withoutReadings(all, results);
  const isUnread = counts.length < all.length;
  if (counts.length === 0) return shownNothing;
  if (results.length < minimumJudged) return isUnread ? shownNothing : fitOfFew(query, counts);
  const found = fitOfCounts(query, counts, isOnSite);
  const mayFit = (): boolean =>
    isShortName(parts.terms, results) || isSearchedAround(query, parts.terms, page);
  if (found.fit === 'foreign' && mayFit()) return shownNothing;
  // Only what is around the results shows most words: the results may be those of another page.
  const around = counts.filter(({ share }) => share === shownAround);
  const isAround =
    results.length <= fewResults &&
    around.length > 0 &&
    2 * around.length > counts.filter(({ share }) => share > 0).length;
  if (found.fit !== 'fits') return found;
  if (isAround || isUnread) return shownNothing;
  return results.length > fewResults ? partByAccident(query, counts) : found;
};

/** A page offers one or two spellings. */
const maximumSpellings = 4;

const worst = { foreign: 0, part: 1, fits: 2 };

/** A correction that keeps less than this share of the letters of a query has left out words. */
const keptLetters = 0.6;

/**
 * The fit of a spelling as that of the query. Results for a correction that leaves out words are for a part.
 * A spelling of words of the query says itself which words are left out.
 */
const partOf = (query: string, words: string, found: Fit): Fit => {
  const lettersOf = (text: string): number => wordsIn(text).join('').length;
  const isShort = !isPart(query, words) && lettersOf(words) < keptLetters * lettersOf(query);
  return found.fit === 'fits' && isShort ? { fit: 'part', kept: words } : found;
};

/**
 * How the results fit the query, or a spelling that the engine says it searched for instead, whichever they
 * fit best. A spelling that does not resemble the query does not count: such a page belongs to another
 * search. But it counts, as a part, if a sentence of the page states it, and if it is among the spellings
 * once more, because the page has also searched for it. A correction does not take back the sites that the
 * query names; a spelling of words of the query does, because it says itself which ones it leaves out.
 */
export const fitOfSearch = (
  query: string,
  spellings: string[],
  results: ResultItem[],
  page: ResultItem[] = [],
): Fit => {
  const judged = spellings.slice(0, maximumSpellings);
  const variants = judged.filter((spelling) => isVariant(query, spelling));
  const replacement = judged.find(
    (spelling, index) =>
      !isVariant(query, spelling) &&
      statesSpelling(page, spelling) &&
      judged.slice(index + 1).some((other) => isSameQuery(other, spelling)),
  );
  const parts = partsOf(query);
  const isElsewhere = agreesWithSites(parts, results) === false;
  const leavesOutSites = (spelling: string): boolean => {
    const { sites, excluded } = partsOf(spelling);
    return sites.length + excluded.length === 0 && isPart(query, spelling);
  };
  if (isElsewhere && !variants.some(leavesOutSites)) return { fit: 'foreign' };
  const fits = [
    partOf(query, query, fitOf(query, results, page, parts)),
    ...variants.map((words) => partOf(query, words, fitOf(words, results, page))),
  ];
  if (replacement !== undefined && fitOf(replacement, results, page).fit !== 'foreign')
    fits.push({ fit: 'part', kept: replacement });
  return fits.reduce((best, next) => (worst[next.fit] > worst[best.fit] ? next : best));
};
