/**
 * Elements of Bing's pages: columns, items of the lists of results, titles. Structure comes first; ids and
 * classes are second witnesses.
 */

import type { Element } from 'domhandler';
import { find, findAll, has, hasClass, hasId, isLink, isNamed, type Test } from '../dom.ts';
import { shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import { firstOfEach, isAroundResults, isItemOutside, itemsBy, maxTextBefore } from '../list/elements.ts';
import { once } from '../page-cache.ts';
import { isAdLink, leadsOut, ownPathOf, targetOfLink } from './link.ts';

export const isH2 = isNamed('h2');

/** Containers of blocks. */
export const isColumn: Test = hasId('b_content', 'b_results', 'b_context', 'b_topw', 'b_pole', 'b_dynRail');

const isRightId = hasId('b_context', 'b_dynRail');

export const isRight: Test = (element) => element.name === 'aside' || isRightId(element);

const isResultsId = hasId('b_results');

const isMain: Test = (element) => element.name === 'main' || isResultsId(element);

/** A message of the engine, such as that results were removed. */
export const isMessage = hasClass('b_msg');

/** Elements that contain no results. `contentinfo` is also on the text of a result. */
export const isAround = isAroundResults({
  isMain,
  isAnswerForm: () => false,
  roles: new Set(['dialog', 'alertdialog', 'menu', 'contentinfo', 'tooltip']),
  isKnownPart: hasId('b_footer', 'b_notificationContainer'),
});

/**
 * Items of a carousel of web results are in the column's list too, but in no other item. Tabs are a list in a
 * `nav`.
 */
export const isItem = isItemOutside('nav');

type Parts = { all: Element[]; links: Element[]; headings: Element[] };

/**
 * All elements of an item in page order, and the links and headings among them. Many tests look at each item,
 * so its elements are collected once. Only for items of columns: they are not in each other, so the work is
 * linear in the size of the page.
 */
export const partsOf = once((item: Element): Parts => {
  const all = findAll(item, () => true);
  return { all, links: all.filter(isLink), headings: all.filter(isH2) };
});

/** Texts that the page shows only after a click, or only to screen readers. */
export const isFolded: Test = hasClass('b_hide');

/** The link of a title: in the heading since 2020, around it since 2025. */
const linkOf = (heading: Element): Element | undefined => {
  const inside = find(heading, isLink);
  if (inside) return inside;
  for (let up = heading.parent; up && 'name' in up && up.name !== 'li'; up = up.parent) {
    if (isLink(up as Element)) return up as Element;
  }
  return undefined;
};

export type Title = { heading: Element; link: Element };

/** The first heading of the second level with text in a block, and its link. */
export const titleOf = once((block: Element): Title | undefined => {
  const isTitle: Test = (element) => isH2(element) && textOf(element) !== '';
  const heading = isItem(block) ? partsOf(block).headings.find(isTitle) : find(block, isTitle);
  const link = heading && linkOf(heading);
  return heading && link ? { heading, link } : undefined;
});

export const isResultClass = hasClass('b_algo');
const isOtherClass = hasClass('b_ans', 'b_ad', 'b_msg', 'b_pag', 'b_no');

const isCiteName = isNamed('cite');
const isCiteClass = hasClass('b_attribution');

/** The line that shows the address of a page. */
export const isCite: Test = (element) =>
  isCiteName(element) || (isCiteClass(element) && !has(element, isCiteName));

const textBefore = (block: Element, { heading, link }: Title): string => {
  let isBefore = true;
  const { url } = targetOfLink(link) ?? { url: '' };
  const isSameLink: Test = (element) =>
    isLink(element) && element !== link && targetOfLink(element)?.url === url;
  return textOf(block, (element) => {
    if (element === heading) isBefore = false;
    return !isBefore || isCite(element) || isFolded(element) || isSameLink(element);
  });
};

const showsAddress = (item: Element): boolean =>
  partsOf(item).all.some(isCite) || linesOf(item).some((line) => shownHost(line) !== '');

/** The item has questions or places, or a title that leads to a service of the engine. */
const hasOtherKind = (item: Element): boolean => {
  const { all, links } = partsOf(item);
  return (
    all.some(({ attribs }) => attribs['data-query'] !== undefined) ||
    links.some((link) => /^\/(?:maps|local)$/.test(ownPathOf(link)))
  );
};

/**
 * A web result: an item whose first heading is a link out of the engine, with nothing before it but the site
 * and the address. Until 2026 results have a class of their own.
 */
const isResultItem = once((element: Element): boolean => {
  if (isOtherClass(element)) return false;
  if (!isResultClass(element) && !isItem(element)) return false;
  const title = titleOf(element);
  if (!title || isAdLink(title.link) || targetOfLink(title.link) === null) return false;
  if (isResultClass(element)) return true;
  if (!showsAddress(element) || hasOtherKind(element)) return false;
  return textBefore(element, title).length <= maxTextBefore;
});

export const isResult: Test = (element) => element.name === 'li' && isResultItem(element);

/** An item of a column that is no web result. */
export const isOtherItem: Test = (element) => isItem(element) && !isResult(element);

/** Links of an item to one of the engine's services: images, videos, news, maps. */
export const leadsTo =
  (path: RegExp): Test =>
  (item) =>
    partsOf(item).links.some((link) => path.test(ownPathOf(link)));

/** The links out of an item, one for each target. */
export const targetsIn = (item: Element): Element[] =>
  firstOfEach(partsOf(item).links.filter(leadsOut), urlOf);

/** The URL of a link's target; empty if it has none. */
export const urlOf = (link: Element): string => targetOfLink(link)?.url ?? '';

export const { itemsOf, firstOfPage } = itemsBy(isItem);
