/** Finds web results that the reader did not recognize, because the engine has changed the markup of a part of them. */
import type { Element } from 'domhandler';
import type { ParsedPage } from '../../model/result.ts';
import { has, isInside, linesOf, type Test, walk } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import type { Page } from '../page.ts';
import { isAd } from './ad.ts';
import {
  hasId,
  isAround,
  isCardList,
  isEntityData,
  isOverview,
  isQuestion,
  isRanked,
  isRight,
} from './elements.ts';
import { isHidden, leadsOut, type Target, targetOf } from './link.ts';

/** Blocks with links that do not rank. */
const isOtherBlock: Test = (element) =>
  isAround(element) ||
  isRight(element) ||
  isAd(element) ||
  isOverview(element) ||
  isQuestion(element) ||
  isEntityData(element) ||
  isCardList(element);

const isBody = hasId('main');

/** The line with the address of a web result: marked as such, or a host with a path, such as `https://site.example › path`. */
const isAddress: Test = ({ name, attribs }) => name === 'cite' || attribs.role === 'text';

const isPath = (line: string): boolean => shownHost(line) !== '' && /^https?:\/\/|[›‹]/.test(line);

const showsAddress = (link: Element, { url }: Target): boolean =>
  has(link, isAddress) ||
  linesOf(link).some((line) => isPath(line) && (isHidden(url) || shownHost(line) === hostOf(url)));

/** Pages for browsers without scripts have no columns. */
const isBasic = (page: Page): boolean => !has(page.root, hasId('rso'));

/**
 * How many links look like web results, but are in no item of the page: they are in a column of results, outside all other blocks, and
 * show an address as web results do.
 */
const countLost = (page: Page, { left, right }: ParsedPage): number => {
  const items = [...left, ...right];
  const known = new Set(
    items.flatMap(({ url, sitelinks = [], sources = [], profiles = [] }) => [
      url,
      ...[...sitelinks, ...sources, ...profiles].map((link) => link.url),
    ]),
  );
  const isInColumn: Test = isBasic(page) ? (link) => isInside(link, isBody) : isRanked;
  const lost = new Set<string>();
  walk(page.root, (element) => {
    if (isOtherBlock(element)) return false;
    const target = leadsOut(element) ? targetOf(element.attribs.href) : null;
    if (!target) return true;
    if (!known.has(target.url) && isInColumn(element) && showsAddress(element, target)) lost.add(target.url);
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
