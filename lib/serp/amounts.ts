/**
 * Finds prices, ratings, numbers of reviews and telephone numbers in a text by currencies and number formats,
 * not by other words.
 */
import type { ResultItem } from '../model/result.ts';
import { currencyAfter, currencyBefore } from './currencies.ts';
import { asciiDigits } from './text.ts';

/**
 * A number with the spaces behind it, and the sign before or after it, if there is one. Each number is
 * matched whole, so that its digits are not tried one by one. An apostrophe separates thousands.
 */
const numbers =
  /\p{Sc}\s?\d(?:[\d.,\u00a0\u202f ]|['’](?=\d{3}))*|\d(?:[\d.,\u00a0\u202f ]|['’](?=\d{3}))*(?:\s?\p{Sc})?/gu;

/** The part of a text that a pattern finds, with the digits as the text has them. */
const partBy = (pattern: RegExp, text: string): string => {
  const found = pattern.exec(asciiDigits(text));
  return found ? text.slice(found.index, found.index + found[0].length).trim() : '';
};

/** The first price with a sign, or else the first one with a currency in letters. Empty if there is none. */
export const priceIn = (text: string): string => {
  const found = [...asciiDigits(text).matchAll(numbers)];
  const signed = found.find(([part]) => /\p{Sc}/u.test(part));
  if (signed) return text.slice(signed.index, signed.index + signed[0].length).trim();
  for (const { 0: part, index } of found) {
    const end = index + part.length;
    const after = currencyAfter(text, end, part.trim());
    if (after > end) return text.slice(index, after);
    const before = currencyBefore(text, index, part.trim());
    if (before < index) return text.slice(before, end).trim();
  }
  return '';
};

const countIn = (text: string): string => partBy(/(?<=\()[\d.,'’\u00a0\u202f ]+\s?[KkMm]?(?=\))/, text);

/** The greatest number of stars, after a word or a slash, such as `out of 5`. Other numbers follow it. */
const scale = /^\s?(?:\/\s?|\p{L}[\p{L}\s]{0,30}\s)5(?=\s)/u;

/** A number whose thousands are separated by blanks, or any other, before a word. */
const countBeforeWord =
  /(?<![\d.,'’\p{Sc}])(?:\d{1,3}(?:[\u00a0\u202f ]\d{3}){1,4}|\d(?:[\d.,'’]{0,24}\d)?[KkMm]?)(?=\s\p{L})/u;

/** A number of the form `4.5` that is no distance, such as `4.0mi` or `2,5 km`. */
const ratingNumber =
  /(?<![\d.,(])[0-5][.,]\d(?![\d.,]*\d|\s?[KkMm]?\)|\s?(?:mi|km|m|ft|км|м|公里)(?![\p{L}\p{M}]))/u;

/**
 * The rating in a row is the first number of the form `4.5` or `4,5`. The number of reviews is in brackets,
 * or follows the rating.
 */
export const ratingIn = (text: string): Pick<ResultItem, 'rating' | 'reviews'> => {
  const rating = partBy(ratingNumber, text);
  if (rating === '') return {};
  const after = text.slice(text.indexOf(rating) + rating.length);
  const behindScale = after.slice(scale.exec(asciiDigits(after))?.[0].length ?? 0);
  const reviews = countIn(text) || partBy(countBeforeWord, behindScale.replace(priceIn(behindScale), ''));
  return { rating, ...(reviews && { reviews }) };
};

/** A telephone number: about ten digits, in groups. Empty if there is none. */
export const phoneIn = (text: string): string => partBy(/(?:\+|\()?\d[\d().\s/-]{7,}\d/, text);

/** Whether a line shows a price and little more. */
export const isPriceLine = (line: string): boolean =>
  priceIn(line) !== '' && priceIn(line).length >= line.length / 3;
