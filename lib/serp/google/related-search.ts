/** Blocks of further searches: links of text that search for just that text. */
import type { Element } from 'domhandler';
import { findAll, has, isInside, once, type Test, textOf } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { isEntityData, isPicture } from './marks.ts';

const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

const searchedBy = (href: string): string => {
  const found = /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?(.*)/.exec(href)?.[1];
  return found ? (new URLSearchParams(found).get('q') ?? '') : '';
};

/** Cards lead to entities, not to terms; so do the links in an entity's data. */
const isCard: Test = (element) =>
  element.name === 'g-scrolling-carousel' || element.attribs.role === 'listitem' || isEntityData(element);

const searchesItsText = once((link: Element): boolean => {
  const query = squeezed(searchedBy(link.attribs.href ?? ''));
  if (query === '' || /[?&]spell=1\b/.test(link.attribs.href ?? '')) return false;
  return squeezed(textOf(link)) === query && !has(link, isPicture) && !isInside(link, isCard);
});

export const isTerm: Test = (element) => element.name === 'a' && searchesItsText(element);

const leastTerms = 2;

/** One block, its terms in page order. */
export const readRelatedSearches = (block: Element): Draft[] => {
  const items = [...new Set(findAll(block, isTerm).map((link) => textOf(link)))];
  return items.length < leastTerms ? [] : [{ items }];
};
