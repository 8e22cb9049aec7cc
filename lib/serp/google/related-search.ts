/** Blocks of related searches: links that search for exactly their own text. */

import type { Element } from 'domhandler';
import { ancestors, findAll, has, hasId, isInside, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import { once } from '../page-cache.ts';
import { parametersIn } from '../parameters.ts';
import { spend } from '../steps.ts';
import type { Draft } from '../walker.ts';
import { isEntityData, isOpened, isPicture } from './elements.ts';

/** Letters and digits only, in lower case. */
export const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** The query of a link to a search. Empty for other links. */
export const searchedBy = (href: string): string => {
  const found = /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?(.*)/.exec(href)?.[1];
  spend(found ? 64 + (found.length >> 3) : 0);
  return found ? (parametersIn(found).get('q') ?? '') : '';
};

/**
 * Cards lead to entities, not to terms. So do the links in an entity's data, and in the part that a row
 * opens, such as the state of a flight.
 */
const isCard: Test = (element) =>
  element.name === 'g-scrolling-carousel' ||
  element.attribs.role === 'listitem' ||
  isEntityData(element) ||
  isOpened(element);

/** A term is alone in its box. A link in a sentence or in a list of facts is not. */
const hasOnlyLinks = once((box: Element): boolean => textOf(box, (element) => element.name === 'a') === '');

const isAloneInBox = (link: Element): boolean => {
  const box = ancestors(link).find(({ name }) => name !== 'span' && name !== 'b');
  return box !== undefined && hasOnlyLinks(box);
};

const searchesItself = once((link: Element): boolean => {
  const query = squeezed(searchedBy(link.attribs.href ?? ''));
  if (query === '' || /[?&]spell=1\b/.test(link.attribs.href ?? '')) return false;
  return squeezed(textOf(link)) === query && isAloneInBox(link) && !isInside(link, isCard);
});

const searches: Test = ({ name, attribs }) => name === 'a' && attribs.href?.includes('/search?') === true;

/** Whether a link searches for exactly its own text, and is alone in its box. */
export const searchesItsText: Test = (element) => searches(element) && searchesItself(element);

export const isTerm: Test = (element) => searchesItsText(element) && !has(element, isPicture);

const isBelowResults = hasId('bres', 'botstuff');

/** A term below the results, where the block may have no caption. */
export const isTermBelow: Test = (element) =>
  searches(element) && isInside(element, isBelowResults) && isTerm(element);

const minTerms = 2;

/** One item with all terms, in page order. */
export const readRelatedSearches =
  (isTermOf: Test) =>
  (block: Element): Draft[] => {
    const items = [...new Set(findAll(block, isTermOf).map((link) => textOf(link)))];
    return items.length < minTerms ? [] : [{ items }];
  };
