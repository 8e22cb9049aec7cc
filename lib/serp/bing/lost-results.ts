/**
 * Finds out whether a page shows web results that were not read, because their titles, links or addresses
 * have changed.
 */

import type { Element } from 'domhandler';
import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { ancestors, isInside, isNamed } from '../dom.ts';
import { hostOf } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import { countSimilar, isOddCard } from '../list/lost-results.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { widthOf } from '../text.ts';
import { type Reading, readBy } from '../walker.ts';
import { isAdItem } from './ad.ts';
import { layout } from './components.ts';
import {
  isCite,
  isColumn,
  isResult,
  isResultClass,
  isRight,
  itemsOf,
  partsOf,
  targetsIn,
  urlOf,
} from './elements.ts';
import { ownNumberOf, pageEntriesOf } from './page-facts.ts';

/** The claims on a page. Content and verdict need them. */
export const readingOf = once((page: Page): Reading => readBy(layout, page));

const isList = isNamed('ol');

const isMain = isNamed('main', 'body');

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

/** A line of a generated text is at least so wide. Titles, captions and the names of sites are narrower. */
const minTextWidth = 80;

/** Whether a box shows a line of text before its first address. A result shows site or title first. */
const beginsWithText = (box: Element): boolean => {
  let isBefore = true;
  const lines = linesOf(box, (element) => {
    isBefore &&= !isCite(element);
    return !isBefore;
  });
  return lines.some((line) => widthOf(line) >= minTextWidth);
};

/** An answer that is not read: it begins with its text, and its cards lead to several sites. */
const isAnswer = (item: Element): boolean =>
  new Set(targetsIn(item).map((link) => hostOf(urlOf(link)))).size > 1 && beginsWithText(item);

const maxBoxes = 4;

/** Items that are cards of an answer: in a list without results, in a box that begins with a text. */
const cardsIn = (items: Element[]): Set<Element> => {
  const lists = Map.groupBy(items, (item) => ancestors(item).find(isList));
  const ofAnswers = [...lists].filter(([list, parts]) => {
    if (!list || isColumn(list) || parts.some(isResult)) return false;
    const boxes = ancestors(list).slice(0, maxBoxes);
    const end = boxes.findIndex((box) => isColumn(box) || isMain(box));
    return boxes.slice(0, end < 0 ? maxBoxes : end).some(beginsWithText);
  });
  return new Set(ofAnswers.flatMap(([, parts]) => parts));
};

/** An item with other results in it, which are not read. */
const hasOthers = (item: Element): boolean =>
  partsOf(item).all.some((part) => part !== item && isResultClass(part));

/** Whether an item is a result by its class or its address, but was not read as one. */
const isLost = (item: Element, { claimed }: Reading): boolean =>
  (isResultClass(item) && (!isResult(item) || hasOthers(item))) ||
  (!claimed.has(item) && showsAddress(item) && !isAnswer(item));

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
  const cards = cardsIn(items);
  const lost = items.filter((item) => !cards.has(item) && isLost(item, reading));
  if (lost.length > 0 && !isOddCard(lost, items.filter(isResult), isResultClass)) return true;
  return missing >= minLostTo(parsed) && countCandidates(items) >= missing;
};
