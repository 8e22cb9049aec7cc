/** What a page says about itself: the number of results, the query, its links to other pages. */

import { type AnyNode, type Element, isTag } from 'domhandler';
import { find, has, hasClass, hasId, type Test, walk } from '../dom.ts';
import { textOf } from '../lines.ts';
import { countsMore, isBoxNamed, isCountLine, otherQueryIn, queryIn } from '../list/page-facts.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { isSameQuery } from '../query.ts';
import { asciiDigits } from '../text.ts';
import { isItem, isResult } from './elements.ts';
import { searchParameters } from './link.ts';

const isCountClass = hasClass('sb_count');

/** The count has at most this many pieces, and the list of results follows it as one of so many siblings. */
const maxParts = 8;

const isShort = ({ children }: Element): boolean =>
  children.length <= maxParts && !children.some((child) => isTag(child) && child.name === 'span');

/**
 * The count has its own class. Without it, it is the first text of the column above the results, if that is
 * such a line.
 */
export const totalResultsOf = (page: Page): string => {
  const marked = find(page.root, isCountClass);
  if (marked) return textOf(marked);
  const first = find(
    page.root,
    (element) =>
      isItem(element) ||
      (element.name === 'span' &&
        isShort(element) &&
        isCountLine(textOf(element)) &&
        isAboveResults(element)),
  );
  return first?.name === 'span' ? textOf(first) : '';
};

/** The row above the results is a sibling of their list. */
const isAboveResults = (element: Element): boolean => {
  let box: AnyNode | null = element;
  for (let level = 0; level < 3 && box; level += 1, box = box.parent) {
    let next = box.next;
    for (let count = 0; count < maxParts && next; count += 1, next = next.next) {
      if (isTag(next) && next.name === 'ol') return true;
    }
  }
  return false;
};

/** The search box. */
export const isBox = isBoxNamed('q');

export const queryOf = (page: Page): string => queryIn(page, isBox);

/**
 * An entry of the row of page numbers. `first`: the number of the first result of the page; null for the
 * current page.
 */
type PageEntry = { text: string; first: number | null; query: string };

const isPagerClass = hasClass('b_pag');

export const isPager: Test = (element) => element.name === 'nav' || isPagerClass(element);

const readEntry = (link: Element): PageEntry | undefined => {
  const parameters = searchParameters(link);
  const first = Number(parameters?.get('first'));
  if (first > 0) return { text: textOf(link), first, query: parameters?.get('q')?.trim() ?? '' };
  if (link.attribs.href !== undefined) return undefined;
  const text = textOf(link);
  // The current page has its number, but no link.
  return /^\p{N}+$/u.test(text) ? { text, first: null, query: '' } : undefined;
};

/** The rows of page numbers: the entries of each element that holds links to other pages. */
const entriesIn = (pager: Element): PageEntry[] => {
  const entries: PageEntry[] = [];
  walk(pager, (element) => {
    const entry = element.name === 'a' ? readEntry(element) : undefined;
    if (entry) entries.push(entry);
    return true;
  });
  return entries;
};

/** The entries of the row of page numbers, in page order; empty if there is none. */
export const pageEntriesOf = once((page: Page): PageEntry[] => {
  let found: PageEntry[] = [];
  walk(page.root, (element) => {
    if (!isPager(element)) return true;
    const entries = entriesIn(element);
    if (entries.some(({ first }) => first !== null)) found = entries;
    return false;
  });
  return found;
});

/** The queries of the links to other pages. */
export const searchedIn = (page: Page): string[] =>
  pageEntriesOf(page).flatMap(({ first, query }) =>
    first !== null && first > 1 && query !== '' ? [query] : [],
  );

/**
 * The query that the links to other pages name in place of the one in the search box; empty if they name the
 * same.
 */
export const otherQueryOf = (page: Page): string => otherQueryIn(queryOf(page), searchedIn(page));

/**
 * Whether a link leads to the results for the words of a query as they were typed: `q` begins with a `+`. If
 * the query does so itself, all links do.
 */
export const hasRecourse = (page: Page, query: string): boolean =>
  !query.trimStart().startsWith('+') &&
  has(page.root, (element) => {
    const typed = element.name === 'a' ? (searchParameters(element)?.get('q')?.trim() ?? '') : '';
    return typed.startsWith('+') && isSameQuery(typed.slice(1), query);
  });

/**
 * Whether a later page must be expected. False only if the page proves to be the last: no link follows its
 * own number, or the number of all results is not greater than that of the results on the page.
 */
export const hasNext = (page: Page, shown: number): boolean => {
  const entries = pageEntriesOf(page);
  const current = entries.findIndex(({ first }) => first === null);
  if (current >= 0) return current < entries.length - 1;
  if (entries.length > 0) return true;
  return countsMore(totalResultsOf(page), shown);
};

/** The number of the page in its own row of page numbers; null if the row does not show it. */
export const ownNumberOf = (page: Page): number | null => {
  const text = pageEntriesOf(page).find(({ first }) => first === null)?.text;
  const number = asciiDigits(text ?? '');
  return /^\d+$/.test(number) ? Number(number) : null;
};

const isResultsId = hasId('b_results');

export const isResultColumn: Test = (element) =>
  isResultsId(element) || (element.name === 'ol' && find(element, isResult) !== undefined);
