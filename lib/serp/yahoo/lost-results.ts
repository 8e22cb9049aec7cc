/**
 * Finds out whether a page shows web results that were not read, because their titles, links or addresses
 * have changed.
 */

import type { Element } from 'domhandler';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { findAll, has, isInside } from '../dom.ts';
import { countSimilar, isOddCard } from '../list/lost-results.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { type Reading, readBy } from '../walker.ts';
import { layout } from './components.ts';
import {
  headingsIn,
  isAddress,
  isAround,
  isLinked,
  isResult,
  isResultClass,
  isRight,
  itemsOf,
  targetsIn,
  urlOf,
} from './elements.ts';
import { isPager, ownNumberOf, pageEntriesOf } from './page-facts.ts';

const hasResultClass = (item: Element): boolean => has(item, isResultClass);

/** An item with several results, of which only the first is read. */
const hasSeveral = (item: Element): boolean => findAll(item, isResultClass).length > 1;

/** The claims on a page. Content and verdict need them. */
export const readingOf = once((page: Page): Reading => readBy(layout, page));

/**
 * How many results the first page has: the second page begins with the next one. 0 if the page does not show
 * it.
 */
const countedOn = (page: Page): number => {
  const firsts = pageEntriesOf(page).map(({ first }) => first);
  return ownNumberOf(page) === 1 && firsts.length > 0 ? Math.min(...firsts) - 1 : 0;
};

/** A block that is not read: its cards show their sites, and no heading of it is the title of a result. */
const isBlockOfCards = (item: Element): boolean =>
  targetsIn(item).length > 1 && !headingsIn(item).some(isLinked);

/**
 * Whether an item is a result by its class or its address, but was not read as one. In an element that is not
 * read, it must be a whole result.
 */
const isLost = (item: Element, { claimed }: Reading): boolean => {
  if (isInside(item, isAround)) return isResult(item) && !claimed.has(item);
  return (
    (hasResultClass(item) && (!isResult(item) || hasSeveral(item))) ||
    (!claimed.has(item) && !isPager(item) && has(item, isAddress) && !isBlockOfCards(item))
  );
};

/**
 * Whether an item looks like a result that was not read, or fewer than half of the results that the row of
 * page numbers counts were read, and as many items may be the others. The engine counts other blocks, too,
 * and without such items the page has so few results.
 */
export const hasLostResults = (page: Page, { left }: ParsedPage): boolean => {
  const reading = readingOf(page);
  const read = left.filter(({ type }) => type === 'organic').length;
  const items = itemsOf(page).filter((item) => !isInside(item, isRight));
  const lost = items.filter((item) => isLost(item, reading));
  if (lost.length > 0 && !isOddCard(lost, items.filter(isResult), hasResultClass)) return true;
  const similar = countSimilar({
    items,
    isResult,
    urlsIn: (item) => targetsIn(item).map(urlOf),
    showsAddress: (item) => has(item, isAddress),
  });
  const counted = countedOn(page);
  return 2 * read < counted && read + similar >= counted;
};
