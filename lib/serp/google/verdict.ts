/** What a fetched Google page is, before anyone takes its results for a ranking (Reading 7). */
import type { Device } from '../../model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../../model/result.ts';
import type { Page } from '../page.ts';
import { isDecoy } from '../relevance.ts';
import { type Evidence, readEvidence } from './block-signs.ts';
import { saysNothingFound, stampOf } from './nothing-found.ts';

export type PageFetch = {
  query: string;
  device: Device;
  /** Unix seconds. */
  fetchedAt: number;
  /** HTTP status of the last answer. */
  status: number;
  /** The address after redirects; empty where unknown. */
  url: string;
};

type Case = { page: Page; parsed: ParsedPage; fetch: PageFetch; evidence: Evidence };

/** A page stamped further off its fetch than this was not made for it. */
const freshForSeconds = 48 * 3600;

/** What browsers' extensions and archives add behind a document: short texts and elements, each of them closed. */
const addition = /^(?:[^<]|<!--(?:(?!-->)[\s\S])*-->|<([a-z][\w-]*)\b[^>]*>[^<]*<\/\1\s*>)*$/i;
const longestAddition = 1024;

/** A cut page ends before the document does. The end is found by search, not by pattern: the page may be long and hostile. */
const isWhole = ({ page: { html } }: Case): boolean => {
  const tail = html.slice(-65_536).trimEnd();
  const end = tail.toLowerCase().lastIndexOf('</html');
  if (end < 0 || tail.lastIndexOf('<!--', end) > tail.lastIndexOf('-->', end)) return false;
  const behind = tail.slice(tail.indexOf('>', end) + 1);
  return behind.length <= longestAddition && addition.test(behind);
};

const organics = ({ parsed }: Case) => parsed.left.filter((item) => item.type === 'organic');

const hasResults = (c: Case): boolean => organics(c).length > 0;

/** By the query asked; by what stands in the page's search box only if that is not known, since results fit the box on the page of another search too. */
const isDecoyPage = (c: Case): boolean => {
  const spellings = c.parsed.left.filter((item) => item.type === 'spelling').map((item) => item.title);
  return isDecoy(c.fetch.query || c.parsed.query, spellings, organics(c));
};

/** A page that is something else than a page of results: none of the columns these come in, and nothing read. */
const isPageOfItsOwn = (c: Case): boolean => !c.evidence.column && !hasResults(c);

const finalUrl = ({ fetch }: Case): URL | null => URL.parse(fetch.url);

const pathOf = (c: Case): string => finalUrl(c)?.pathname ?? '';

const isFresh = ({ page, fetch }: Case): boolean => {
  const stamp = stampOf(page);
  return stamp !== null && Math.abs(stamp - fetch.fetchedAt) <= freshForSeconds;
};

/**
 * The first row that holds is the verdict; a page that no row knows is `unknown_layout`. Blocks come first: a block page is a page of its own,
 * and what looks like a result on it counts for nothing. Then what makes any page unusable. Then results; and "nothing found" last, which the page has to
 * say itself, and of late, since canned pages say it for any words. A stamp is asked of those only: the words of a result page speak for it.
 */
const verdicts: [Verdict, (c: Case) => boolean][] = [
  ['captcha', (c) => c.evidence.captcha || pathOf(c).startsWith('/sorry/')],
  ['captcha', (c) => isPageOfItsOwn(c) && c.evidence.sorry],
  ['script_wall', (c) => pathOf(c).startsWith('/httpservice/retry/')],
  ['consent', (c) => finalUrl(c)?.hostname.startsWith('consent.') === true],
  ['consent', (c) => isPageOfItsOwn(c) && c.evidence.consent],
  // The retry link alone proves nothing: result pages carry it too. Nor does a shell without scripts wall anything: no browser gets past it.
  ['script_wall', (c) => isPageOfItsOwn(c) && c.evidence.retry && c.evidence.scripts],
  ['soft_block', (c) => isPageOfItsOwn(c) && (c.evidence.retry || c.evidence.robotHelp)],
  ['soft_block', (c) => [403, 429, 503].includes(c.fetch.status)],
  ['unknown_layout', (c) => c.fetch.status < 200 || c.fetch.status > 299 || !isWhole(c)],
  ['unknown_layout', (c) => !c.evidence.searchForm && !c.evidence.column],
  ['decoy', isDecoyPage],
  ['results', hasResults],
  ['soft_block', (c) => saysNothingFound(c.page, c.fetch.query) && !isFresh(c)],
  ['empty', (c) => saysNothingFound(c.page, c.fetch.query)],
];

/** Only `results` and `empty` may become a result. Goes by structure and attributes: no page is known by its words, size or file. */
export const judgeGooglePage = (page: Page, parsed: ParsedPage, fetch: PageFetch): Verdict => {
  const c = { page, parsed, fetch, evidence: readEvidence(page) };
  return verdicts.find(([, holds]) => holds(c))?.[0] ?? 'unknown_layout';
};
