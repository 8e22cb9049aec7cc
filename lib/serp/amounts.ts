/**
 * Finds prices, ratings and numbers of reviews in a text by currency signs and number formats, not by words.
 */
import type { ResultItem } from '../model/result.ts';
import { asciiDigits } from './text.ts';

/**
 * A number before the sign counts from its first digit, so that the other digits of a long number are not
 * tried.
 */
const amount = /\p{Sc}\s?\d[\d.,\u00a0\u202f ]*|(?<!\d[.,\u00a0\u202f ]*)\d[\d.,\u00a0\u202f ]*\s?\p{Sc}/u;

/** The part of a text that a pattern finds, with the digits as the text has them. */
const partBy = (pattern: RegExp, text: string): string => {
  const found = pattern.exec(asciiDigits(text));
  return found ? text.slice(found.index, found.index + found[0].length).trim() : '';
};

export const priceIn = (text: string): string => partBy(amount, text);

const countIn = (text: string): string => partBy(/(?<=\()[\d.,\u00a0\u202f ]+\s?[KkMm]?(?=\))/, text);

/**
 * The rating in a row is the first number of the form `4.5` or `4,5`. The number of reviews is in brackets,
 * or follows the rating.
 */
export const ratingIn = (text: string): Pick<ResultItem, 'rating' | 'reviews'> => {
  const rating = partBy(/(?<![\d.,(])[0-5][.,]\d(?![\d.,]*\d|\s?[KkMm]?\))/, text);
  if (rating === '') return {};
  const after = text.slice(text.indexOf(rating) + rating.length);
  const reviews =
    countIn(text) || partBy(/(?<![\d.,\p{Sc}])\d(?:[\d.,\u00a0\u202f]*\d)?[KkMm]?(?=\s\p{L})/u, after);
  return { rating, ...(reviews && { reviews }) };
};

/** Whether a line shows a price and little more. */
export const isPriceLine = (line: string): boolean =>
  priceIn(line) !== '' && priceIn(line).length >= line.length / 3;
