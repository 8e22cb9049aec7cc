/** Reads a Yahoo result page, and converts it to result items. */

import type { Element } from 'domhandler';
import { isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { listReader, readerOf } from '../list/reader.ts';
import { hasLink, isAround, isResultList, isRight, itemsOf } from './elements.ts';
import { isAdLink, leadsOut, leadsToService } from './link.ts';
import { readingOf } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasNext, hasRecourse, isPager, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** An item of the lists of web results with links. Templates of terms have links without text. */
const isUnread = (item: Element): boolean =>
  isInside(item, (up) => up.name === 'ol' && isResultList(up)) &&
  !isInside(item, (up) => isRight(up) || isAround(up)) &&
  !isPager(item) &&
  hasLink(item, (link) => textOf(link) !== '');

const signs = { isPaid: isAdLink, isPlaces: leadsToService('local'), leadsOut };

export const readPage = readerOf({
  readingOf,
  queryOf,
  otherQueryOf,
  hasRecourse,
  totalResultsOf,
  hasNext,
  itemsOf,
  isUnread,
  signs,
});

export const reader = listReader(readPage, judgePage, marketOf);
