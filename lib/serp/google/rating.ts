/** Stars, counts and prices in a row of a result: known by the picture of stars and by signs, in any language. */
import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { ancestors, find, isInside, linesOf, type Test, textOf } from '../dom.ts';
import type { Draft } from '../walker.ts';

const number = /\d(?:[.,]\d)?/;

/** Five stars as one picture, or Google's own element for them. */
const isStars: Test = ({ name, attribs }) =>
  name === 'g-review-stars' || (attribs.role === 'img' && number.test(attribs['aria-label'] ?? ''));

/** The first price of a card: an element of its own, for a former price may stand right beside it. */
export const priceOf = (card: Element): string => {
  const isPrice: Test = (element) => {
    const text = textOf(element);
    return text !== '' && priceIn(text) === text;
  };
  const found = find(card, isPrice);
  return found ? textOf(found) : '';
};

/** A price that opens its line; further on it is a threshold for free delivery. */
const leadingPrice = (line: string): string => {
  const price = priceIn(line);
  return line.indexOf(price) < 14 ? price : '';
};

/** What stars under an element say, to eyes or to screen readers. */
export const starsIn = (element: Element): string => {
  const stars = find(element, isStars);
  return stars ? `${stars.attribs['aria-label'] ?? ''} ${textOf(stars)}` : '';
};

/** What the row with the stars says; nothing where there are none. */
export const readRating = (block: Element, link: Element): Pick<Draft, 'rating' | 'reviews' | 'price'> => {
  const stars = find(block, (element) => isStars(element) && !isInside(element, (up) => up === link));
  if (!stars) {
    // Prices stand in a row of their own under the text.
    const row = find(block, ({ attribs }) => (attribs['data-sncf'] ?? '').split(',').includes('2'));
    const price = row ? leadingPrice(linesOf(row)[0] ?? '') : '';
    return price ? { price } : {};
  }
  const row = ancestors(stars).find((box) => box === block || textOf(box).length > 12) ?? block;
  const text = `${textOf(stars) || (stars.attribs['aria-label'] ?? '')} ${textOf(row)}`;
  const price = priceIn(text);
  return { ...ratingIn(text), ...(price && { price }) };
};
