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
  isInert,
  isMobileTitleLink,
  isOverview,
  isQuestion,
  isRanked,
  isRight,
  isTitleLink,
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

const isTitle: Test = (link) => isTitleLink(link) || isMobileTitleLink(link);

/**
 * How many links look like web results, but are in no item of the page: they are outside all other blocks, show an address as web results
 * do, and are in a column of results or have a title. The elements that `leaveOut` matches are not searched.
 */
export const countLost = (page: Page, { left, right }: RawResult, leaveOut: Test = () => false): number => {
  const items = [...left, ...right];
  const known = new Set(
    items.flatMap(({ url, breadcrumb, sitelinks = [], sources = [], profiles = [] }) => [
      url,
      shownHost(breadcrumb),
      ...[...sitelinks, ...sources, ...profiles].map((link) => link.url),
    ]),
  );
  const isInColumn: Test = isBasic(page) ? (link) => isInside(link, isBody) : isRanked;
  const lost = new Set<string>();
  walk(page.root, (element) => {
    if (isOtherBlock(element) || leaveOut(element)) return false;
    const target = leadsOut(element) ? targetOf(element.attribs.href) : null;
    if (!target) return true;
    if ((isInColumn(element) || isTitle(element)) && isLost(element, target, known)) lost.add(target.url);
    return false;
  });
  return lost.size;
};

/**
 * Whether the page has so many unread results that its ranking is wrong: two, or a fifth of those that were read. Real pages have none,
 * except that the sources of questions on pages for browsers without scripts look like results.
 */
export const hasLostResults = (page: Page, parsed: ParsedPage): boolean => {
  const lost = countLost(page, parsed);
  const found = parsed.left.filter(({ type }) => type === 'organic').length;
  return isBasic(page) ? lost > found / 2 : lost >= 2 || lost > found / 5;
};
