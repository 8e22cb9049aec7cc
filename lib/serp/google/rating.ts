/**
 * Reads rating, number of reviews and price in a row of a result, by the picture of stars and by currency
 * signs, in any language.
 */

import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { mayBeginPrice } from '../currencies.ts';
import { ancestors, find, isInside, type Test } from '../dom.ts';
import { firstSignOf, linesOf, textOf } from '../lines.ts';
import { mark, mayHave } from '../marks.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';

/** A picture of five stars, or Google's own element for stars. */
const isStars: Test = (element) =>
  element.name === 'g-review-stars' ||
  (mayHave(element, mark.role) &&
    element.attribs.role === 'img' &&
    /\p{Nd}/u.test(element.attribs['aria-label'] ?? ''));

const isPrice: Test = once((element: Element): boolean => {
  if (!mayBeginPrice(firstSignOf(element))) return false;
  const text = textOf(element);
  return text !== '' && priceIn(text) === text;
});

/**
 * The first price of a card. It is an element that contains only the price, because a former price may be
 * right beside it.
 */
export const priceOf = (card: Element): string => {
  const found = find(card, isPrice);
  return found ? textOf(found) : '';
};

/** The price at the start of a line. Further on in a line, a price is a threshold for free delivery. */
const leadingPrice = (line: string): string => {
  const price = priceIn(line);
  return line.indexOf(price) < 14 ? price : '';
};

/** The text of the stars in an element: the label for screen readers, and the visible text. */
export const starsIn = (element: Element): string => {
  const stars = find(element, isStars);
  return stars ? `${stars.attribs['aria-label'] ?? ''} ${textOf(stars)}` : '';
};

/** The row of facts of a result without stars. */
const isFacts: Test = (element) =>
  mayHave(element, mark.data) && element.attribs['data-sncf']?.split(',').includes('2') === true;

/** Reads rating, reviews and price from the row with the stars. Without stars, reads only the price. */
export const readRating = (block: Element, link: Element): Pick<Draft, 'rating' | 'reviews' | 'price'> => {
  const stars = find(block, (element) => isStars(element) && !isInside(element, (up) => up === link));
  if (!stars) {
    // Without stars, the price has its own row below the text.
    const row = find(block, isFacts);
    const price = row ? leadingPrice(linesOf(row)[0] ?? '') : '';
    return price ? { price } : {};
  }
  const row = ancestors(stars).find((box) => box === block || textOf(box).length > 12) ?? block;
  const text = `${textOf(stars) || (stars.attribs['aria-label'] ?? '')} ${textOf(row)}`;
  const price = priceIn(text);
  return { ...ratingIn(text), ...(price && { price }) };
};
