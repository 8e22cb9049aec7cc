/** Compares the query that a page names with the one that was asked: a correction, or some of its words. */
import type { ResultItem } from '../model/result.ts';
import { isSameQuery } from './query.ts';
import { fold } from './text.ts';

/** The words of a query, as `fold` writes them. */
export const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

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

/** Whether a query has only words of another one. */
export const isPart = (query: string, searched: string): boolean => {
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
 * Whether a sentence of the page states that it searched for a query. A silent spelling is not the page's own
 * word: the reader adds it.
 */
export const statesSpelling = (items: ResultItem[], query: string): boolean =>
  items.some(
    ({ type, state, title }) => type === 'spelling' && state !== 'silent' && isSameQuery(title, query),
  );
