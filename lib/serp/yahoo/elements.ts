/**
 * Elements of Yahoo's pages: columns, items of lists, titles, addresses. Structure comes first; ids and
 * classes are second witnesses.
 */

import { type AnyNode, type Element, isTag, isText } from 'domhandler';
import {
  ancestors,
  find,
  findAll,
  has,
  hasClass,
  hasId,
  isInside,
  isLink,
  isNamed,
  type Test,
} from '../dom.ts';
import { isSameSite, shownHost, splitAddress } from '../host.ts';
import { firstSignOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { firstOfEach, isAroundResults, isItemOutside, itemsBy, maxTextBefore } from '../list/elements.ts';
import { once } from '../page-cache.ts';
import { afterSeparator, trimmed } from '../text.ts';
import { isAdLink, leadsOut, targetOfLink } from './link.ts';

const hasColumnId = hasId('results', 'cols', 'left', 'main', 'web', 'right');

/** Containers of blocks. */
export const isColumn: Test = (element) => element.name === 'ol' || hasColumnId(element);

const isRightClass = hasClass(
  'searchRightTop',
  'searchRightMiddle',
  'searchRightMiddleAds',
  'searchRightBottom',
);

export const isRight: Test = (element) =>
  element.name === 'aside' || element.attribs.id === 'right' || isRightClass(element);

const hasMainId = hasId('web', 'main');

const isMain: Test = (element) => element.name === 'main' || hasMainId(element);

/** Elements that contain no results. */
export const isAround = isAroundResults({
  isMain,
  isAnswerForm: (form) => isInside(form, isNamed('ol')),
  roles: new Set(['dialog', 'alertdialog', 'menu', 'contentinfo', 'tooltip', 'banner']),
  isKnownPart: hasId('sticky-hd', 'hd', 'ft', 'ft_wrapper'),
});

export const isItem = isItemOutside();

/**
 * The heading of a result has the third level; the second is accepted, too. The captions of some blocks have
 * the same.
 */
export const isHeading = isNamed('h2', 'h3');

/** The link of a title: in the heading until 2022, around it since 2025. */
const linkOf = (heading: Element): Element | undefined =>
  find(heading, isLink) ?? ancestors(heading).find((up) => up.name === 'li' || isLink(up));

/** Browsers that translate a page put each text in a `font`. */
const emphasis = new Set(['b', 'strong', 'em', 'i', 'mark', 'wbr', 'font']);

const isOwnPart = (child: AnyNode): boolean =>
  isText(child) ? child.data.trim() !== '' : isTag(child) && emphasis.has(child.name);

/**
 * Whether a text can be the start of an address: a scheme, or a word that ends with a dot or with the text,
 * perhaps after a separator.
 */
const mayBeginAddress = /^[\s·•|]*(?:https?:|[\p{L}\p{M}\p{N}_-]+(?:\.|\s*$))/u;

const firstText = (part: AnyNode): string => {
  let at: AnyNode | null | undefined = part;
  while (at && isTag(at)) at = at.children[0];
  return at && isText(at) ? at.data : '';
};

/**
 * The text of an element from its first own text on: without the parts before it, such as a picture and the
 * name of the site.
 */
const ownText = (element: Element): string => {
  const before = new Set<AnyNode>(element.children.slice(0, element.children.findIndex(isOwnPart)));
  return textOf(element, (child) => before.has(child));
};

/**
 * A host, perhaps with a path: `https://clay.example › kiln`, `clay.example/kiln`, `clay.example · kiln`.
 * Not a sentence that begins with a host: a part of a path with dots has no space.
 */
const isAddressText = (text: string): boolean =>
  /^(?:https?:\/\/)?[\p{L}\p{M}\p{N}._-]+(?::\d+)?(?:$|[/?]|\s*[›‹>]|(?:\s+·\s+\S+)+$)/u.test(text) &&
  shownHost(text) !== '';

const maxAddressLength = 300;

const mayHaveAddress = new Set(['span', 'div', 'a', 'p', 'cite']);

const readAddress = once((element: Element): string => {
  const text = trimmed(ownText(element));
  return text.length <= maxAddressLength && isAddressText(text) ? text.replace(/(?<=:\/\/)\s+/, '') : '';
});

/**
 * The text of an element that shows nothing but an address; empty for other elements. Most need no reading of
 * their whole text.
 */
const addressText = (element: Element): string => {
  const first = mayHaveAddress.has(element.name) ? element.children.find(isOwnPart) : undefined;
  return first && mayBeginAddress.test(firstText(first)) ? readAddress(element) : '';
};

/** An element that shows nothing but an address. */
export const isAddress: Test = (element) => addressText(element) !== '';

export type Title = { heading: Element; link: Element; text: string; target: Target; address: string };

/**
 * The address in a heading comes before the title. A heading with nothing else has a title that looks like an
 * address.
 */
const addressIn = (heading: Element): Element | undefined => {
  const address = find(heading, (element) => !isLink(element) && isAddress(element));
  return address && textOf(heading, (element) => element === address) !== '' ? address : undefined;
};

/**
 * The address outside the heading: before the title since 2025, after it until 2021. The name of a site may
 * look like another address.
 */
const addressBeside = (block: Element, heading: Element, { url }: Target): string => {
  let first = '';
  const found = find(block, (element) => {
    const address = addressText(element);
    if (address === '' || isInside(element, (up) => up === heading || up.name === 'p')) return false;
    if (has(element, (part) => part === heading)) return false;
    first ||= address;
    return isSameSite(url, address);
  });
  return found ? addressText(found) : first;
};

/** The title of a block with this heading; undefined if it has no link out of the search. */
export const titleFrom = (block: Element, heading: Element): Title | undefined => {
  const link = linkOf(heading);
  const target = link && isLink(link) ? targetOfLink(link) : null;
  if (!link || !target) return undefined;
  const inHeading = addressIn(heading);
  const text = afterSeparator(textOf(heading, (element) => element === inHeading));
  const shown = inHeading ? addressText(inHeading) : addressBeside(block, heading, target);
  const { address, title } = shown === '' ? splitAddress(text, target.url) : { address: shown, title: text };
  return { heading, link, text: title, target, address };
};

/** The headings in a block. */
export const headingsIn = once((block: Element): Element[] => findAll(block, isHeading));

/** The first heading with text in a block, if it is a title. */
export const titleOf = once((block: Element): Title | undefined => {
  const heading = headingsIn(block).find((one) => firstSignOf(one) !== '');
  return heading && titleFrom(block, heading);
});

const textBefore = (block: Element, { heading, link }: Title): string => {
  let isBefore = true;
  return textOf(block, (element) => {
    if (element === heading || element === link) isBefore = false;
    return !isBefore || isAddress(element);
  });
};

/** Whether a heading has a link out of the search: in it, or around it. */
export const isLinked: Test = (heading) => has(heading, leadsOut) || isInside(heading, leadsOut);

/** Headings with links out of the search. The links of a web result to other pages have none. */
const countTitles = (block: Element): number => headingsIn(block).filter(isLinked).length;

/** A question has an index among those of its block, or opens its answer. */
const isQuestionPart: Test = ({ attribs }) =>
  attribs.qidx !== undefined || attribs['aria-expanded'] !== undefined;

export const isResultClass = hasClass('algo', 'algo-sr');

/** The class of text ads. In a saved copy their links may lead to their targets. */
export const isAdClass = hasClass('ads');

/**
 * A web result: an item whose first heading is a link out of the search, with nothing before it but the site
 * and the address, which is that of the target. Until 2026 results have a class of their own.
 */
const isResultItem = once((item: Element): boolean => {
  const title = titleOf(item);
  if (!title || title.text === '' || isAdLink(title.link)) return false;
  if (has(item, isResultClass)) return true;
  if (has(item, isAdClass)) return false;
  return (
    (title.target.url_resolution === 'opaque' || isSameSite(title.target.url, title.address)) &&
    textBefore(item, title).length <= maxTextBefore &&
    countTitles(item) === 1 &&
    !has(item, isQuestionPart)
  );
});

export const isResult: Test = (element) => isItem(element) && isResultItem(element);

/** The list of the web results. Around it are lists of ads, filters and page numbers. */
export const isResultList = once((list: Element): boolean => has(list, isResult));

/** An item that is no web result. */
export const isOtherItem: Test = (element) => isItem(element) && !isResultItem(element);

const isInRight = once((item: Element): boolean => isInside(item, isRight));

/** An item of the main column. */
export const isLeftItem: Test = (element) => isItem(element) && !isInRight(element);

/** An item of the right column. */
export const isRightItem: Test = (element) => isItem(element) && isInRight(element);

/** An item of the main column that is no web result. */
export const isOtherLeft: Test = (element) => isOtherItem(element) && !isInRight(element);

/** The links in a block. */
export const linksIn = once((block: Element): Element[] => findAll(block, isLink));

/** Whether a block has a link that a test matches. */
export const hasLink = (block: Element, test: Test): boolean => linksIn(block).some(test);

/** The URL of a link's target; empty if it has none. */
export const urlOf = (link: Element): string => targetOfLink(link)?.url ?? '';

/** The links out of a block, one for each target. */
export const targetsIn = (block: Element): Element[] => firstOfEach(linksIn(block).filter(leadsOut), urlOf);

/** The address that a part of a block shows. */
export const addressOf = (part: Element): string => {
  const found = find(part, isAddress);
  return found ? addressText(found) : '';
};

export const { itemsOf, firstOfPage } = itemsBy(isItem);
