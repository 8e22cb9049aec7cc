/** Reads a Bing result page, and converts it to result items. */

import { hasClass, isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { listReader, readerOf } from '../list/reader.ts';
import type { Page } from '../page.ts';
import type { Reading } from '../walker.ts';
import { isRight, itemsOf, partsOf } from './elements.ts';
import { searchParameters } from './link.ts';
import { readingOf } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasNext, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** A message, such as that results were removed. */
const isMessage = hasClass('b_msg');

/**
 * The number of items of the main column that contain text and links out of the row of page numbers, but no
 * claim.
 */
const countUnclaimed = (page: Page, { claimed }: Reading): number =>
  itemsOf(page).filter(
    (item) =>
      !claimed.has(item) &&
      !isMessage(item) &&
      !isInside(item, isRight) &&
      partsOf(item).links.some((link) => !searchParameters(link)?.has('first')) &&
      textOf(item) !== '',
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
