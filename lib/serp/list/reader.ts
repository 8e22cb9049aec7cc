/** The reader of an engine whose pages are lists of items, with the same markup for all devices. */
import type { Element } from 'domhandler';
import type { ParsedPage, Verdict } from '../../model/parsed-page.ts';
import { correctionIn } from '../correction.ts';
import type { EngineReader, PageFetch } from '../engine-reader.ts';
import type { PageMarket } from '../market.ts';
import { type Page, parseHtml, unreadPage } from '../page.ts';
import { withSearched } from '../searched.ts';
import { readWithin } from '../steps.ts';
import { describeBlock, type Signs } from '../unread-block.ts';
import type { Reading } from '../walker.ts';

/** How an engine reads the parts of its pages. */
type ListParts = {
  readingOf: (page: Page) => Reading;
  /** The query in the search box. */
  queryOf: (page: Page) => string;
  /** The query that the page names in place of the one in the search box; empty if there is none. */
  otherQueryOf: (page: Page) => string;
  /** Whether the page links to the results for the words of a query as they were typed. */
  hasRecourse: (page: Page, query: string) => boolean;
  totalResultsOf: (page: Page) => string;
  /** Whether a later page must be expected. `shown`: the number of web results on this page. */
  hasNext: (page: Page, shown: number) => boolean;
  /** The items of the lists, in page order. */
  itemsOf: (page: Page) => Element[];
  /** Whether an item without a claim has content. */
  isUnread: (item: Element) => boolean;
  signs: Signs;
};

const readAll = (page: Page, parts: ListParts, asked: string): ParsedPage => {
  const reading = parts.readingOf(page);
  const organic = reading.left.filter(({ type }) => type === 'organic');
  const query = parts.queryOf(page);
  return {
    ...withSearched(reading, query || asked, {
      other: parts.otherQueryOf(page) || correctionIn(asked, [query]),
      hasRecourse: (typed) => parts.hasRecourse(page, typed),
    }),
    right: reading.right,
    total_results: parts.totalResultsOf(page),
    search_time: null,
    query,
    has_next: organic.length > 0 && parts.hasNext(page, organic.length),
    unread_blocks: parts
      .itemsOf(page)
      .filter((item) => !reading.claimed.has(item) && parts.isUnread(item))
      .map((item) => describeBlock(item, parts.signs, reading)),
  };
};

/**
 * Saved real pages need at most 36,000 steps. A page that needs more than this is made to keep the reader
 * busy.
 */
export const maxSteps = 800_000;

/**
 * Reads the content of a page. Never throws, whatever the HTML, and never changes the tree. A page that needs
 * too many steps has no items and is `unread`. `asked`: the query of the request, for a page without a search
 * box; empty if it is unknown.
 */
export const readerOf =
  (parts: ListParts) =>
  (page: Page, asked = ''): ParsedPage =>
    readWithin(maxSteps, () => readAll(page, parts, asked)) ?? unreadPage;

export const listReader = (
  readPage: (page: Page, asked?: string) => ParsedPage,
  judgePage: (page: Page, parsed: ParsedPage, fetch: PageFetch) => Verdict,
  marketOf: (page: Page) => PageMarket,
): EngineReader => ({
  open: (body) => {
    const page = parseHtml(body);
    return {
      read: (_, asked) => readPage(page, asked),
      judge: (parsed, fetch) => judgePage(page, parsed, fetch),
      market: () => marketOf(page),
    };
  },
  // These engines hide no targets that only they know.
  hiddenLinks: { of: () => [], readLocation: () => null },
});
