/** The reader of an engine whose pages are lists of items, with the same markup for all devices. */
import type { ParsedPage, ResultItem, Verdict } from '../../model/result.ts';
import type { EngineReader, PageFetch } from '../engine-reader.ts';
import { type Page, parseHtml, unreadPage } from '../page.ts';
import { readWithin } from '../steps.ts';
import type { Reading } from '../walker.ts';

/** How an engine reads the parts of its pages. */
type ListParts = {
  readingOf: (page: Page) => Reading;
  /** The query in the search box. */
  queryOf: (page: Page) => string;
  /** The query that the results are for, if it is another one; otherwise empty. */
  searchedOf: (page: Page, organic: ResultItem[]) => string;
  totalResultsOf: (page: Page) => string;
  /** Whether a later page must be expected. `shown`: the number of web results on this page. */
  hasNext: (page: Page, shown: number) => boolean;
  /** The number of items with content, but no claim. */
  countUnclaimed: (page: Page, reading: Reading) => number;
};

const readAll = (page: Page, parts: ListParts): ParsedPage => {
  const reading = parts.readingOf(page);
  const organic = reading.left.filter(({ type }) => type === 'organic');
  const searched = parts.searchedOf(page, organic);
  return {
    left: reading.left,
    right: reading.right,
    total_results: parts.totalResultsOf(page),
    search_time: null,
    query: parts.queryOf(page),
    ...(searched && { searched }),
    has_next: organic.length > 0 && parts.hasNext(page, organic.length),
    unclaimed: parts.countUnclaimed(page, reading),
  };
};

/**
 * Saved real pages need at most 36,000 steps. A page that needs more than this is made to keep the reader
 * busy.
 */
export const maxSteps = 1_000_000;

/**
 * Reads the content of a page. Never throws, whatever the HTML, and never changes the tree. A page that needs
 * too many steps has no items and is `unread`.
 */
export const readerOf =
  (parts: ListParts) =>
  (page: Page): ParsedPage =>
    readWithin(maxSteps, () => readAll(page, parts)) ?? unreadPage;

export const listReader = (
  readPage: (page: Page) => ParsedPage,
  judgePage: (page: Page, parsed: ParsedPage, fetch: PageFetch) => Verdict,
): EngineReader => ({
  open: (body) => {
    const page = parseHtml(body);
    return { read: () => readPage(page), judge: (parsed, fetch) => judgePage(page, parsed, fetch) };
  },
  // These engines hide no targets that only they know.
  hiddenLinks: { of: () => [], readLocation: () => null },
});
