/** Reads a Bing result page, and converts it to result items. */

import type { ParsedPage } from '../../model/result.ts';
import { hasClass, isInside } from '../dom.ts';
import type { EngineReader } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import { type Page, parseHtml } from '../page.ts';
import { readWithin } from '../steps.ts';
import type { Reading } from '../walker.ts';
import { isRight, itemsOf, partsOf } from './elements.ts';
import { searchParameters } from './link.ts';
import { readingOf } from './lost-results.ts';
import { onlyWordOf } from './other-words.ts';
import { hasNext, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** A message, such as that results were removed. */
const isMessage = hasClass('b_msg');

/** The number of items of the main column that contain text and links out of the row of page numbers, but no claim. */
const countUnclaimed = (page: Page, { claimed }: Reading): number =>
  itemsOf(page).filter(
    (item) =>
      !claimed.has(item) &&
      !isMessage(item) &&
      !isInside(item, isRight) &&
      partsOf(item).links.some((link) => !searchParameters(link)?.has('first')) &&
      textOf(item) !== '',
  ).length;

const readAll = (page: Page): ParsedPage => {
  const reading = readingOf(page);
  const organic = reading.left.filter(({ type }) => type === 'organic');
  const query = queryOf(page);
  const searched = onlyWordOf(query, organic)?.words || otherQueryOf(page);
  return {
    left: reading.left,
    right: reading.right,
    total_results: totalResultsOf(page),
    search_time: null,
    query,
    ...(searched && { searched }),
    has_next: organic.length > 0 && hasNext(page, organic.length),
    unclaimed: countUnclaimed(page, reading),
  };
};

/** A page whose reading did not end. */
const unread: ParsedPage = {
  left: [],
  right: [],
  total_results: '',
  search_time: null,
  query: '',
  has_next: false,
  unclaimed: 0,
  unread: true,
};

/** Saved real pages need at most 36,000 steps. A page that needs more than this is made to keep the reader busy. */
export const maxSteps = 1_000_000;

/**
 * Reads the content of a page. Never throws, whatever the HTML, and never changes the tree. A page that needs too many steps has no items
 * and is `unread`. All devices have the same markup.
 */
export const readPage = (page: Page): ParsedPage => readWithin(maxSteps, () => readAll(page)) ?? unread;

export const reader: EngineReader = {
  open: (body) => {
    const page = parseHtml(body);
    return {
      read: () => readPage(page),
      judge: (parsed, fetch) => judgePage(page, parsed, fetch),
    };
  },
  // Bing hides no targets that only it knows.
  hiddenLinks: { of: () => [], readLocation: () => null },
};
