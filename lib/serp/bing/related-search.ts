/**
 * Blocks of related searches: links that search for exactly their own text. The page repeats the block,
 * partly folded, and on the right.
 */

import type { Element } from 'domhandler';
import { hasClass, hasId, isInside, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import { relatedSearchesBy } from '../list/related-search.ts';
import { once } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import { isOtherItem, isRight, itemsOf, partsOf } from './elements.ts';
import { searchParameters } from './link.ts';

const isRelatedClass = hasClass('b_rs', 'b_rrsr', 'rslist');
const isRelatedId = hasId('inline_rs', 'rs_root', 'brsv3');

const isRelatedBox: Test = (element) => isRelatedClass(element) || isRelatedId(element);

/**
 * A term is alone in its item of a list. Links to entities have filters. In a saved copy the links may lead
 * elsewhere.
 */
const isTerm: Test = (element) => {
  if (element.name !== 'a' || element.attribs.href === undefined) return false;
  const isListed = (): boolean => isInside(element, (up) => up.name === 'li' && !isOtherItem(up));
  const parameters = searchParameters(element);
  if (!parameters) return isInside(element, isRelatedBox) && isListed() && textOf(element) !== '';
  if (parameters.has('filters') || parameters.has('first')) return false;
  return (
    isListed() && isSameQuery(parameters.get('q') ?? '', textOf(element)) && !isInside(element, isPanelBox)
  );
};

const isPanelBox = hasClass('b_entityTP', 'lite-entcard-main');

const termsIn = once((item: Element): string[] => [
  ...new Set(
    partsOf(item)
      .links.filter(isTerm)
      .map((link) => textOf(link)),
  ),
]);

const minTerms = 2;

export const isRelated: Test = (element) => isOtherItem(element) && termsIn(element).length >= minTerms;

export const readRelatedSearches = relatedSearchesBy({
  itemsOf,
  isRelated,
  termsIn,
  isRight: (block) => isInside(block, isRight),
});
