/** Judges a fetched Google page before its results are used as a ranking (Reading 7). */

import type { ParsedPage, Verdict } from '../../model/parsed-page.ts';
import { has, hasId, type Test } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import { isChallenge, isProxyError } from '../gateways.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { hasOrganic } from '../results.ts';
import { readWithin } from '../steps.ts';
import { firstVerdict, isError, isRefusal, isWhole, namesRefusal, type Rule } from '../verdict.ts';
import { requestRules, resultRules } from '../web-rules.ts';
import { isAiMode } from './ai-mode.ts';
import { type BlockSigns, isResultColumn, readBlockSigns } from './block-signs.ts';
import { isMobileTitleLink, isTitleLink } from './elements.ts';
import { hasLostResults } from './lost-results.ts';
import { marketOf } from './market.ts';
import { isForeignLink, saysNothingFound } from './nothing-found.ts';
import { hasFoot, isForOtherQuery, isForOtherRequest, isFresh, isStored, ownWordsOf } from './own-words.ts';

type Case = { page: Page; parsed: ParsedPage; fetch: PageFetch; signs: BlockSigns };

/**
 * Whether the page has none of the columns of a result page and no links to other pages or tabs of the
 * search, and no organic result was read from it. A result page whose columns have changed has the links.
 */
const isNotResultPage = (c: Case): boolean =>
  !c.signs.column && !hasOrganic(c.parsed) && !ownWordsOf(c.page).navigation;

/**
 * Whether the page shows nothing that may be a result: no column has a text, no link leads out, and none
 * leads to another page of results.
 */
const showsNoResults = ({ page, parsed }: Case): boolean =>
  !hasOrganic(parsed) &&
  !ownWordsOf(page).starts.some((start) => start > 0) &&
  !has(page.root, (element) => isForeignLink(element) || (isResultColumn(element) && textOf(element) !== ''));

/**
 * Whether the page leaves all to its scripts. Some walls have the header of a result page with its tabs, or
 * empty columns.
 */
const isWall = (c: Case): boolean =>
  showsNoResults(c) &&
  (c.signs.retry
    ? !saysNothingFound(c.page, c.parsed, c.fetch.query)
    : !c.signs.searchForm && !c.signs.column && textOf(c.page.root) === '');

const isTitle: Test = (element) => isTitleLink(element) || isMobileTitleLink(element);

const finalUrl = ({ fetch }: Case): URL | null => URL.parse(fetch.url);

const pathOf = (c: Case): string => finalUrl(c)?.pathname ?? '';

/**
 * The first rule that holds gives the verdict. If no rule holds, it is `unknown_layout`. First the rules for
 * blocks, because anything on a block page that looks like a result does not count. Then the rules for pages
 * that cannot be used, or that say of themselves that they answer another request. Then results, and
 * "nothing found" last.
 */
const rules: Rule<Case>[] = [
  // A form on a page with results may be that of a browser extension, or send a message to the engine.
  ['captcha', (c) => (!hasOrganic(c.parsed) && c.signs.captcha) || pathOf(c).startsWith('/sorry/')],
  ['captcha', (c) => isNotResultPage(c) && c.signs.sorry],
  ['script_wall', (c) => pathOf(c).startsWith('/httpservice/retry/')],
  ['consent', (c) => finalUrl(c)?.hostname.startsWith('consent.') === true],
  ['consent', (c) => isNotResultPage(c) && c.signs.consent],
  // The retry link alone proves nothing: result pages have it too. A page without scripts is no script wall:
  // no browser gets past it.
  ['script_wall', (c) => isNotResultPage(c) && c.signs.retry && c.signs.scripts],
  ['script_wall', (c) => isNotResultPage(c) && c.signs.sameSearch && c.signs.scripts && !c.signs.searchForm],
  ['script_wall', (c) => c.signs.scripts && isWall(c)],
  // A gateway or a proxy sent the page: the engine has not refused.
  ['script_wall', (c) => !hasOrganic(c.parsed) && isChallenge(c.page)],
  ['unknown_layout', (c) => !hasOrganic(c.parsed) && isProxyError(c.page)],
  ['soft_block', (c) => isNotResultPage(c) && (c.signs.retry || c.signs.robotHelp || namesRefusal(c.page))],
  ['soft_block', (c) => isRefusal(c.fetch)],
  ['unknown_layout', (c) => isError(c.fetch) || !isWhole(c.page.html)],
  ['unknown_layout', (c) => c.parsed.unread === true || isAiMode(c.page)],
  ['unknown_layout', (c) => !c.signs.searchForm && !c.signs.column],
  ...requestRules({ isForOtherQuery, isForOtherRequest, marketOf }),
  ...resultRules<Case>({
    isStored,
    isColumn: hasId('rso'),
    isResult: isTitle,
    hasLostResults: (page, parsed) => !hasFoot(page) || hasLostResults(page, parsed),
    saysNothingFound: (c) => saysNothingFound(c.page, c.parsed, c.fetch.query),
    isFresh,
  }),
];

/** Saved real pages need at most 28,000 steps. */
export const maxSteps = 200_000;

/**
 * Only `results` and `empty` may become a result. Judges by structure and attributes, never by the page's
 * words, size or file name. A page that needs too many steps is `unknown_layout`.
 */
export const judgePage = (page: Page, parsed: ParsedPage, fetch: PageFetch): Verdict =>
  readWithin(maxSteps, () => firstVerdict(rules, { page, parsed, fetch, signs: readBlockSigns(page) })) ??
  'unknown_layout';
