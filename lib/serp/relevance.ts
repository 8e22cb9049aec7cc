/**
 * Tests whether results have anything to do with the query. A decoy has correct markup, but unrelated words.
 */

import type { ResultItem } from '../model/result.ts';
import { decoded } from './link.ts';
import { once } from './page-cache.ts';
import { fold } from './text.ts';

/** The minimum number of results for a judgement. */
const minimumJudged = 3;

/**
 * Unrelated results contain fewer of the query's words than this on average. For a long query half a word per
 * result is enough, because the engine also finds results by meaning.
 */
const unrelatedBelow = { share: 0.15, words: 0.5 };

/** Operators with values that no result shows, and excluded words. */
const unseenOperator = /(^|\s)(?:(?:before|after|filetype|ext|daterange|related|source):\S+|-\S+)/giu;

/** Operators with values that a result shows, in its URL or its text. */
const shownOperator = /\b(?:site|(?:all)?in(?:title|url|text|anchor)):/giu;

/** Scripts without spaces, or with words of two letters. Their words are compared by pairs of letters. */
const comparedByPairs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The first four letters represent a word with any ending (`roofing`, `roofers`). Shorter words are too
 * unspecific to count.
 */
const stemsOf = (word: string): string[] => {
  if (!comparedByPairs.test(word)) return word.length < 4 ? [] : [word.slice(0, 4)];
  const letters = [...word];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
};

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const stems = (query: string): string[] => {
  const shown = fold(query).replace(unseenOperator, ' ').replace(shownOperator, ' ');
  return [...new Set((shown.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap(stemsOf))];
};

const wordsOf = once((item: ResultItem): string =>
  fold([item.title, item.snippet, item.breadcrumb, item.domain ?? '', decoded(item.url)].join(' ')),
);

/** Scripts that write articles and prepositions as a part of the word. */
const withPrefixes = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * Whether a text contains a word that begins with this stem. In scripts without spaces or with prefixes, a
 * stem may be anywhere.
 */
const isShown = (stem: string, text: string): boolean => {
  if (comparedByPairs.test(stem) || withPrefixes.test(stem)) return text.includes(stem);
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (!/[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
};

/**
 * `mean`: how many of the query's words a result contains on average, in title, snippet, breadcrumb or URL,
 * ignoring case, accents and endings. `of`: how many words the query has. Returns null if no judgement is
 * possible: the query has no word of four letters, or there are too few results. Results in another script
 * count, because an engine finds them for few queries only.
 */
export const wordsShown = (query: string, results: ResultItem[]): { mean: number; of: number } | null => {
  const wanted = stems(query);
  const judged = results.map(wordsOf);
  if (wanted.length === 0 || judged.length < minimumJudged) return null;
  const shown = judged.map((words) => wanted.filter((stem) => isShown(stem, words)).length);
  return { mean: shown.reduce((sum, count) => sum + count, 0) / judged.length, of: wanted.length };
};

const isUnrelated = (query: string, results: ResultItem[]): boolean => {
  const shown = wordsShown(query, results);
  return shown !== null && shown.mean < Math.min(unrelatedBelow.share * shown.of, unrelatedBelow.words);
};

const pairsOf = (text: string): Set<string> => {
  const letters = fold(text).match(/[\p{L}\p{M}\p{N}]/gu) ?? [];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
};

/** The share of pairs of neighbouring letters that two texts have in common, from 0 to 1. */
const likeness = (text: string, otherText: string): number => {
  const [one, other] = [pairsOf(text), pairsOf(otherText)];
  const all = one.size + other.size;
  return all === 0 ? 1 : (2 * one.intersection(other).size) / all;
};

/**
 * Whether one text could be a misspelling of the other: at least one in five of their pairs of neighbouring
 * letters are the same.
 */
const resembles = (query: string, spelling: string): boolean => likeness(query, spelling) >= 0.2;

const isPart = (query: string, searched: string): boolean => {
  const [words, kept] = [wordsIn(query), wordsIn(searched)];
  return kept.length > 0 && kept.every((word) => words.includes(word));
};

/** Whether one query could be the other after a correction, or after the engine left out words. */
export const isVariant = (query: string, searched: string): boolean =>
  resembles(query, searched) || isPart(query, searched);

/**
 * As `isVariant`, for a query that the page does not show: two in five of the pairs of letters are the same.
 */
export const isCloseVariant = (query: string, searched: string): boolean =>
  likeness(query, searched) >= 0.4 || isPart(query, searched);

/**
 * Whether the results have nothing to do with the query, nor with a spelling that the engine says it searched
 * for instead. A spelling that does not resemble the query does not count: such a page belongs to another
 * search.
 */
export const isDecoy = (query: string, spellings: string[], results: ResultItem[]): boolean =>
  [query, ...spellings.filter((spelling) => resembles(query, spelling))].every((words) =>
    isUnrelated(words, results),
  );
