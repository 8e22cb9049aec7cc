/** Finds web results that the reader did not recognize, because the engine has changed the markup of a part of them. */
import type { Element } from 'domhandler';
import type { ParsedPage, RawResult } from '../../model/result.ts';
import { has, isInside, linesOf, type Test, walk } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import type { Page } from '../page.ts';
import { isAd } from './ad.ts';
import {
  hasId,
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
  isOverview(element) ||
  isQuestion(element) ||
  isEntityData(element) ||
  isCardList(element);

const isBody = hasId('main');

/** The hosts with a path in the lines of a link. */
const pathHosts = (link: Element): string[] =>
  linesOf(link)
    .filter((line) => /^https?:\/\/|[›‹]/.test(line))
    .map(shownHost)
    .filter((host) => host !== '');

/** Whether a link shows an address as web results do, and no item has it. */
const isLost = (link: Element, { url }: Target, known: Set<string>): boolean => {
  if (known.has(url)) return false;
  const hosts = pathHosts(link);
  // Each hidden link has its own URL, so two links of the same item differ.
  if (isHidden(url)) return hosts.some((host) => !known.has(host));
  return has(link, isAddress) || hosts.includes(hostOf(url));
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
 * a column of results or have a title.
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
  const isInColumn: Test = isBasic(page) ? (link) => isInside(link, isBody) : isRanked;
  const unknown = new Map<string, Element>();
  const untitled: Element[] = [];
  walk(page.root, (element) => {
    if (isOtherBlock(element)) return false;
    const target = leadsOut(element) ? targetOf(element.attribs.href) : null;
    if (!target) return true;
    if (!ranked.has(target.url) && isUntitled(element)) untitled.push(element);
    if (unknown.has(target.url) || !(isInColumn(element) || isTitle(element))) return false;
    if (isLost(element, target, known)) unknown.set(target.url, element);
    return false;
  });
  return { unknown: [...unknown.values()], untitled };
};

/**
 * Whether the page has so many unread results that its ranking is wrong: two, or a fifth of those that were read. Real pages have none,
 * except that the sources of questions on pages for browsers without scripts look like results.
 */
export const hasLostResults = (page: Page, parsed: ParsedPage): boolean => {
  const lost = lostLinks(page, parsed).unknown.length;
  const found = parsed.left.filter(({ type }) => type === 'organic').length;
  return isBasic(page) ? lost > found / 2 : lost >= 2 || lost > found / 5;
};
