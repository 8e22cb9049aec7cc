/** Reads a Yahoo result page, and converts it to result items. */

import type { Element } from 'domhandler';
import type { UnreadBlock } from '../../model/result.ts';
import { isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { listReader, readerOf } from '../list/reader.ts';
import type { Page } from '../page.ts';
import { describeBlock } from '../unread-block.ts';
import type { Reading } from '../walker.ts';
import { hasLink, isAround, isResultList, isRight, itemsOf } from './elements.ts';
import { isAdLink, leadsOut, leadsToService } from './link.ts';
import { readingOf } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasNext, isPager, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** Templates of terms have links without text. */
const isUnread = (item: Element, { claimed }: Reading): boolean =>
  !claimed.has(item) &&
  isInside(item, (up) => up.name === 'ol' && isResultList(up)) &&
  !isInside(item, (up) => isRight(up) || isAround(up)) &&
  !isPager(item) &&
  hasLink(item, (link) => textOf(link) !== '');

const signs = { isPaid: isAdLink, isPlaces: leadsToService('local'), leadsOut };

/** The items in the lists of web results with links, but no claim. */
const unreadBlocks = (page: Page, reading: Reading): UnreadBlock[] =>
  itemsOf(page)
    .filter((item) => isUnread(item, reading))
    .map((item) => describeBlock(item, signs, reading));

export const readPage = readerOf({
  readingOf,
  queryOf,
  otherQueryOf,
  totalResultsOf,
  hasNext,
  unreadBlocks,
});

export const reader = listReader(readPage, judgePage, marketOf);
