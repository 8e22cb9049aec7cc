/** What a page says about itself: the number of results, the query, its links to other pages. */

import type { Element } from 'domhandler';
import { find, has, isInside, isLink, isNamed, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { countsMore, isBoxNamed, isCountLine, otherQueryIn, queryIn } from '../list/page-facts.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import type { Parameters } from '../parameters.ts';
import { isSameQuery } from '../query.ts';
import { asciiDigits } from '../text.ts';
import { hasLink, isResult, itemsOf, linksIn } from './elements.ts';
import { searchParameters } from './link.ts';

/** The search box. */
export const isBox = isBoxNamed('p');

export const queryOf = once((page: Page): string => queryIn(page, isBox));

/** A link of the row of page numbers. `first`: the number of the first result of its page. */
type PageEntry = { link: Element; text: string; first: number; query: string };

/**
 * Other links may repeat the `b` of the request. Those of the row have one more parameter, or a number as
 * their text.
 */
export const isPaging = (parameters: Parameters, text: string): boolean =>
  parameters.has('xargs') || parameters.has('pstart') || parameters.has('bct') || /^\p{N}+$/u.test(text);

const entryOf = once((link: Element): PageEntry | undefined => {
  const parameters = searchParameters(link);
  const first = Number(parameters?.get('b'));
  if (!parameters || !(first > 0)) return undefined;
  const text = textOf(link);
  return isPaging(parameters, text)
    ? { link, text, first, query: parameters.get('p')?.trim() ?? '' }
    : undefined;
});

/** Most links to searches name no first result. */
const readEntry = (link: Element): PageEntry | undefined =>
  searchParameters(link)?.has('b') ? entryOf(link) : undefined;

/** Whether an element is a link of the row of page numbers. */
export const isPageLink: Test = (element) => isLink(element) && readEntry(element) !== undefined;

/** The item with the row of page numbers: the last one with links to other pages. */
const pagerOf = once((page: Page): { item: Element; entries: PageEntry[] } | undefined => {
  for (const item of itemsOf(page).toReversed()) {
    if (isResult(item)) continue;
    const entries = linksIn(item).flatMap((link) => readEntry(link) ?? []);
    if (entries.length > 0) return { item, entries };
  }
  return undefined;
});

/** The links of the row of page numbers, in page order; empty if there is none. */
export const pageEntriesOf = (page: Page): PageEntry[] => pagerOf(page)?.entries ?? [];

/** The queries of the links to other pages. */
export const searchedIn = (page: Page): string[] => pageEntriesOf(page).flatMap(({ query }) => query || []);

/**
 * The query that the links to other pages name in place of the one in the search box; empty if they name the
 * same.
 */
export const otherQueryOf = (page: Page): string => otherQueryIn(queryOf(page), searchedIn(page));

/**
 * Whether the page links to the results for the words of a query as they were typed: a link with these words
 * as its text, outside of the row of page numbers.
 */
export const hasRecourse = (page: Page, query: string): boolean =>
  itemsOf(page).some(
    (item) =>
      !isPager(item) &&
      linksIn(item).some(
        (link) =>
          isSameQuery(searchParameters(link)?.get('p') ?? '', query) && isSameQuery(textOf(link), query),
      ),
  );

/** Whether an item is the row of page numbers, on a page with results or without. */
export const isPager: Test = (item) => hasLink(item, isPageLink);

/** The number of the page, which is the only one in the row without a link; null if there is no row. */
export const ownNumberOf = (page: Page): number | null => {
  const pager = pagerOf(page);
  if (!pager) return null;
  const own = find(
    pager.item,
    (element) => element.name === 'strong' && !isInside(element, isLink) && /\p{Nd}/u.test(textOf(element)),
  );
  const text = own ? (/\d+/.exec(asciiDigits(textOf(own)))?.[0] ?? '') : '';
  return text === '' ? null : Number(text);
};

const isControl = isNamed('a', 'button', 'input');

/** The count is in the row of page numbers until 2021, and then alone in an item above the results. */
export const totalResultsOf = (page: Page): string => {
  const pager = pagerOf(page)?.item;
  const below = pager && find(pager, (element) => isCountElement(element, pager));
  if (below) return textOf(below);
  for (const item of itemsOf(page)) {
    if (isResult(item)) return '';
    const [line = '', ...others] = linesOf(item);
    if (others.length === 0 && isCountLine(line) && !has(item, isControl)) return line;
  }
  return '';
};

const isCountElement = (element: Element, pager: Element): boolean =>
  element.name === 'span' &&
  isCountLine(textOf(element)) &&
  !isInside(element, (up) => up !== pager && isLink(up)) &&
  !has(element, isLink);

/** The number of the first result of this page: after those of earlier pages, before those of later ones. */
const isLater = (entry: PageEntry, own: number, size: number): boolean => entry.first > (own - 1) * size + 1;

/**
 * Whether a later page must be expected. False only if the page proves to be the last: no link leads to a
 * later page, or the number of all results is not greater than that of the results on the page.
 */
export const hasNext = (page: Page, shown: number): boolean => {
  const entries = pageEntriesOf(page);
  const own = ownNumberOf(page);
  if (entries.length > 0 && own !== null) return entries.some((entry) => followsOwn(entry, own));
  if (entries.length > 0) return true;
  return countsMore(totalResultsOf(page), shown);
};

/**
 * Whether a link leads to a later page: by its number, or by the first result of its page and the results per
 * page.
 */
const followsOwn = (entry: PageEntry, own: number): boolean => {
  const number = asciiDigits(entry.text);
  if (/^\d+$/.test(number)) return Number(number) > own;
  const size = Number(searchParameters(entry.link)?.get('pz'));
  return !(size > 0) || isLater(entry, own, size);
};
