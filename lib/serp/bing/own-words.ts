/**
 * What a page says of itself: the query, the page and the tab that it is for. Compared with the request, it
 * shows whether the page answers this search (Reading 7). A sign that a page lacks is not judged, because no
 * layout has all of them.
 */

import { type Element, isTag } from 'domhandler';
import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { ancestors, find, has, isInside, isNamed, type Test } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import { latestTime, namesOtherQuery } from '../list/own-words.ts';
import { freshForSeconds, isAtOtherAddress, isFromEngine } from '../own-words.ts';
import type { Page } from '../page.ts';
import { elementsOf } from '../page-cache.ts';
import { inScripts } from '../scripts.ts';
import { address } from './address.ts';
import { isEngineHost, ownPageOf } from './link.ts';
import {
  isBox,
  isPager,
  isResultColumn,
  ownNumberOf,
  pageEntriesOf,
  queryOf,
  searchedIn,
} from './page-facts.ts';
import { isForOtherDevice } from './page-layout.ts';

const { resultsPerPage } = engines.bing;

/** Whether the page names another query than the one asked. */
export const isForOtherQuery = (page: Page, parsed: ParsedPage, fetch: PageFetch): boolean =>
  namesOtherQuery(page, { box: queryOf(page), searched: searchedIn(page) }, parsed, fetch);

const searchAddress = {
  isSearch: (url: URL) => isEngineHost(url.hostname) && url.pathname === '/search',
  names: { query: 'q', first: 'first' },
  firstOf: (page: number) => 10 * (page - 1) + 1,
};

/**
 * Whether the page is an earlier one than the one asked, as Bing answers after the last page, or a later one
 * although the first was asked. A page has at most ten results. So those from 10n + 1 on are on no page
 * before n + 1, and a link of the first page leads to result 11 or to an earlier one.
 */
const isOtherPage = (page: Page, { page: asked }: PageFetch): boolean => {
  const own = ownNumberOf(page);
  if (asked === undefined) return false;
  if (own !== null) return own < asked || (asked === 1 && own > 1);
  const firsts = pageEntriesOf(page).flatMap(({ first }) => first ?? []);
  return asked === 1 && firsts.length > 0 && Math.min(...firsts) > resultsPerPage + 1;
};

const pathOf = (form: Element): string =>
  URL.parse(form.attribs.action ?? '', address.origin)?.pathname ?? '';

const leadsToOtherTab = (link: Element): boolean => {
  const own = ownPageOf(link);
  return own?.searchParams.has('first') === true && own.pathname !== '/search';
};

/** Whether the search form or the row of page numbers leads to another tab, such as pictures. */
const isOtherTab = (page: Page): boolean => {
  const box = find(page.root, isBox);
  const form = box && ancestors(box).find(isNamed('form'));
  if (form && !/^\/(?:search)?$/.test(pathOf(form))) return true;
  return (
    has(page.root, (element) => isPager(element) && has(element, leadsToOtherTab)) &&
    pageEntriesOf(page).length === 0
  );
};

/** Whether the page says that it is another page or layout of the engine than the one asked. */
export const isForOtherRequest = (page: Page, fetch: PageFetch): boolean =>
  isAtOtherAddress(fetch, searchAddress) ||
  isOtherPage(page, fetch) ||
  isOtherTab(page) ||
  isForOtherDevice(page, fetch);

/** An empty box: neither text nor links. */
const isEmptyBox: Test = (element) =>
  element.name === 'div' && textOf(element) === '' && !has(element, isNamed('a'));

/**
 * Whether a list of results ends with an empty box, into which the page loads further results when the user
 * scrolls, as on mobile pages.
 */
const endsWithBox: Test = (element) => {
  const last = isResultColumn(element) ? element.children.findLast(isTag) : undefined;
  return last !== undefined && isEmptyBox(last);
};

/** Whether anything follows the list of results. */
const isFollowed = ({ root }: Page): boolean => {
  const last = elementsOf(root).at(-1);
  return last !== undefined && !isInside(last, isResultColumn);
};

/**
 * Whether the part after the results is there: the row of page numbers, the footer, or the box for further
 * results and something behind it. A page that was cut and then closed has none of them.
 */
export const hasEnd = (page: Page): boolean =>
  pageEntriesOf(page).length > 0 ||
  has(page.root, isFooter) ||
  (has(page.root, endsWithBox) && isFollowed(page));

const isFooter = (element: Element): boolean =>
  element.name === 'footer' || element.attribs.id === 'b_footer';

/**
 * The time in the reference of a page that found nothing, and in the id of the page. The id of some pages
 * begins with other digits.
 */
const shownTime = /\bRef C: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/;
const eventTime = /\bEventID:"([0-9a-f]{8})/;

/** Since this time the id of a page begins with its time. Before, it is a random number. */
const idsWithTimeSince = Date.UTC(2022, 8, 1) / 1000;

/** A saved page with results may be so much older than its recorded day. */
const recordedAfterSeconds = 7 * 86_400;

/**
 * The time of the page's cookie test, in milliseconds. Most pages until 2025 have it, also those whose id is
 * a random number.
 */
const cookieTime = /"currentEpoch":"(\d{10})\d{3}"/;

/** The time in the id of the page, if the id has one. */
const timeInId = (page: Page, fetchedAt: number): number[] => {
  const time = Number.parseInt(inScripts(page, eventTime)?.[1] ?? '', 16);
  return time >= idsWithTimeSince && time <= fetchedAt + latestTime ? [time] : [];
};

/**
 * Whether the page was stored before this fetch: one of its times is far from that of the fetch, or it has
 * none and did not come from the engine itself.
 */
export const isStored = (page: Page, fetch: PageFetch): boolean => {
  const { fetchedAt, isTimed } = fetch;
  const limit = isTimed ? freshForSeconds : recordedAfterSeconds;
  const cookie = inScripts(page, cookieTime)?.[1];
  const times = [...timeInId(page, fetchedAt), ...(cookie ? [Number(cookie)] : [])];
  if (times.length === 0) return !isFromEngine(fetch) && !isFresh(page, fetch);
  return times.some((time) => Math.abs(time - fetchedAt) > limit);
};

/** Whether the page's own time is near the fetch time. */
export const isFresh = (page: Page, { fetchedAt }: PageFetch): boolean => {
  const [, shown] = shownTime.exec(page.html) ?? [];
  const [, event] = inScripts(page, eventTime) ?? [];
  const times = [
    ...(shown ? [Date.parse(shown) / 1000] : []),
    ...(event ? [Number.parseInt(event, 16)] : []),
  ];
  return times.some((time) => Math.abs(time - fetchedAt) <= freshForSeconds);
};
