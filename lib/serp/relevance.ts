/** Whether results have anything to do with the query: what tells a decoy, correct markup filled with other words, from a ranking. */
import type { ResultItem } from '../model/result.ts';

/** Below this many results in the query's own script nothing can be said. */
const minimumJudged = 3;

/** The smallest share of results with a word of the query that a real page may have. Real pages seen: 0.43 and more; decoys: see the tests. */
const minimumShare = 0.2;

/** Operators that restrict by something no result shows, and words asked to be absent. */
const invisible = /(^|\s)(?:(?:before|after|filetype|ext|daterange):\S+|-\S+)/giu;

/** Operators whose value a result does show, in its address or its words. */
const operator = /\b(?:site|related|source|(?:all)?in(?:title|url|text|anchor)):/giu;

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
];

/** Letters that Unicode does not take apart into a base and an accent. */
const wholeLetters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** One spelling for case, width and accents. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđıßæœ]/g, (letter) => wholeLetters[letter] ?? letter);

/** The front part of a word stands for it and its endings (`roofing`, `roofers`); words under four letters say too little to count. */
const stemsOf = (word: string): string[] => {
  if (!dense.test(word))
    return word.length < 4 ? [] : [word.slice(0, Math.min(6, Math.max(4, Math.floor(word.length * 0.6))))];
  const letters = [...word];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
};

const stems = (query: string): string[] =>
  (
    fold(query)
      .replace(invisible, ' ')
      .replace(operator, ' ')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).flatMap(stemsOf);

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
 * The share of the results that show a word of the query, in title, snippet, breadcrumb or address, whatever its case, accents and
 * ending; null where that says nothing: a query without a word of four letters, or too few results in the query's script.
 */
export const shareAbout = (query: string, results: ResultItem[]): number | null => {
  const wanted = stems(query);
  const script = scriptOf(fold(query));
  const judged = results.filter((item) => script === -1 || scriptOf(item.title) === script);
  if (wanted.length === 0 || judged.length < minimumJudged) return null;
  const about = judged.filter((item) => {
    const words = wordsOf(item);
    return wanted.some((stem) => words.includes(stem));
  });
  return about.length / judged.length;
};

/** Results that have nothing to do with any of the queries: the one asked and the one that the engine says it answered. */
export const isDecoy = (queries: string[], results: ResultItem[]): boolean => {
  const shares = queries.filter(Boolean).map((query) => shareAbout(query, results));
  return shares.length > 0 && shares.every((share) => share !== null && share < minimumShare);
};
