/** Finds web results that the reader did not recognize, because the engine has changed the markup of a part of them. */
import { type Element, isTag, type ParentNode } from 'domhandler';
import type { ParsedPage, RawResult } from '../../model/result.ts';
import { has, isInside, linesOf, once, type Test, textOf, walk } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import type { Page } from '../page.ts';
import { isAd } from './ad.ts';
import {
  hasId,
  isAdColumn,
  isAddress,
  isAround,
  isCardList,
  isEntityData,
  isH3,
  isHeading,
  isInert,
  isMobileTitleLink,
  isOverview,
  isQuestion,
  isRanked,
  isRight,
  isTitleLink,
  isWithoutResults,
} from './elements.ts';
import { isHidden, leadsOut, type Target, targetOf } from './link.ts';

/** Blocks with links that do not rank. An inert element is not one: results that are in it are lost. */
const isOtherBlock: Test = (element) =>
  (isAround(element) && !isInert(element)) ||
  isRight(element) ||
  isAd(element) ||
  isAdColumn(element) ||
  isOverview(element) ||
  isQuestion(element) ||
  isEntityData(element) ||
  isCardList(element);

const isBody = hasId('main');

/** The hosts in the lines of an element. */
const shownHosts = (box: Element, isAddressLine = (_: string) => true): string[] =>
  linesOf(box)
    .filter(isAddressLine)
    .map(shownHost)
    .filter((host) => host !== '');

const hasPath = (line: string): boolean => /^https?:\/\/|[›‹]/.test(line);

/** Whether a link shows an address as web results do, and no item has it. */
const isLost = (link: Element, { url }: Target, known: Set<string>): boolean => {
  if (known.has(url)) return false;
  // Each hidden link has its own URL, so two links of the same item differ.
  if (isHidden(url)) return shownHosts(link, hasPath).some((host) => !known.has(host));
  return has(link, isAddress) || shownHosts(link).includes(hostOf(url));
};

/** A title as web results have it. */
const isResultTitle: Test = (element) =>
  isH3(element) || (isHeading(element) && element.attribs['aria-level'] === '3');

const boxAround = (node: Element, levels: number): Element | undefined => {
  let box: ParentNode | null = node;
  for (let level = 0; level < levels && box; level += 1) box = box.parent;
  return box && isTag(box) ? box : undefined;
};

/** The first host that a box without links out shows. Many titles may be in the same box. */
const hostWithin = once((box: Element): string =>
  has(box, leadsOut) ? '' : (shownHosts(box, hasPath)[0] ?? ''),
);

/** The host beside a title that is no link, in one of the boxes around it. */
const hostAround = (title: Element, levels: number[]): string => {
  for (const level of levels) {
    const box = boxAround(title, level);
    const host = box ? hostWithin(box) : '';
    if (host !== '') return host;
  }
  return '';
};

/** A look at each box takes long. On pages for browsers without scripts, title and address are in boxes of their own. */
const levelsOf = { basic: [2, 3, 4], other: [2] };

/** The host that a result without a link shows: in its address, or beside its title. */
const hostWithoutLink = (element: Element, levels: number[]): string => {
  if (isAddress(element)) return shownHost(textOf(element));
  return isResultTitle(element) ? hostAround(element, levels) : '';
};

/** Pages for browsers without scripts have no columns. */
const isBasic = (page: Page): boolean => !has(page.root, hasId('rso'));

const isMarkedTitle: Test = (element) => isH3(element) || isHeading(element);

const isUntitled: Test = (link) =>
  !has(link, isMarkedTitle) && has(link, isAddress) && isRanked(link) && !isInside(link, isWithoutResults);

const isTitle: Test = (link) => isTitleLink(link) || isMobileTitleLink(link);

/** Links that look like web results, but are read as none. */
export type LostLinks = {
  /** Links that are in no item of the page, one for each target. */
  unknown: Element[];
  /**
   * Links in the columns of results that have an address and no title that a reader knows. Saved pages have no such link, so on a page that
   * has one the markup of the titles has changed.
   */
  untitled: Element[];
};

/**
 * The links that look like web results, but are read as none: they are outside all other blocks, show an address as web results do, and are in
 * a column of results or have a title. Also the elements with a host that only a result without a link shows.
 */
export const lostLinks = (page: Page, { left, right }: RawResult): LostLinks => {
  const items = [...left, ...right];
  const known = new Set(
    items.flatMap(({ url, breadcrumb, sitelinks = [], sources = [], profiles = [] }) => [
      url,
      shownHost(breadcrumb),
      ...[...sitelinks, ...sources, ...profiles].map((link) => link.url),
    ]),
  );
  const ranked = new Set(left.filter(({ type }) => type === 'organic').map(({ url }) => url));
  const isPlain = isBasic(page);
  const isInColumn: Test = isPlain ? (link) => isInside(link, isBody) : isRanked;
  const levels = isPlain ? levelsOf.basic : levelsOf.other;
  const shown = new Set([...known, ...items.map(({ url }) => hostOf(url))]);
  const unknown = new Map<string, Element>();
  const untitled: Element[] = [];
  walk(page.root, (element) => {
    if (isOtherBlock(element)) return false;
    const target = leadsOut(element) ? targetOf(element.attribs.href) : null;
    if (!target) {
      const host = hostWithoutLink(element, levels);
      if (host !== '' && !shown.has(host) && isInColumn(element)) unknown.set(host, element);
      return host === '';
    }
    if (!ranked.has(target.url) && isUntitled(element)) untitled.push(element);
    if (unknown.has(target.url) || !(isInColumn(element) || isTitle(element))) return false;
    if (isLost(element, target, known)) {
      unknown.set(target.url, element);
      // The address has a copy beside the link.
      for (const host of shownHosts(element)) shown.add(host);
    }
    return false;
  });
  return { unknown: [...unknown.values()], untitled };
};

/**
 * Whether the page has so many unread results that its ranking is wrong: two, or a fifth of those that were read. Real pages have none. On
 * pages for browsers without scripts, the sources of unread questions may look like results, so more are needed there.
 */
export const hasLostResults = (page: Page, parsed: ParsedPage): boolean => {
  const lost = lostLinks(page, parsed).unknown.length;
  const found = parsed.left.filter(({ type }) => type === 'organic').length;
  return isBasic(page) ? lost > (found * 2) / 5 : lost >= 2 || lost > found / 5;
};
