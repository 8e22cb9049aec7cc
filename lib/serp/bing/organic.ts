/** One web result: the title link, and the item of the list around it. */

import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { find, findAll, has, hasClass, isInside, isLink, type Test } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import { longest, widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isCite, isFolded, isItem, partsOf, type Title, titleOf } from './elements.ts';
import { ownPathOf, targetOfLink } from './link.ts';

/** The line with the host and the path. Without the `cite` of most pages, it is the first line that begins with a host. */
const breadcrumbOf = (block: Element, { heading }: Title): string => {
  const cite = find(block, (element) => isCite(element) && textOf(element) !== '');
  if (cite) return textOf(cite).replace(/(?<=:\/\/)\s+/, '');
  return linesOf(block, (element) => element === heading).find((line) => shownHost(line) !== '') ?? '';
};

/** Badges before the text, and links to other results inside it. */
const isBadge = hasClass('algoSlug_icon', 'news_dt_icon');

/** The names of the site and of the page's address stand above or below the title, with a link to the same page. */
const isOtherPart =
  ({ heading, link }: Title): Test =>
  (element) =>
    element === heading ||
    element === link ||
    isCite(element) ||
    isBadge(element) ||
    isFolded(element) ||
    /^h[1-6]$/.test(element.name) ||
    (element.attribs.href !== undefined && element.attribs.href === link.attribs.href) ||
    ownPathOf(element) !== '';

/** Whether a paragraph of the block is folded, or part of a list. */
const isInPart = (paragraph: Element, block: Element): boolean => {
  let isPart = false;
  isInside(paragraph, (up) => {
    isPart ||= up !== block && (up.name === 'li' || isFolded(up));
    return up === block;
  });
  return isPart;
};

/** The text is a paragraph. Without one, it is the longest line that is not part of a link. */
const snippetOf = (block: Element, title: Title, paragraphs: Element[]): string => {
  const isOther = isOtherPart(title);
  for (const paragraph of paragraphs) {
    const text = isInPart(paragraph, block) ? '' : textOf(paragraph, isOther);
    if (widthOf(text) > 20) return text;
  }
  const text = longest(linesOf(block, (element) => isOther(element) || isLink(element)));
  return widthOf(text) > 40 ? text : '';
};

/** The date is a separate element at the start of the text, followed by a dot: `Jul 12, 2025 · …`. */
const dateOf = (snippet: string): string => {
  const date = /^([^·]{4,30}?)\s*·\s/.exec(snippet)?.[1] ?? '';
  return /\p{N}/u.test(date) && date.split(' ').length <= 5 ? date : '';
};

const withoutFragment = (url: string): string => url.replace(/#.*$/, '');

/** Links of the result to other pages of its site, with a text. */
const sitelinksOf = (
  links: Element[],
  { heading, link }: Title,
  url: string,
): { title: string; url: string }[] => {
  const [host, own] = [hostOf(url), withoutFragment(url)];
  const found = new Map<string, string>();
  for (const other of links) {
    if (other === link || other.attribs.href === link.attribs.href) continue;
    const target = targetOfLink(other);
    if (!target || found.has(target.url) || withoutFragment(target.url) === own) continue;
    if (hostOf(target.url) !== host || isInside(other, (up) => up === heading) || has(other, isCite))
      continue;
    const title = linesOf(other)[0] ?? '';
    if (title !== '') found.set(target.url, title);
  }
  return [...found].map(([to, title]) => ({ title, url: to }));
};

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

/** The domain of a result: the host of its target, or the host that it shows if the target is unknown. */
export const domainOf = ({ url, url_resolution }: Draft, breadcrumb: string): string =>
  url_resolution === 'opaque' ? shownHost(breadcrumb) : hostOf(url ?? '');

export const readOrganic = (block: Element): Draft[] => {
  const title = titleOf(block);
  const target = title && targetOfLink(title.link);
  if (!title || !target) return [];
  const breadcrumb = breadcrumbOf(block, title);
  const elements = isItem(block) ? partsOf(block).all : findAll(block, () => true);
  const snippet = snippetOf(
    block,
    title,
    elements.filter(({ name }) => name === 'p'),
  );
  const date = dateOf(snippet);
  const sitelinks = sitelinksOf(elements.filter(isLink), title, target.url);
  return [
    {
      title: textOf(title.heading),
      ...target,
      breadcrumb,
      snippet: date === '' ? snippet : snippet.slice(snippet.indexOf('·') + 1).trim(),
      domain: domainOf(target, breadcrumb),
      ...(date && { date }),
      ...factsOf(elements.filter(isRow)),
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};
