/** Paid results: text ads, and the product cards of shopping ads. */

import type { Element } from 'domhandler';
import { isPriceLine, priceIn } from '../amounts.ts';
import { find, findAll, has, hasClass, hasId, isInside, isLink, type Test } from '../dom.ts';
import { domainOf, shownHost } from '../host.ts';
import { linesOf, sentencesOf, textIn, textOf } from '../lines.ts';
import { decoded, type Target } from '../link.ts';
import { mark, mayHave } from '../marks.ts';
import type { Page } from '../page.ts';
import type { Draft } from '../walker.ts';
import { isAdColumn, isCardList, isH3, isHeading, isPicture, isTextRole } from './elements.ts';
import { absolute, targetOf } from './link.ts';
import { resolve } from './plain-address.ts';

export const isAd: Test = (element) =>
  mayHave(element, mark.data) && element.attribs['data-text-ad'] !== undefined;

/** An address of the engine that counts a click on something paid. */
const countsClick = /^(?:https?:\/\/[^/]+)?\/(?:pagead\/)?aclk\?/;

/**
 * The link of an ad, if the ad has lost its mark: it has the sites for the browser to connect to, or a click
 * counter, in a separate attribute or as its URL.
 */
export const isAdLink: Test = (element) =>
  isLink(element) &&
  (element.attribs['data-pcu'] !== undefined ||
    element.attribs['data-rw'] !== undefined ||
    countsClick.test(element.attribs.href ?? '')) &&
  has(element, isHeading);

/** An ad of 2020 and before: an item of the list in the block of ads. */
export const isAdItem: Test = (element) =>
  element.name === 'li' &&
  has(element, (part) => isHeading(part) || isH3(part)) &&
  isInside(element, isAdColumn) &&
  !isInside(element, (up) => up.name === 'li');

const isTop: Test = hasId('tads', 'taw', 'tvcap', 'atvcap');
const isBottom: Test = hasId('tadsb', 'bottomads', 'botstuff');

/** The link of an ad may be a click counter, which redirects to the target. The service never requests it. */
export const adTarget = (
  link: Element,
  block: Element,
  page: Page,
  shown: { title: string; breadcrumb: string },
): Target => {
  const href = link.attribs.href ?? '';
  if (targetOf(href)) return resolve(link, block, page, shown);
  const landing = /[?&]adurl=([^&]+)/.exec(href)?.[1];
  const inner = landing && targetOf(decoded(landing));
  if (inner) return { ...inner, url_resolution: 'unwrapped' };
  return { url: absolute(href)?.url ?? '', url_resolution: 'opaque' };
};

const sitelinksOf = (block: Element, link: Element): { title: string; url: string }[] => {
  const found = new Map<string, string>();
  for (const other of findAll(block, isLink)) {
    const title = linesOf(other)[0] ?? '';
    const url = absolute(other.attribs.href)?.url;
    if (other === link || !url || title === '' || isInside(other, (up) => up === link)) continue;
    if (other.attribs.href !== link.attribs.href && !found.has(title)) found.set(title, url);
  }
  return [...found].map(([title, url]) => ({ title, url }));
};

/** `top` or `bottom` if the ad is in a block of ads. A single ad in the middle of the list is neither. */
const blockOf = (block: Element): Pick<Draft, 'block'> => {
  if (isInside(block, isBottom)) return { block: 'bottom' };
  return isInside(block, isTop) ? { block: 'top' } : {};
};

/** The element with the shown address has the domain in an attribute. */
const isShownAddress: Test = ({ attribs }) => attribs['data-dtld'] !== undefined;

export const readAd = (block: Element, page: Page): Draft[] => {
  const heading = find(block, isHeading) ?? find(block, isH3);
  const link =
    find(block, (element) => isLink(element) && has(element, (part) => part === heading)) ??
    find(block, isLink);
  const title = heading ? textOf(heading) : '';
  if (!link || title === '') return [];
  const shown = find(block, isShownAddress);
  const breadcrumb =
    (shown && textOf(shown)) || textIn(block, isTextRole) || textIn(block, ({ name }) => name === 'cite');
  const target = adTarget(link, block, page, { title, breadcrumb });
  const isOtherPart: Test = (element) =>
    element === heading || isLink(element) || isTextRole(element) || isShownAddress(element);
  const snippet = sentencesOf(block, isOtherPart);
  const sitelinks = sitelinksOf(block, link);
  return [
    {
      title,
      ...target,
      breadcrumb,
      snippet,
      domain: domainOf(target, breadcrumb) || shownHost(shown?.attribs['data-dtld'] ?? ''),
      ...blockOf(block),
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};

/** The link of a business in the ads for services at a place. It leads to the engine's list of businesses. */
export const isServiceAd: Test = (element) =>
  isLink(element) &&
  /^(?:https:\/\/www\.google\.[a-z.]+)?\/localservices\//.test(element.attribs.href ?? '') &&
  isInside(element, isAdColumn);

const isControl: Test = (element) =>
  element.name === 'button' || element.attribs.role === 'button' || element.attribs.role === 'dialog';

/** The link to more businesses has no other lines. */
export const readServiceAd = (block: Element): Draft[] => {
  const link = find(block, isServiceAd);
  const title = link ? textOf(link) : '';
  // The whole card may be a button.
  const lines = linesOf(block, (part) => isControl(part) && !has(part, isServiceAd));
  const others = lines.filter((line) => line !== title);
  if (!link || title === '' || others.length === 0) return [];
  return [
    {
      title,
      url: absolute(link.attribs.href)?.url ?? '',
      url_resolution: 'opaque',
      snippet: others.join(' · '),
      domain: '',
      ...blockOf(link),
    },
  ];
};

const isUnitClass = hasClass('pla-unit');

/** The class of the card has been the same since 2020. Only desktop cards have the slot number. */
export const isShoppingAd: Test = (element) =>
  (mayHave(element, mark.data) && element.attribs['data-pla-slot-pos'] !== undefined) || isUnitClass(element);

/** A link that counts a click on something paid, in its address or in another attribute. */
export const isPaidLink: Test = (element) => {
  if (!isLink(element)) return false;
  for (const name in element.attribs) if (countsClick.test(element.attribs[name] ?? '')) return true;
  return false;
};

const isAdBox: Test = (element) => isTop(element) || isBottom(element);

/** A card in a list of paid offers with pictures: tickets, tours, hotels. */
export const isPaidCard: Test = (element) =>
  isLink(element) &&
  isInside(element, isAdBox) &&
  isPaidLink(element) &&
  has(element, isPicture) &&
  isInside(element, isCardList);

/** The card of an offer without a price. */
export const readPaidCard = (link: Element, page: Page): Draft[] => {
  const lines = linesOf(link);
  const title = textIn(link, isHeading) || (lines[0] ?? '');
  if (title === '') return [];
  const target = adTarget(link, link, page, { title, breadcrumb: '' });
  const snippet = lines.filter((line) => line !== title).join(' ');
  return [{ title, ...target, snippet, domain: domainOf(target, ''), ...blockOf(link) }];
};

/**
 * In every layout the title is directly above the price and the shop directly below it. Empty cards have no
 * price.
 */
export const readShoppingAd = (block: Element): Draft[] => {
  const lines = linesOf(block);
  const at = lines.findIndex(isPriceLine);
  const title = textIn(block, isHeading) || (lines[at - 1] ?? '');
  if (at < 1 || title === '') return [];
  const links = block.name === 'a' ? [block] : findAll(block, isLink);
  const link = links.find(({ attribs }) => targetOf(attribs.href)) ?? links[0];
  const target = link && (targetOf(link.attribs.href) ?? absolute(link.attribs.href));
  const source = lines.slice(at + 1).find((line) => priceIn(line) === '') ?? '';
  return [
    {
      title,
      url: target?.url ?? '',
      ...(target && { url_resolution: targetOf(link?.attribs.href) ? target.url_resolution : 'opaque' }),
      price: priceIn(lines[at] ?? ''),
      ...(source && { source }),
    },
  ];
};
