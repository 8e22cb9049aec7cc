/**
 * Ads: text ads, several in one item of the list, and product ads. Their links lead to the engine's counter
 * of clicks.
 */

import { type AnyNode, type Element, isTag } from 'domhandler';
import { isPriceLine, priceIn } from '../amounts.ts';
import { ancestors, find, findAll, has, hasClass, isInside, isLink, partsAround, type Test } from '../dom.ts';
import { domainOf, shownHost } from '../host.ts';
import { linesOf, sentencesOf, textIn, textOf } from '../lines.ts';
import { firstOfEach } from '../list/elements.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import {
  isCite,
  isFolded,
  isH2,
  isItem,
  isOtherItem,
  isResult,
  isRight,
  partsOf,
  urlOf,
} from './elements.ts';
import { isAdLink, targetOfLink } from './link.ts';

/** The title of a text ad: a heading with the link, or the link with the heading. */
const isAdTitle: Test = (element) =>
  isH2(element) && (has(element, isAdLink) || isInside(element, isAdLink)) && textOf(element) !== '';

const isAdClass = hasClass('b_ad');

const hasAdTitle: Test = (element) =>
  isItem(element) ? partsOf(element).headings.some(isAdTitle) : has(element, isAdTitle);

/** Items of the ads' class may have direct links. */
export const isAdItem: Test = (element) =>
  isOtherItem(element) &&
  (hasAdTitle(element) || (isAdClass(element) && partsOf(element).headings.length > 0));

/** The children of a list that follow its first web result. */
const afterFirstResult = once((list: Element): Set<AnyNode> => {
  const first = list.children.findIndex((child) => isTag(child) && (isResult(child) || has(child, isResult)));
  return new Set(first < 0 ? [] : list.children.slice(first + 1));
});

/** Ads that follow a web result are at the bottom. */
const blockOf = (item: Element): 'top' | 'bottom' => {
  const boxes = [item, ...ancestors(item)];
  const isBelow = boxes.some((box, index) => {
    const parent = boxes[index + 1];
    return parent !== undefined && afterFirstResult(parent).has(box);
  });
  return isBelow || hasClass('b_adBottom')(item) ? 'bottom' : 'top';
};

const isAddressClass = hasClass('b_adurl');

const isAddress: Test = (element) => isAddressClass(element) || isCite(element);

const isSlug = hasClass('b_adSlug');

const sitelinksOf = (part: Element, heading: Element, link: Element): { title: string; url: string }[] =>
  findAll(part, isAdLink)
    .filter((other) => other !== link && !isInside(other, (up) => up === heading) && !has(other, isAddress))
    .map((other) => ({ title: textOf(other), url: targetOfLink(other)?.url ?? '' }))
    .filter(({ title, url }) => title !== '' && url !== '' && shownHost(title) === '');

const readOne = (heading: Element, part: Element, block: 'top' | 'bottom'): Draft[] => {
  const inside = find(heading, isLink);
  const link =
    inside ?? find(part, (element) => isLink(element) && has(element, (child) => child === heading));
  const target = link && targetOfLink(link);
  if (!link || !target) return [];
  const breadcrumb = textIn(part, isAddress);
  const isOtherPart: Test = (element) =>
    element === heading || isAddress(element) || isLink(element) || isFolded(element) || isSlug(element);
  const snippet = sentencesOf(part, isOtherPart);
  const sitelinks = sitelinksOf(part, heading, link);
  return [
    {
      title: textOf(heading),
      ...target,
      breadcrumb,
      snippet,
      domain: domainOf(target, breadcrumb),
      block,
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};

export const readAds = (item: Element): Draft[] => {
  const titles = findAll(item, isAdTitle);
  const headings =
    titles.length > 0 ? titles : findAll(item, (element) => isH2(element) && has(element, isLink));
  const block = blockOf(item);
  return partsAround(item, headings).flatMap(([heading, part]) => readOne(heading, part, block));
};

/** A product: a counted link in a card with a title above the price, and the shop below it. */
const readProduct = (part: Element, link: Element): Draft[] => {
  const lines = linesOf(part);
  const at = lines.findIndex(isPriceLine);
  const title =
    link.attribs.title ??
    find(part, ({ attribs }) => attribs.title !== undefined)?.attribs.title ??
    lines[at - 1] ??
    '';
  const target = targetOfLink(link);
  if (at < 0 || title === '' || !target) return [];
  const source = lines.slice(at + 1).find((line) => priceIn(line) === '') ?? '';
  return [{ title, ...target, price: priceIn(lines[at] ?? ''), ...(source && { source }) }];
};

/** Product ads have no headings. Each card has one or more links to the same target. */
export const isProductAds: Test = (element) =>
  (isOtherItem(element) || (element.name === 'li' && isInside(element, isRight))) &&
  has(element, isAdLink) &&
  !hasAdTitle(element) &&
  linesOf(element).some(isPriceLine);

export const readProductAds = (item: Element): Draft[] => {
  const links = firstOfEach(findAll(item, isAdLink), urlOf);
  return partsAround(item, links).flatMap(([link, part]) => readProduct(part, link));
};
