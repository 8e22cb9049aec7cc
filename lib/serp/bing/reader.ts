/** Reads a Bing result page, and converts it to result items. */

import type { Element } from 'domhandler';
import { isInside } from '../dom.ts';
import { textOf } from '../lines.ts';
import { listReader, readerOf } from '../list/reader.ts';
import { isMessage, isRight, itemsOf, partsOf } from './elements.ts';
import { isAdLink, leadsOut, searchParameters } from './link.ts';
import { isMapLink } from './local-pack.ts';
import { readingOf } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasNext, hasRecourse, otherQueryOf, queryOf, totalResultsOf } from './page-facts.ts';
import { judgePage } from './verdict.ts';

/** An item that contains text and links out of the row of page numbers. */
const isUnread = (item: Element): boolean =>
  !isMessage(item) &&
  !isInside(item, isRight) &&
  partsOf(item).links.some((link) => !searchParameters(link)?.has('first')) &&
  textOf(item) !== '';

const signs = { isPaid: isAdLink, isPlaces: isMapLink, leadsOut };

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
