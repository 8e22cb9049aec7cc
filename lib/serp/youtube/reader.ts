/**
 * Reads a YouTube result page, of a desktop or a phone, or an answer of the engine's search interface, and
 * converts it to result items.
 */

import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/parsed-page.ts';
import type { EngineReader, NextPage } from '../engine-reader.ts';
import { isSameQuery } from '../query.ts';
import { readWithin } from '../steps.ts';
import { isRanked } from './components.ts';
import { readData as findData } from './data.ts';
import { marketOf } from './market.ts';
import { ownWordsOf } from './own-words.ts';
import { type Reading, readData } from './reading.ts';
import { sites } from './site.ts';
import { judgePage, type Page } from './verdict.ts';

/**
 * Saved real pages have at most 12,000 objects and lists. A page that has far more is made to keep the reader
 * busy.
 */
const maxSteps = 100_000;

/** The reading of a page without data. */
const nothing: Reading = {
  left: [],
  right: [],
  unread_blocks: [],
  unread: [],
  mayRank: [],
  message: false,
  corrected: '',
  queries: new Set(),
  tokens: [],
  trackingTokens: [],
};

const noWords = ownWordsOf({}, nothing);

export const openPage = (body: string): Page => {
  const data = findData(body);
  const read = readWithin(maxSteps, () => {
    const reading = readData(data ?? {});
    return { reading, ownWords: ownWordsOf(data ?? {}, reading) };
  });
  return { body, data, isRead: read !== undefined, ...(read ?? { reading: nothing, ownWords: noWords }) };
};

/**
 * Reads the content of a page. Never throws, whatever the body. There is no `total_results`: the data has an
 * estimate, but the page does not show it. A page that cannot load more is the last one, unless it is full:
 * then it may have changed the form of its link.
 */
export const readPage = ({ isRead, reading, ownWords: { asked, searched } }: Page): ParsedPage => {
  const isFull = reading.left.filter(isRanked).length >= engines.youtube.resultsPerPage;
  return {
    left: reading.left,
    right: reading.right,
    total_results: '',
    search_time: null,
    query: asked || searched,
    ...(asked !== '' && searched !== '' && !isSameQuery(asked, searched) && { searched }),
    has_next: isFull || reading.tokens.length > 0,
    unread_blocks: reading.unread_blocks,
    ...(!isRead && { unread: true }),
  };
};

/** Without the name and the version of its script, a page has no valid request for the next one. */
const nextPage = ({ ownWords: { nextToken, client } }: Page): NextPage | undefined =>
  nextToken && client.name && client.version ? { token: nextToken, client } : undefined;

export const reader: EngineReader = {
  open: (body) => {
    const page = openPage(body);
    return {
      read: () => readPage(page),
      judge: (parsed, fetch) => judgePage(page, parsed, fetch),
      market: () => marketOf(page.body),
      next: () => nextPage(page),
    };
  },
  hiddenLinks: { of: () => [], readLocation: () => null },
  sites,
};
