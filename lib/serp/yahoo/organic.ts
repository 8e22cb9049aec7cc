/** One web result: the title link, and the item of the list around it. */

import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { findAll, has, hasClass, isInside, isLink, isNamed, type Test } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Target } from '../link.ts';
import { longest, widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isAddress, linksIn, type Title, titleOf } from './elements.ts';
import { leadsOut, ownPageOf, targetOfLink } from './link.ts';

/** A menu of the result, with a link to a saved copy. */
const isMenu = hasClass('algo-options');

const isOtherPart =
  ({ heading, link }: Title): Test =>
  (element) =>
    element === heading ||
    element === link ||
    isAddress(element) ||
    isMenu(element) ||
    element.name === 'label';

/** Whether a paragraph is part of a list inside the item, such as the text of a link to another page of the site. */
const isInList = (paragraph: Element, block: Element): boolean => {
  let isPart = false;
  isInside(paragraph, (up) => {
    isPart ||= up !== block && (up.name === 'li' || isMenu(up));
    return up === block;
  });
  return isPart;
};

/** The text is the first long paragraph. Without one, it is the longest line that is not part of a link or a list. */
const snippetOf = (block: Element, title: Title): string => {
  const isOther = isOtherPart(title);
  for (const paragraph of findAll(block, isNamed('p'))) {
    const text = isInList(paragraph, block) ? '' : textOf(paragraph, isOther);
    if (widthOf(text) > 20) return text;
  }
  const text = longest(
    linesOf(
      block,
      (element) => isOther(element) || isLink(element) || (element.name === 'li' && element !== block),
    ),
  );
  return widthOf(text) > 40 ? text : '';
};

/** The date is a separate element at the start of the text, followed by a dot: `Jul 12, 2025 · …`. */
const dateOf = (snippet: string): string => {
  const date = /^([^·]{4,30}?)\s*·\s/.exec(snippet)?.[1] ?? '';
  return /\p{N}/u.test(date) && date.split(' ').length <= 5 ? date : '';
};

const withoutFragment = (url: string): string => url.replace(/#.*$/, '');

/** Links of the result to other pages of its site, with a text. */
const sitelinksOf = (block: Element, { link, target }: Title): { title: string; url: string }[] => {
  const [host, own] = [hostOf(target.url), withoutFragment(target.url)];
  const found = new Map<string, string>();
  for (const other of linksIn(block).filter(leadsOut)) {
    if (other === link || isInside(other, isMenu)) continue;
    const to = targetOfLink(other);
    if (!to || found.has(to.url) || withoutFragment(to.url) === own || hostOf(to.url) !== host) continue;
    const title = linesOf(other)[0] ?? '';
    if (title !== '') found.set(to.url, title);
  }
  return [...found].map(([url, title]) => ({ title, url }));
};

/** A number of views, such as `2.6B`. */
const countWithUnit = /\d[\d.,]*\p{L}+/gu;

/** Rows with labels: a rating with the number of reviews, and a price. */
const factsOf = (block: Element): Pick<Draft, 'rating' | 'reviews' | 'price'> => {
  const facts: Pick<Draft, 'rating' | 'reviews' | 'price'> = {};
  for (const row of findAll(block, (element) => element.name === 'li' && has(element, isNamed('label')))) {
    const text = textOf(row, (element) => ownPageOf(element) !== undefined).replace(countWithUnit, '');
    const price = priceIn(text);
    if (facts.rating === undefined) Object.assign(facts, ratingIn(text));
    if (price !== '') facts.price ??= price;
  }
  return facts;
};

/** The domain of a result: the host of its target, or the host that it shows if the target is unknown. */
export const domainOf = ({ url, url_resolution }: Target, breadcrumb: string): string =>
  url_resolution === 'opaque' ? shownHost(breadcrumb) : hostOf(url);

export const readOrganic = (block: Element): Draft[] => {
  const title = titleOf(block);
  if (!title) return [];
  const { target, address } = title;
  const snippet = snippetOf(block, title);
  const date = dateOf(snippet);
  const sitelinks = sitelinksOf(block, title);
  return [
    {
      title: title.text,
      ...target,
      breadcrumb: address,
      snippet: date === '' ? snippet : snippet.slice(snippet.indexOf('·') + 1).trim(),
      domain: domainOf(target, address),
      ...(date && { date }),
      ...factsOf(block),
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};
