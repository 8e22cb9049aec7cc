/** Reads a Bing result page, and converts it to result items. */

import type { Element } from 'domhandler';
import type { UnreadBlock } from '../../model/result.ts';
import { hasClass, isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { listReader, readerOf } from '../list/reader.ts';
import type { Page } from '../page.ts';
import { describeBlock } from '../unread-block.ts';
import type { Reading } from '../walker.ts';
import { isRight, itemsOf, partsOf } from './elements.ts';
import { isAdLink, leadsOut, searchParameters } from './link.ts';
import { isMapLink } from './local-pack.ts';
import { readingOf } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasNext, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** A message, such as that results were removed. */
const isMessage = hasClass('b_msg');

const isUnread = (item: Element, { claimed }: Reading): boolean =>
  !claimed.has(item) &&
  !isMessage(item) &&
  !isInside(item, isRight) &&
  partsOf(item).links.some((link) => !searchParameters(link)?.has('first')) &&
  textOf(item) !== '';

const signs = { isPaid: isAdLink, isPlaces: isMapLink, leadsOut };

/** The items of the main column that contain text and links out of the row of page numbers, but no claim. */
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
