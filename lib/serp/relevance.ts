/** Whether results have anything to do with the query: what tells a decoy, correct markup filled with other words, from a ranking. */
import type { ResultItem } from '../model/result.ts';

/** Below this many results in the query's own script nothing can be said. */
const minimumJudged = 3;

/**
 * Results of other words show fewer of the query's words than this, on average; results of real pages, saved in many languages, show a quarter or more.
 * Of a long query half a word a result is enough, since the engine finds what it means.
 */
const foreign = { share: 0.1, words: 0.5 };

/** Operators that restrict by something no result shows, and words asked to be absent. */
const invisible = /(^|\s)(?:(?:before|after|filetype|ext|daterange|related|source):\S+|-\S+)/giu;

/** Operators whose value a result does show, in its address or its words. */
const operator = /\b(?:site|(?:all)?in(?:title|url|text|anchor)):/giu;

const letters = (script: string): RegExp => new RegExp(`\\p{Script=${script}}`, 'gu');

/** Scripts written without spaces, or with words of two letters: compared by pairs of letters. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const scripts = [
  /\p{Script=Latin}/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Greek}/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Hebrew}/gu,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  /\p{Script=Hangul}/gu,
  /\p{Script=Thai}/gu,
  ...[
    'Devanagari',
    'Bengali',
    'Tamil',
    'Telugu',
    'Gujarati',
    'Kannada',
    'Malayalam',
    'Gurmukhi',
    'Sinhala',
  ].map(letters),
  ...['Georgian', 'Armenian', 'Ethiopic', 'Khmer', 'Lao', 'Myanmar'].map(letters),
];

/** Letters that Unicode does not take apart into a base and an accent. */
const wholeLetters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** One spelling for case, width and accents. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0653-\u0655]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđıßæœ]/g, (letter) => wholeLetters[letter] ?? letter);

/** Four letters stand for a word and its endings (`roofing`, `roofers`); words of fewer say too little to count. */
const stemsOf = (word: string): string[] => {
  if (!dense.test(word)) return word.length < 4 ? [] : [word.slice(0, 4)];
  const letters = [...word];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
};

const stems = (query: string): string[] => {
  const shown = fold(query).replace(invisible, ' ').replace(operator, ' ');
  return [...new Set((shown.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap(stemsOf))];
};

/** The index of the script most of the letters are in, or -1. */
const scriptOf = (text: string): number => {
  const counts = scripts.map((script) => text.match(script)?.length ?? 0);
  const most = Math.max(...counts);
  return most === 0 ? -1 : counts.indexOf(most);
};

const decoded = (url: string): string => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

const wordsOf = (item: ResultItem): string =>
  fold([item.title, item.snippet, item.breadcrumb, item.domain ?? '', decoded(item.url)].join(' '));

/**
 * How many of the query's words a result shows on average, in title, snippet, breadcrumb or address, whatever their case, accents and
 * endings, and of how many; null where that says nothing: a query without a word of four letters, or too few results in the
 * query's script.
 */
export const wordsShown = (query: string, results: ResultItem[]): { mean: number; of: number } | null => {
  const wanted = stems(query);
  const script = scriptOf(fold(query));
  const judged = results.filter((item) => script === -1 || scriptOf(item.title) === script).map(wordsOf);
  if (wanted.length === 0 || judged.length < minimumJudged) return null;
  const shown = judged.map((words) => wanted.filter((stem) => words.includes(stem)).length);
  return { mean: shown.reduce((sum, count) => sum + count, 0) / judged.length, of: wanted.length };
};

const isForeign = (query: string, results: ResultItem[]): boolean => {
  const shown = wordsShown(query, results);
  return shown !== null && shown.mean < Math.min(foreign.share * shown.of, foreign.words);
};

const pairsOf = (text: string): Set<string> => {
  const letters = fold(text).match(/[\p{L}\p{M}\p{N}]/gu) ?? [];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
};

/** Whether the one could be the other spelled wrongly: of their pairs of neighbouring letters one in five or more are the same. */
const resembles = (query: string, spelling: string): boolean => {
  const [one, other] = [pairsOf(query), pairsOf(spelling)];
  return 2 * one.intersection(other).size >= 0.2 * (one.size + other.size);
};

/**
 * Results that have nothing to do with the query, nor with a spelling under which the engine says it looked instead. A spelling
 * of quite another query does not count: that page answers another search.
 */
export const isDecoy = (query: string, spellings: string[], results: ResultItem[]): boolean =>
  [query, ...spellings.filter((spelling) => resembles(query, spelling))].every((words) =>
    isForeign(words, results),
  );
