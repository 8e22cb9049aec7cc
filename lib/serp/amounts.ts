/** Finds prices, ratings and numbers of reviews in a text by currency signs and number formats, not by words. */
import type { ResultItem } from '../model/result.ts';

/** A number before the sign counts from its first digit, so that the other digits of a long number are not tried. */
const amount = /\p{Sc}\s?\d[\d.,\u00a0\u202f ]*|(?<!\d[.,\u00a0\u202f ]*)\d[\d.,\u00a0\u202f ]*\s?\p{Sc}/u;

export const priceIn = (text: string): string => amount.exec(text)?.[0].trim() ?? '';

const countIn = (text: string): string =>
  /\(([\d.,\u00a0\u202f ]+\s?[KkMm]?)\)/.exec(text)?.[1]?.trim() ?? '';

/** The rating in a row is the first number of the form `4.5` or `4,5`. The number of reviews is in brackets, or follows the rating. */
export const ratingIn = (text: string): Pick<ResultItem, 'rating' | 'reviews'> => {
  const rating = /(?<![\d.,(])[0-5][.,]\d(?![\d.,]*\d|\s?[KkMm]?\))/.exec(text)?.[0];
  if (!rating) return {};
  const after = text.slice(text.indexOf(rating) + rating.length);
  const reviews =
    countIn(text) ||
    (/(?<![\d.,\p{Sc}])\d(?:[\d.,\u00a0\u202f]*\d)?[KkMm]?(?=\s\p{L})/u.exec(after)?.[0] ?? '');
  return { rating, ...(reviews && { reviews }) };
};
