/** Ads: text ads, one or more in an item, and product ads. Their links lead to counters of clicks, one of Yahoo and one of Bing. */
import type { Element } from 'domhandler';
import { priceIn } from '../amounts.ts';
import { findAll, has, hasClass, isInside, isNamed, linesOf, once, type Test, textOf } from '../dom.ts';
import type { Draft } from '../walker.ts';
import {
  isAddress,
  isH3,
  isItem,
  isLink,
  isOtherItem,
  isResult,
  longest,
  partsAround,
  titleFrom,
} from './elements.ts';
import { isAdLink, leadsOut, targetOf } from './link.ts';
import { domainOf } from './organic.ts';

/** The title of a text ad: a heading with the link, or the link with the heading. */
const isAdTitle: Test = (element) =>
  isH3(element) && (has(element, isAdLink) || isInside(element, isAdLink)) && textOf(element) !== '';

const isAdClass = hasClass('ads');

const isAnyTitle: Test = (element) =>
  isH3(element) && (has(element, leadsOut) || isInside(element, leadsOut));

/** Items of the ads' class may have direct links. */
export const isAdItem: Test = (element) =>
  isOtherItem(element) && (has(element, isAdTitle) || (has(element, isAdClass) && has(element, isAnyTitle)));

const rootOf = (element: Element): Element => {
  let top = element;
  for (let up = element.parent; up && 'name' in up; up = up.parent) top = up as Element;
  return top;
};

/** The items that follow the first web result of the document. */
const afterFirstResult = once((top: Element): Set<Element> => {
  const items = findAll(top, isItem);
  const first = items.findIndex(isResult);
  return new Set(first < 0 ? [] : items.slice(first + 1));
});

/** Ads that follow a web result are at the bottom. */
const blockOf = (item: Element): 'top' | 'bottom' =>
  afterFirstResult(rootOf(item)).has(item) || has(item, hasClass('AdBttm')) ? 'bottom' : 'top';

const sitelinksOf = (part: Element, heading: Element, link: Element): { title: string; url: string }[] => {
  const found = new Map<string, string>();
  for (const other of findAll(part, (element) => isAdLink(element) && isInside(element, isNamed('li')))) {
    const isTitle = other === link || isInside(other, (up) => up === heading);
    const isListed = isInside(other, (up) => up.name === 'li' && !isItem(up));
    const url = targetOf(other.attribs.href)?.url ?? '';
    const title = textOf(other);
    if (!isTitle && isListed && !has(other, isAddress) && title !== '')
      found.set(url, found.get(url) ?? title);
  }
  return [...found].map(([url, title]) => ({ title, url }));
};

const readOne = (item: Element, heading: Element, part: Element): Draft[] => {
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
      snippet: linesOf(part, isOtherPart)
        .filter((line) => line.length > 20)
        .join(' '),
      domain: domainOf(title.target, title.address),
      block: blockOf(item),
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};

export const readAds = (item: Element): Draft[] => {
  const headings = findAll(
    item,
    (element) => isAdTitle(element) || (has(item, isAdClass) && isAnyTitle(element)),
  );
  const parts = partsAround(item, headings);
  return headings.flatMap((heading, index) => readOne(item, heading, parts[index] ?? item));
};

/** A link to the engine's own list of deals. */
const isDealLink: Test = ({ name, attribs }) =>
  name === 'a' && /^https?:\/\/(?:[a-z]+\.)?shopping\.yahoo\.com\/deal\//.test(attribs.href ?? '');

const isProductLink: Test = (element) => isAdLink(element) || isDealLink(element);

const isPriceLine = (line: string): boolean =>
  priceIn(line) !== '' && priceIn(line).length >= line.length / 3;

/** Product ads have no titles of the third level. Each has a card with some links to the same target, and a price or a deal. */
export const isProductAds: Test = (element) =>
  isOtherItem(element) &&
  has(element, isProductLink) &&
  !has(element, isAdTitle) &&
  (has(element, isDealLink) || linesOf(element).some(isPriceLine));

const readProduct = (part: Element): Draft[] => {
  const links = findAll(part, isProductLink).filter(isLink);
  const target = targetOf(links[0]?.attribs.href);
  const lines = linesOf(part, ({ name }) => name === 'style');
  const price = lines.find(isPriceLine) ?? '';
  const texts = links.flatMap((link) => linesOf(link)).filter((line) => line !== price);
  const title = longest(texts);
  if (!target || title === '') return [];
  const source =
    lines.find(
      (line) =>
        line !== title &&
        !title.includes(line) &&
        line.length <= 40 &&
        !/\d/.test(line) &&
        !isPriceLine(line),
    ) ?? '';
  return [{ title, ...target, ...(price && { price: priceIn(price) }), ...(source && { source }) }];
};

export const readProductAds = (item: Element): Draft[] => {
  const byTarget = new Map<string, Element>();
  for (const link of findAll(item, isProductLink)) {
    const { url = '' } = targetOf(link.attribs.href) ?? {};
    if (!byTarget.has(url)) byTarget.set(url, link);
  }
  return partsAround(item, [...byTarget.values()]).flatMap((part) => readProduct(part));
};
