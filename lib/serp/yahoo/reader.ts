/** Reads a Yahoo result page, and converts it to result items. */

import { isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { listReader, readerOf } from '../list/reader.ts';
import type { Page } from '../page.ts';
import type { Reading } from '../walker.ts';
import { hasLink, isAround, isResultList, isRight, itemsOf } from './elements.ts';
import { readingOf } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasNext, isPager, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/**
 * The number of items in the lists of web results with links, but no claim. Templates of terms have links
 * without text.
 */
const countUnclaimed = (page: Page, { claimed }: Reading): number =>
  itemsOf(page).filter(
    (item) =>
      !claimed.has(item) &&
      isInside(item, (up) => up.name === 'ol' && isResultList(up)) &&
      !isInside(item, (up) => isRight(up) || isAround(up)) &&
      !isPager(item) &&
      hasLink(item, (link) => textOf(link) !== ''),
  ).length;

export const readPage = readerOf({
  readingOf,
  queryOf,
  otherQueryOf,
  totalResultsOf,
  hasNext,
  countUnclaimed,
});

export const reader = listReader(readPage, judgePage, marketOf);
