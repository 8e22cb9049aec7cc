/** One web result: the title link, and the item of the list around it. */

import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { find, findAll, has, hasClass, isInside, isLink, type Test } from '../dom.ts';
import { domainOf, isSameSite } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { isTitlePart, sitelinksIn, snippetIn, withoutDate } from '../list/organic.ts';
import type { Draft } from '../walker.ts';
import { isCite, isFolded, isItem, partsOf, type Title, titleOf } from './elements.ts';
import { ownPathOf, targetOfLink } from './link.ts';

/**
 * The line with the host and the path. Without the `cite` of most pages, it is the first line that begins
 * with its host.
 */
const breadcrumbOf = (block: Element, { heading }: Title, { url }: Target): string => {
  const cite = find(block, (element) => isCite(element) && textOf(element) !== '');
  if (cite) return textOf(cite).replace(/(?<=:\/\/)\s+/, '');
  return linesOf(block, (element) => element === heading).find((line) => isSameSite(url, line)) ?? '';
};

/** Badges before the text, and links to other results inside it. */
const isBadge = hasClass('algoSlug_icon', 'news_dt_icon');

/**
 * The names of the site and of the page's address stand above or below the title, with a link to the same
 * page.
 */
const isOtherPart = (title: Title): Test => {
  const isTitle = isTitlePart(title);
  return (element) =>
    isTitle(element) ||
    isCite(element) ||
    isBadge(element) ||
    isFolded(element) ||
    /^h[1-6]$/.test(element.name) ||
    (element.attribs.href !== undefined && element.attribs.href === title.link.attribs.href) ||
    ownPathOf(element) !== '';
};

/** Whether a link of a result leads to the same page: the title, the site above it, the address. */
const isTitleOrAddress = (other: Element, { heading, link }: Title): boolean =>
  other === link ||
  other.attribs.href === link.attribs.href ||
  isInside(other, (up) => up === heading) ||
  has(other, isCite);

/** A row of facts below the text: a rating with the number of reviews, or a price. */
const factsOf = (rows: Element[]): Pick<Draft, 'rating' | 'reviews' | 'price'> => {
  for (const row of rows) {
    const text = textOf(row);
    const [facts, price] = [ratingIn(text), priceIn(text)];
    if (facts.rating !== undefined || price !== '') return { ...facts, ...(price && { price }) };
  }
  return {};
};

const isRow = hasClass('b_factrow');

export const readOrganic = (block: Element): Draft[] => {
  const title = titleOf(block);
  const target = title && targetOfLink(title.link);
  if (!title || !target) return [];
  const breadcrumb = breadcrumbOf(block, title, target);
  const elements = isItem(block) ? partsOf(block).all : findAll(block, () => true);
  const text = snippetIn(block, {
    paragraphs: elements.filter(({ name }) => name === 'p'),
    isOtherPart: isOtherPart(title),
    isAside: (element) => element.name === 'li' || isFolded(element),
    isNoText: isLink,
  });
  const { snippet, date } = withoutDate(text);
  const sitelinks = sitelinksIn(elements.filter(isLink), {
    url: target.url,
    targetOf: targetOfLink,
    isOwn: (link) => isTitleOrAddress(link, title),
  });
  return [
    {
      title: textOf(title.heading),
      ...target,
      breadcrumb,
      snippet,
      domain: domainOf(target, breadcrumb),
      ...(date && { date }),
      ...factsOf(elements.filter(isRow)),
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};
