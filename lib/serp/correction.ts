/** Recognizes a query that differs from another one only as a correction of its spelling does. */
import { isSameQuery } from './query.ts';
import { fold } from './text.ts';

/** Longer queries are sentences, and engines leave their spelling. */
const longestQuery = 128;

/** The number of letters that may be changed, added, left out or exchanged with the next one. */
const allowedIn = (letters: number): number => {
  if (letters < 4) return 0;
  if (letters < 6) return 1;
  return letters < 10 ? 2 : 3;
};

/** The number of such changes between two short texts. */
const changesBetween = (one: string, other: string): number => {
  const [from, to] = [[...one], [...other]];
  let beforeLast: number[] = [];
  let last = to.map((_, index) => index + 1);
  last.unshift(0);
  for (const [row, letter] of from.entries()) {
    const next = [row + 1];
    for (const [column, wanted] of to.entries()) {
      const isSwapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === wanted;
      next.push(
        Math.min(
          (last[column] ?? 0) + (letter === wanted ? 0 : 1),
          (last[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          isSwapped ? (beforeLast[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[to.length] ?? 0;
};

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}+#]+/gu) ?? [];

/** Numbers and signs such as those of `C++` are never misspelt. */
const isFixed = (word: string): boolean => /[\p{N}+#]/u.test(word);

const isMisspelt = (word: string, other: string): boolean => {
  if (word === other) return true;
  if (isFixed(word) || isFixed(other)) return false;
  return changesBetween(word, other) <= allowedIn(Math.min([...word].length, [...other].length));
};

/**
 * Whether an engine may have searched `spelling` as the correction of `query`: the same words in the same
 * order, of which some have a few other letters, or the same letters with spaces in other places.
 */
export const isCorrection = (query: string, spelling: string): boolean => {
  if (query.length > longestQuery || spelling.length > longestQuery) return false;
  const [words, others] = [wordsIn(query), wordsIn(spelling)];
  if (words.length === 0 || others.length === 0) return false;
  if (words.join('') === others.join('')) return true;
  if (words.length !== others.length) return false;
  return words.every((word, index) => isMisspelt(word, others[index] ?? ''));
};

/** The first of the texts that is another query, and a correction of this one; empty if there is none. */
export const correctionIn = (query: string, texts: readonly string[]): string => {
  if (query === '') return '';
  const isFound = (text: string) => text !== '' && !isSameQuery(text, query) && isCorrection(query, text);
  return texts.find(isFound) ?? '';
};
