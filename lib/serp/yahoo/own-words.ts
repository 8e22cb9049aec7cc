/**
 * What a page says of itself: the query, the page and the time that it is for. Compared with the request, it
 * shows whether the page answers this search (Reading 7). A sign that a page lacks is not judged, because no
 * layout has all of them.
 */

import type { Element } from 'domhandler';
import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { ancestors, find, findAll, has, isInside, isLink, isNamed } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import { latestTime, namesOtherQuery } from '../list/own-words.ts';
import { freshForSeconds, isAtOtherAddress, isFromEngine } from '../own-words.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { isItem } from './elements.ts';
import { isWebHost, ownPageOf, parse } from './link.ts';
import { isBox, isPaging, ownNumberOf, pageEntriesOf, queryOf, searchedIn } from './page-facts.ts';

const { resultsPerPage } = engines.yahoo;

/** Whether the page names another query than the one asked. */
export const isForOtherQuery = (page: Page, parsed: ParsedPage, fetch: PageFetch): boolean =>
  namesOtherQuery(page, { box: queryOf(page), searched: searchedIn(page) }, parsed, fetch);

const searchAddress = {
  isSearch: (url: URL) => isWebHost(url.hostname) && /^\/search(?:;|$)/.test(url.pathname),
  names: { query: 'p', first: 'b' },
  firstOf: (page: number) => resultsPerPage * (page - 1) + 1,
};

/** No page has more results. Until 2022 a page had ten. */
const mostOnPage = 10;

/** The number of the first page that can have a result. */
const pageOf = (result: number): number => Math.ceil(result / mostOnPage);

/**
 * Whether the page is one before the first result of the one asked, or the first one although a later one was
 * asked, or the other way round. The first page has links to the second, which begins with result 11 at the
 * latest.
 */
const isOtherPage = (page: Page, { page: asked }: PageFetch): boolean => {
  const own = ownNumberOf(page);
  if (asked === undefined) return false;
  if (own !== null) return (own === 1) !== (asked === 1) || own < pageOf(searchAddress.firstOf(asked));
  const firsts = pageEntriesOf(page).map(({ first }) => first);
  return asked === 1 && firsts.length > 0 && Math.min(...firsts) > mostOnPage + 1;
};

const leadsToWebSearch = (form: Element): boolean => {
  const url = parse(form.attribs.action ?? '');
  return url !== null && isWebHost(url.hostname) && /^\/(?:search)?(?:;|$)/.test(url.pathname);
};

const isOtherPageLink = (link: Element): boolean => {
  const url = isLink(link) ? ownPageOf(link) : undefined;
  return (
    url?.parameters.has('b') === true &&
    (!isWebHost(url.hostname) || url.pathname !== '/search') &&
    isPaging(url.parameters, textOf(link)) &&
    isInside(link, isItem)
  );
};

/** Whether the search form or the row of page numbers leads to another tab, such as pictures. */
const isOtherTab = (page: Page): boolean => {
  const box = find(page.root, isBox);
  const form = box && ancestors(box).find(isNamed('form'));
  if (form && !leadsToWebSearch(form)) return true;
  return pageEntriesOf(page).length === 0 && has(page.root, isOtherPageLink);
};

/** Whether the page says that it is another page of the engine than the one asked. */
export const isForOtherRequest = (page: Page, fetch: PageFetch): boolean =>
  isAtOtherAddress(fetch, searchAddress) || isOtherPage(page, fetch) || isOtherTab(page);

/**
 * Whether the part after the results is there: the row of page numbers, or the footer. A page that was cut
 * and then closed has neither.
 */
export const hasEnd = (page: Page): boolean => pageEntriesOf(page).length > 0 || has(page.root, isFooter);

const isFooter = (element: Element): boolean => element.name === 'footer' || element.attribs.id === 'ft';

/**
 * The token in the page's own links: Base64 with `.`, `_` and `-`, in which bytes 5 to 8 are a time in
 * seconds, the lowest byte first.
 */
const token = /[;?&/]_ylt=([\w.-]{14,})/;

const timeIn = (href: string): number | undefined => {
  const [, text = ''] = token.exec(href) ?? [];
  if (text === '') return undefined;
  const bytes = Buffer.from(text.replaceAll('.', '+').replaceAll('-', '=').slice(0, 16), 'base64url');
  return bytes.length >= 9 ? bytes.readUInt32LE(5) : undefined;
};

/** The times in the links of the page, and how many links have each. */
const timesOf = once((page: Page): Map<number, number> => {
  const times = new Map<number, number>();
  for (const link of findAll(page.root, isLink)) {
    const time = timeIn(link.attribs.href ?? '');
    if (time !== undefined) times.set(time, (times.get(time) ?? 0) + 1);
  }
  return times;
});

/** A time before this is a part of a token of another form. */
const tokensSince = Date.UTC(2015, 0, 1) / 1000;

/** The time of more than half of the links. */
const mainTimeOf = (page: Page): number | undefined => {
  const times = [...timesOf(page)];
  const links = times.reduce((sum, [, count]) => sum + count, 0);
  return times.find(([, count]) => 2 * count > links)?.[0];
};

/**
 * Whether the page was stored before this fetch: its time is far from that of the fetch, or it has none and
 * did not come from the engine itself.
 */
export const isStored = (page: Page, fetch: PageFetch): boolean =>
  !(isFresh(page, fetch) ?? isFromEngine(fetch));

/**
 * Whether the page's own time is near the fetch time; null if the page shows none. Links of one page have the
 * same time, so tokens with different times have another form, unless most of them have the same.
 */
export const isFresh = (page: Page, { fetchedAt }: PageFetch): boolean | null => {
  const main = mainTimeOf(page);
  const times = [...timesOf(page).keys()].sort((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (last - first > freshForSeconds) {
    if (main === undefined || main < tokensSince || main > fetchedAt + latestTime) return null;
    return Math.abs(main - fetchedAt) <= freshForSeconds;
  }
  return times.every((time) => Math.abs(time - fetchedAt) <= freshForSeconds);
};
