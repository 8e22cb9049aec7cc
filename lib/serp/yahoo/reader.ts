/** Reads a Yahoo result page, and converts it to result items. */

import type { ParsedPage } from '../../model/result.ts';
import { isInside } from '../dom.ts';
import type { EngineReader } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import { type Page, parseHtml } from '../page.ts';
import { readWithin } from '../steps.ts';
import type { Reading } from '../walker.ts';
import { hasLink, isAround, isResultList, isRight, itemsOf } from './elements.ts';
import { readingOf } from './lost-results.ts';
import { hasNext, isPager, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** The number of items in the lists of web results with links, but no claim. Templates of terms have links without text. */
const countUnclaimed = (page: Page, { claimed }: Reading): number =>
  itemsOf(page).filter(
    (item) =>
      !claimed.has(item) &&
      isInside(item, (up) => up.name === 'ol' && isResultList(up)) &&
      !isInside(item, (up) => isRight(up) || isAround(up)) &&
      !isPager(item) &&
      hasLink(item, (link) => textOf(link) !== ''),
  ).length;

const readAll = (page: Page): ParsedPage => {
  const reading = readingOf(page);
  const searched = otherQueryOf(page);
  const organic = reading.left.filter(({ type }) => type === 'organic');
  return {
    left: reading.left,
    right: reading.right,
    total_results: totalResultsOf(page),
    search_time: null,
    query: queryOf(page),
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

/** A page that needs more steps than this is made to keep the reader busy. */
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
  // Yahoo hides no targets that only it knows.
  hiddenLinks: { of: () => [], readLocation: () => null },
};
