/**
 * The last rules of a verdict on a page of web results, the same for every engine that has such pages
 * (Reading 7). An engine's own rules for blocks and for pages that cannot be used come before them.
 */
import type { ParsedPage } from '../model/parsed-page.ts';
import { hasColumnTwice, repeatsRanking } from './copies.ts';
import type { Test } from './dom.ts';
import type { PageFetch } from './engine-reader.ts';
import { otherCountryOf, type PageMarket } from './market.ts';
import type { Page } from './page.ts';
import { hasOrganic, isDecoyPage, showsOtherHost } from './results.ts';
import { isTorn } from './torn.ts';
import type { Rule } from './verdict.ts';

type WebCase = { page: Page; parsed: ParsedPage; fetch: PageFetch };

/** What an engine's page says about the request that it answers. */
type RequestSigns = {
  isForOtherQuery: (page: Page, parsed: ParsedPage, fetch: PageFetch) => boolean;
  isForOtherRequest: (page: Page, fetch: PageFetch) => boolean;
  marketOf: (page: Page) => PageMarket;
};

/** Rules for pages that say of themselves that they answer another request. */
export const requestRules = ({
  isForOtherQuery,
  isForOtherRequest,
  marketOf,
}: RequestSigns): Rule<WebCase>[] => [
  ['decoy', (c) => isForOtherQuery(c.page, c.parsed, c.fetch)],
  ['unknown_layout', (c) => isForOtherRequest(c.page, c.fetch)],
  ['decoy', (c) => otherCountryOf(marketOf(c.page), c.fetch.market) !== undefined],
];

/** What an engine's page says about its results. */
type ResultSigns<Case> = {
  /** The page is not from the time of the request. */
  isStored: (page: Page, fetch: PageFetch) => boolean;
  /** An element with the results of a page, and a result in it. */
  isColumn: Test;
  isResult: Test;
  /** Results of the page were not read, or are not there. */
  hasLostResults: (page: Page, parsed: ParsedPage) => boolean;
  /** The page itself says so. */
  saysNothingFound: (c: Case) => boolean;
  /** All times of the page are near the fetch time. Null if it has none. */
  isFresh: (page: Page, fetch: PageFetch) => boolean | null;
};

/**
 * Rules for pages with results, then for those without: the page must say so itself, and it must have a
 * recent time, because stored pages say so for any words. A page of results from the engine itself may have
 * no time, but not an old one.
 */
export const resultRules = <Case extends WebCase>({
  isStored,
  isColumn,
  isResult,
  hasLostResults,
  saysNothingFound,
  isFresh,
}: ResultSigns<Case>): Rule<Case>[] => [
  ['soft_block', (c) => hasOrganic(c.parsed) && !c.fetch.isReplay && isStored(c.page, c.fetch)],
  ['decoy', (c) => isDecoyPage(c.parsed, c.fetch)],
  ['unknown_layout', (c) => showsOtherHost(c.parsed)],
  // The page, or the results of it, stand twice.
  ['unknown_layout', (c) => repeatsRanking(c.parsed.left) || hasColumnTwice(c.page, isColumn, isResult)],
  ['unknown_layout', (c) => hasOrganic(c.parsed) && (isTorn(c.page) || hasLostResults(c.page, c.parsed))],
  ['results', (c) => hasOrganic(c.parsed)],
  ['soft_block', (c) => saysNothingFound(c) && isFresh(c.page, c.fetch) !== true],
  ['empty', saysNothingFound],
];
