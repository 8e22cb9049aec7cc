/**
 * Finds out whether a page shows web results that were not read, because their titles, links or addresses
 * have changed.
 */

import type { Element } from 'domhandler';
import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/result.ts';
import { isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { countSimilar } from '../list/lost-results.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { type Reading, readBy } from '../walker.ts';
import { isAdItem } from './ad.ts';
import { layout } from './components.ts';
import { isCite, isResult, isResultClass, isRight, itemsOf, partsOf, targetsIn, urlOf } from './elements.ts';
import { ownNumberOf, pageEntriesOf } from './page-facts.ts';

/** The claims on a page. Content and verdict need them. */
export const readingOf = once((page: Page): Reading => readBy(layout, page));

const showsAddress = (item: Element): boolean =>
  partsOf(item).all.some((element) => isCite(element) && textOf(element) !== '');

/**
 * So many results fewer than the row of page numbers counts are lost. The engine may count a block as a
 * result.
 */
const minLost = 3;

/** A result without its title looks like a featured snippet, which the engine does not count. */
const minLostTo = ({ left }: ParsedPage): number =>
  left.some(({ type }) => type === 'featured_snippet') ? 1 : minLost;

/**
 * How many results the first page has: the second page begins with the next one. 0 if the page does not show
 * it.
 */
const countedOn = (page: Page): number => {
  if (ownNumberOf(page) !== 1) return 0;
  const firsts = pageEntriesOf(page).flatMap(({ first }) => first ?? []);
  return Math.min(...firsts, engines.bing.resultsPerPage + 1) - 1;
};

/** Whether an item is a result by its class or its address, but was not read as one. */
const isLost = (item: Element, { claimed }: Reading): boolean =>
  (isResultClass(item) && !isResult(item)) || (!claimed.has(item) && showsAddress(item));

/** The items of the main column that may be lost results, if all others are none. */
const countCandidates = (items: Element[]): number =>
  countSimilar({
    items: items.filter((item) => !isAdItem(item)),
    isResult,
    urlsIn: (item) => targetsIn(item).map(urlOf),
    showsAddress,
  });

/**
 * Whether an item looks like a result that was not read, or the row of page numbers counts more results than
 * were read, and as many items may be those results. Without such items, the page has so few results.
 */
export const hasLostResults = (page: Page, parsed: ParsedPage): boolean => {
  const reading = readingOf(page);
  const read = parsed.left.filter(({ type }) => type === 'organic').length;
  const items = itemsOf(page).filter((item) => !isInside(item, isRight));
  const missing = countedOn(page) - read;
  if (items.some((item) => isLost(item, reading))) return true;
  return missing >= minLostTo(parsed) && countCandidates(items) >= missing;
};
