/**
 * Finds web results that the reader did not recognize, because the engine has changed the markup of a part of
 * them.
 */

import { type Element, isTag, type ParentNode } from 'domhandler';
import type { ParsedPage } from '../../model/parsed-page.ts';
import type { RawResult } from '../../model/result.ts';
import { durationIn } from '../dates.ts';
import { find, has, hasId, isInside, type Test, walk } from '../dom.ts';
import { isSameSite, shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import type { Page } from '../page.ts';
import { elementsOf, identifiedIn, once } from '../page-cache.ts';
import { areTooMany } from '../results.ts';
import { longest } from '../text.ts';
import { isAd } from './ad.ts';
import {
  isAdColumn,
  isAddress,
  isAround,
  isCardList,
  isColumn,
  isEntityData,
  isH3,
  isHeading,
  isInert,
  isMobileTitleLink,
  isOpened,
  isOverview,
  isQuestion,
  isRanked,
  isRight,
  isTitleLink,
  isWithoutResults,
} from './elements.ts';
import { isHidden, leadsOut, targetIn } from './link.ts';
import { areOddCards, haveShapeOfResult } from './odd-cards.ts';
import {
  addressesIn,
  addressesOf,
  hasPath,
  isBesideLink,
  isShownAddress,
  type Shown,
  shownBy,
} from './shown-address.ts';

/** Blocks with links that do not rank. An inert element is not one: results that are in it are lost. */
const isOtherBlock: Test = (element) =>
  isOpened(element) ||
  isRight(element) ||
  isAd(element) ||
  isAdColumn(element) ||
  isOverview(element) ||
  isQuestion(element) ||
  isCardList(element);

/**
 * Elements that are not read. Those of real pages contain no link with the marks of a result, except in a
 * part that a button opens.
 */
const isUnread: Test = (element) => (isAround(element) && !isInert(element)) || isEntityData(element);

const isBody = hasId('main');

/** A title as web results have it. */
const isResultTitle: Test = (element) =>
  isH3(element) || (isHeading(element) && element.attribs['aria-level'] === '3');

/** A duration in words: `6 minutes, 10 seconds`. */
const spokenDuration = /^\p{Nd}{1,2}\s?\p{L}+(?:[,،、]?\s(?:\p{L}{1,3}\s)?\p{Nd}{1,2}\s?\p{L}+){1,2}$/u;

const showsDuration = (lines: string[]): boolean =>
  durationIn(lines) !== '' || lines.some((line) => line.length <= 60 && spokenDuration.test(line));

/**
 * Whether a link has the mark of an address. It may show the name of a site and a count in place of the
 * address, as the results of social networks do. With a duration, it is a video of a block.
 */
const hasMarkedAddress = (link: Element): boolean => {
  const marked = find(link, isAddress);
  return marked !== undefined && (shownHost(textOf(marked)) !== '' || !showsDuration(linesOf(link)));
};

/**
 * Whether a line of a link is the address of its target: one with a path, or a host above the title, which is
 * the longest line. A host below the title is that of a card.
 */
const showsTarget = (link: Element): boolean => {
  const url = targetIn(link)?.url ?? '';
  const lines = linesOf(link);
  const title = lines.indexOf(longest(lines));
  return lines.some(
    (line, index) =>
      (hasPath(line) && (isHidden(url) ? shownHost(line) !== '' : isSameSite(url, line))) ||
      (index < title && !isHidden(url) && isSameSite(url, line)),
  );
};

/** Whether a link shows an address as web results do, and no item has it. */
const isLost = (link: Element, { url }: Target, shown: Shown): boolean => {
  if (shown.urls.has(url)) return false;
  // Each hidden link has its own URL, so two links of the same item differ.
  if (isHidden(url)) return addressesOf(link).some((address) => !isShownAddress(shown, address));
  return hasMarkedAddress(link) || showsTarget(link);
};

const boxAround = (node: Element, levels: number): Element | undefined => {
  let box: ParentNode | null = node;
  for (let level = 0; level < levels && box; level += 1) box = box.parent;
  return box && isTag(box) ? box : undefined;
};

/** The first address that a box without links out shows. Many titles may be in the same box. */
const addressWithin = once((box: Element): string =>
  has(box, leadsOut) ? '' : (addressesIn(box, hasPath)[0] ?? ''),
);

/** The address beside a title that is no link, in one of the boxes around it. */
const addressAround = (title: Element, levels: number[]): string => {
  for (const level of levels) {
    const box = boxAround(title, level);
    const address = box ? addressWithin(box) : '';
    if (address !== '') return address;
  }
  return '';
};

/**
 * A look at each box takes long. On pages for browsers without scripts, title and address are in boxes of
 * their own.
 */
const levelsOf = { basic: [2, 3, 4], other: [2] };

/** The address that a result without a link shows: as a separate element, or beside its title. */
const addressWithoutLink = (element: Element, levels: number[]): string => {
  if (!isAddress(element)) return isResultTitle(element) ? addressAround(element, levels) : '';
  const address = textOf(element);
  return shownHost(address) === '' ? '' : address;
};

/**
 * What no item shows of a result without a link: its address, or its title, since results of a site may have
 * the same address.
 */
const lostWithoutLink = (element: Element, address: string, shown: Shown): string => {
  if (!isShownAddress(shown, address)) return address;
  const title = isResultTitle(element) ? textOf(element) : '';
  return shown.titles.has(title) ? '' : title;
};

const isColumnOfResults = hasId('rso');

/** Pages for browsers without scripts have no columns. */
const isBasic = once(({ root }: Page): boolean => !identifiedIn(root).some(isColumnOfResults));

/** Until 2019 these pages have the columns of other pages, and those for simple phones have none. */
const isInBasicColumn = ({ root }: Page): Test =>
  identifiedIn(root).some(isColumn) ? (link) => isInside(link, isBody) || isRanked(link) : () => true;

const isMarkedTitle: Test = (element) => isH3(element) || isHeading(element);

const marksAddresses = once(({ root }: Page): boolean =>
  elementsOf(root).some((element) => isAddress(element) && isRanked(element)),
);

/** Whether a link shows an address as the results of the page do. */
const showsAddress = (link: Element, page: Page): boolean =>
  marksAddresses(page) ? hasMarkedAddress(link) : addressesIn(link, hasPath).length > 0;

/**
 * Whether a link may be a result whose title has lost its mark. On mobile pages of 2021, no address has a
 * mark.
 */
const isUntitled: Test = (link) =>
  !has(link, isMarkedTitle) &&
  isRanked(link) &&
  !isInside(link, isWithoutResults) &&
  linesOf(link).length > 1;

const isTitle: Test = (link) => isTitleLink(link) || isMobileTitleLink(link);

/** A single link with the marks of a result may belong to the data of an entity. */
const minMoved = 2;

/** The links with a title and an address, as web results have them, in an element that is not read. */
const resultsIn = (unread: Element): Element[] => {
  const links: Element[] = [];
  walk(unread, (element) => {
    if (isOtherBlock(element)) return false;
    if (!leadsOut(element)) return true;
    if (has(element, isMarkedTitle) && addressesOf(element).length > 0) links.push(element);
    return false;
  });
  return links;
};

/** Links that look like web results, but are read as none. */
export type LostLinks = {
  /** Links that are in no item of the page, one for each target. */
  unknown: Element[];
  /**
   * Links in the columns of results that have an address and no title that a reader knows. Saved pages have
   * no such link, so on a page that has one the markup of the titles has changed.
   */
  untitled: Element[];
};

/**
 * The links that look like web results, but are read as none: they are outside all other blocks, show an
 * address as web results do, and are in a column of results or have a title. Also the elements with an
 * address that only a result without a link shows, and the results in elements that are not read, if there
 * are several.
 */
export const lostLinks = (page: Page, result: RawResult): LostLinks => {
  const ranked = new Set(result.left.filter(({ type }) => type === 'organic').map(({ url }) => url));
  const shown = shownBy(result);
  const isPlain = isBasic(page);
  const isInColumn = isPlain ? isInBasicColumn(page) : isRanked;
  const levels = isPlain ? levelsOf.basic : levelsOf.other;
  const unknown = new Map<string, Element>();
  const untitled: Element[] = [];
  const moved: Element[] = [];
  const loseLink = (link: Element): void => {
    const target = targetIn(link);
    if (!target || unknown.has(target.url) || !isLost(link, target, shown)) return;
    unknown.set(target.url, link);
    // The address has a copy beside the link.
    for (const address of addressesIn(link)) shown.addresses.add(address);
  };
  walk(page.root, (element) => {
    if (isOtherBlock(element)) return false;
    if (isUnread(element)) {
      if ((isPlain || isInColumn(element)) && !isInside(element, isOpened)) moved.push(...resultsIn(element));
      return false;
    }
    const target = leadsOut(element) ? targetIn(element) : null;
    if (!target) {
      const address = addressWithoutLink(element, levels);
      const lost = address === '' ? '' : lostWithoutLink(element, address, shown);
      if (lost !== '' && isInColumn(element) && !isBesideLink(element, shown, address))
        unknown.set(lost, element);
      return address === '';
    }
    const isShown = showsAddress(element, page) || (ranked.size === 0 && showsTarget(element));
    if (!ranked.has(target.url) && isUntitled(element) && isShown) untitled.push(element);
    if (isInColumn(element) || isTitle(element)) loseLink(element);
    return false;
  });
  if (moved.length >= minMoved) moved.forEach(loseLink);
  // Without a mark on title and address, too little is known for more results than a page may lose, unless no
  // result has any.
  const isKnown = marksAddresses(page) || ranked.size === 0 || !areTooMany(untitled.length, ranked.size);
  return { unknown: [...unknown.values()], untitled: isKnown ? untitled : [] };
};

/**
 * Whether the page has so many unread results that its ranking is wrong. Real pages have none. On pages for
 * browsers without scripts, the sources of unread questions may look like results, so more are needed there,
 * or one in the same elements as the results.
 */
export const hasLostResults = (page: Page, parsed: ParsedPage): boolean => {
  const lost = lostLinks(page, parsed).unknown;
  const found = parsed.left.filter(({ type }) => type === 'organic').length;
  if (isBasic(page)) return lost.length > (found * 2) / 5 || haveShapeOfResult(page, lost);
  return areTooMany(lost.length, found) && !areOddCards(page, lost);
};
