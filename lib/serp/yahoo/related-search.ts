/**
 * Blocks of related searches: links that search for their own text. The page repeats terms above, between and
 * below the results.
 */

import type { Element } from 'domhandler';
import { ancestors, has, hasClass, isNamed, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { relatedSearchesBy } from '../list/related-search.ts';
import { once } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import { isItem, isOtherItem, isRightItem, itemsOf, linksIn } from './elements.ts';
import { searchParameters } from './link.ts';
import { isPageLink } from './page-facts.ts';

const isCell: Test = (element) => element.name === 'td' || (element.name === 'li' && !isItem(element));

/** A number before a term is that of its place in the list. */
const withoutNumber = (text: string): string => text.replace(/^\d{1,2}\.?\s+|(?<!\s)\s+\d{1,2}\.?$/, '');

/**
 * A term is alone in its cell, or in its item of a list inside the block. With other text, such as a rating,
 * the cell is the card of a business. A term in a sentence is a correction.
 */
const isListed = (link: Element, text: string): boolean => {
  const cell = ancestors(link).find((up) => up.name === 'li' || up.name === 'td');
  if (!cell || !isCell(cell)) return false;
  const others = linesOf(cell, (element) => element === link).map(withoutNumber);
  return others.every((other) => /^[\p{P}\p{S}\d\s]*$/u.test(other) || other === text);
};

/** The term that a link shows and searches for; empty if it is none. */
const termOf = (link: Element): string => {
  const searched = searchParameters(link)?.get('p') ?? '';
  if (searched === '' || isPageLink(link)) return '';
  const text = textOf(link);
  return text !== '' && isSameQuery(searched, text) && isListed(link, text) ? text : '';
};

const termsIn = once((item: Element): string[] => [
  ...new Set(linksIn(item).flatMap((link) => termOf(link) || [])),
]);

const hasPictures: Test = (item) => has(item, isNamed('img'));

/** The facts of an answer have labels, with searches in their values. */
const hasFacts: Test = (item) => has(item, isNamed('label'));

const isPanelClass = hasClass('catKG');

/** Cards with pictures in the right column are other meanings of the query, or what others search for. */
export const isRelated: Test = (element) =>
  isOtherItem(element) &&
  termsIn(element).length > 0 &&
  !hasFacts(element) &&
  !has(element, isPanelClass) &&
  !(isRightItem(element) && hasPictures(element));

export const readRelatedSearches = relatedSearchesBy({ itemsOf, isRelated, termsIn, isRight: isRightItem });
