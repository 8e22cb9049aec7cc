/** What a fetched Google page is, before anyone takes its results for a ranking (Reading 7). */
import type { ParsedPage, Verdict } from '../../model/result.ts';
import type { PageFetch } from '../engine.ts';
import type { Page } from '../page.ts';
import {
  firstVerdict,
  hasOrganic,
  isDecoyPage,
  isError,
  isFresh,
  isRefusal,
  isWhole,
  type Rule,
} from '../verdict.ts';
import { type BlockSigns, readBlockSigns } from './block-signs.ts';
import { saysNothingFound, stampOf } from './nothing-found.ts';

type Case = { page: Page; parsed: ParsedPage; fetch: PageFetch; signs: BlockSigns };

/** Whether the page has none of the columns of a result page, and no organic result was read from it. */
const isNotResultPage = (c: Case): boolean => !c.signs.column && !hasOrganic(c.parsed);

const finalUrl = ({ fetch }: Case): URL | null => URL.parse(fetch.url);

const pathOf = (c: Case): string => finalUrl(c)?.pathname ?? '';

/**
 * The first row that holds is the verdict; a page that no row knows is `unknown_layout`. Blocks come first: a block page is a page of its own,
 * and what looks like a result on it counts for nothing. Then what makes any page unusable. Then results; and "nothing found" last, which the page has to
 * say itself, and of late, since canned pages say it for any words. A stamp is asked of those only: the words of a result page speak for it.
 */
const rules: Rule<Case>[] = [
  ['captcha', (c) => c.signs.captcha || pathOf(c).startsWith('/sorry/')],
  ['captcha', (c) => isNotResultPage(c) && c.signs.sorry],
  ['script_wall', (c) => pathOf(c).startsWith('/httpservice/retry/')],
  ['consent', (c) => finalUrl(c)?.hostname.startsWith('consent.') === true],
  ['consent', (c) => isNotResultPage(c) && c.signs.consent],
  // The retry link alone proves nothing: result pages carry it too. Nor does a shell without scripts wall anything: no browser gets past it.
  ['script_wall', (c) => isNotResultPage(c) && c.signs.retry && c.signs.scripts],
  ['soft_block', (c) => isNotResultPage(c) && (c.signs.retry || c.signs.robotHelp)],
  ['soft_block', (c) => isRefusal(c.fetch)],
  ['unknown_layout', (c) => isError(c.fetch) || !isWhole(c.page.html)],
  ['unknown_layout', (c) => !c.signs.searchForm && !c.signs.column],
  ['decoy', (c) => isDecoyPage(c.parsed, c.fetch)],
  ['results', (c) => hasOrganic(c.parsed)],
  ['soft_block', (c) => saysNothingFound(c.page, c.fetch.query) && !isFresh(stampOf(c.page), c.fetch)],
  ['empty', (c) => saysNothingFound(c.page, c.fetch.query)],
];

/** Only `results` and `empty` may become a result. Judges by structure and attributes, never by the page's words, size or file. */
export const judgePage = (page: Page, parsed: ParsedPage, fetch: PageFetch): Verdict =>
  firstVerdict(rules, { page, parsed, fetch, signs: readBlockSigns(page) });
