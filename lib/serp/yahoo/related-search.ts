/** Blocks of related searches: links that search for their own text. The page repeats terms above, between and below the results. */

import type { Element } from 'domhandler';
import { has, hasClass, isInside, isNamed, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import type { Draft } from '../walker.ts';
import { isItem, isOtherItem, isRightItem, itemsOf, linksIn } from './elements.ts';
import { searchParameters } from './link.ts';
import { isPageLink } from './page-facts.ts';

/** A term is alone in its cell, or in its item of a list inside the block. A term in a sentence is a correction. */
const isListed = (link: Element): boolean =>
  isInside(link, (up) => up.name === 'td' || (up.name === 'li' && !isItem(up)));

const isTerm: Test = (element) => {
  if (!isListed(element)) return false;
  const parameters = searchParameters(element);
  if (!parameters || isPageLink(element)) return false;
  const text = textOf(element);
  return text !== '' && isSameQuery(parameters.get('p') ?? '', text);
};

const termsIn = once((item: Element): string[] => [
  ...new Set(
    linksIn(item)
      .filter(isTerm)
      .map((link) => textOf(link)),
  ),
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

/** The terms of each block that no earlier block has; the main column comes first. */
const newTerms = once((page: Page): Map<Element, string[]> => {
  const blocks = itemsOf(page).filter(isRelated);
  const seen = new Set<string>();
  const found = new Map<Element, string[]>();
  const isBeside = (block: Element): number => Number(isRightItem(block));
  for (const block of blocks.sort((one, other) => isBeside(one) - isBeside(other))) {
    const terms = termsIn(block).filter((term) => !seen.has(term));
    for (const term of terms) seen.add(term);
    found.set(block, terms);
  }
  return found;
});

/** One item with the new terms of a block. */
export const readRelatedSearches = (block: Element, page: Page): Draft[] => {
  const items = newTerms(page).get(block) ?? [];
  return items.length === 0 ? [] : [{ items }];
};
