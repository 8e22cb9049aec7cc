/**
 * Ads: text ads, one or more in an item, and product ads. Their links lead to counters of clicks, one of
 * Yahoo and one of Bing.
 */

import type { Element } from 'domhandler';
import { isPriceLine, priceIn } from '../amounts.ts';
import {
  ancestors,
  find,
  findAll,
  has,
  hasClass,
  isInside,
  isNamed,
  partsAround,
  type Test,
} from '../dom.ts';
import { domainOf } from '../host.ts';
import { sentencesOf, textOf } from '../lines.ts';
import { firstOfEach } from '../list/elements.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { longest } from '../text.ts';
import type { Draft } from '../walker.ts';
import {
  hasLink,
  headingsIn,
  isAdClass,
  isAddress,
  isItem,
  isLinked,
  isResult,
  itemsOf,
  linksIn,
  titleFrom,
  urlOf,
} from './elements.ts';
import { isAdLink, targetOfLink } from './link.ts';

/** The title of a text ad: a heading with the link, or the link with the heading. */
const isAdTitle: Test = (heading) =>
  (has(heading, isAdLink) || isInside(heading, isAdLink)) && textOf(heading) !== '';

/** Items of the ads' class may have direct links. */
export const hasAds: Test = (item) =>
  headingsIn(item).some(isAdTitle) || (headingsIn(item).some(isLinked) && has(item, isAdClass));

/** The items that follow the first web result of the page. */
const afterFirstResult = once((page: Page): Set<Element> => {
  const items = itemsOf(page);
  const first = items.findIndex(isResult);
  return new Set(first < 0 ? [] : items.slice(first + 1));
});

const isBottomClass = hasClass('AdBttm');

/** Ads that follow a web result are at the bottom. */
const blockOf = (item: Element, page: Page): 'top' | 'bottom' =>
  afterFirstResult(page).has(item) || has(item, isBottomClass) ? 'bottom' : 'top';

const sitelinksOf = (part: Element, heading: Element, link: Element): { title: string; url: string }[] => {
  const found = new Map<string, string>();
  for (const other of linksIn(part).filter((link) => isAdLink(link) && isInside(link, isNamed('li')))) {
    const isTitle = other === link || isInside(other, (up) => up === heading);
    const isListed = isInside(other, (up) => up.name === 'li' && !isItem(up));
    const url = targetOfLink(other)?.url ?? '';
    const title = textOf(other);
    if (!isTitle && isListed && !has(other, isAddress) && title !== '')
      found.set(url, found.get(url) ?? title);
  }
  return [...found].map(([url, title]) => ({ title, url }));
};

const readOne = (item: Element, heading: Element, part: Element, block: 'top' | 'bottom'): Draft[] => {
  const title = titleFrom(part, heading);
  if (!title || title.text === '') return [];
  const isOtherPart: Test = (element) =>
    element === heading ||
    element === title.link ||
    isAddress(element) ||
    (element.name === 'li' && element !== item) ||
    element.name === 'ul';
  const sitelinks = sitelinksOf(part, heading, title.link);
  return [
    {
      title: title.text,
      ...title.target,
      breadcrumb: title.address,
      snippet: sentencesOf(part, isOtherPart),
      domain: domainOf(title.target, title.address),
      block,
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};

export const readAds = (item: Element, page: Page): Draft[] => {
  const headings = headingsIn(item).filter(has(item, isAdClass) ? isLinked : isAdTitle);
  const block = blockOf(item, page);
  return partsAround(item, headings).flatMap(([heading, part]) => readOne(item, heading, part, block));
};

/** A link to the engine's own list of deals. */
const isDealLink: Test = ({ name, attribs }) =>
  name === 'a' && /^https?:\/\/(?:[a-z]+\.)?shopping\.yahoo\.com\/deal\//.test(attribs.href ?? '');

const isProductLink: Test = (element) => isAdLink(element) || isDealLink(element);

/** The texts of a card, one for each smallest element with a text. */
const textsIn = (card: Element): string[] =>
  findAll(card, (element) => !has(element, isBox) && textOf(element) !== '').map((element) =>
    textOf(element),
  );

const isBox = isNamed('a', 'div', 'p', 'span', 'li', 'ul');

/**
 * Product ads have no such titles. Each has a card with some links to the same target, and a price or a deal.
 */
export const hasProductAds: Test = (item) =>
  hasLink(item, isProductLink) &&
  !headingsIn(item).some(isAdTitle) &&
  (hasLink(item, isDealLink) || priceIn(textOf(item)) !== '');

/** The title is the longest text. The shop is the first other text without a number. */
const readProduct = (card: Element): Draft[] => {
  const link = find(card, isProductLink);
  const target = targetOfLink(link ?? card);
  const texts = textsIn(card);
  const price = texts.find(isPriceLine) ?? '';
  const titles = findAll(card, isProductLink).flatMap((one) =>
    has(one, isBox) ? textsIn(one) : [textOf(one)],
  );
  const title = longest(titles.filter((text) => text !== price));
  if (!target || title === '') return [];
  const source =
    texts.find((text) => !title.includes(text) && text.length <= 40 && !/\p{Nd}/u.test(text)) ?? '';
  return [{ title, ...target, ...(price && { price: priceIn(price) }), ...(source && { source }) }];
};

/**
 * The card of a product: the item of the list inside the block, or the largest part of the block without
 * another product.
 */
const cardsOf = (item: Element, links: Element[]): Element[] =>
  partsAround(item, links).map(
    ([link, part]) => ancestors(link).find((up) => up.name === 'li' && !isItem(up)) ?? part,
  );

export const readProductAds = (item: Element): Draft[] => {
  const links = firstOfEach(linksIn(item).filter(isProductLink), urlOf);
  return cardsOf(item, links).flatMap(readProduct);
};
