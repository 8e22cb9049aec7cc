/**
 * What a page says of itself: the query, the page and the tab that it is for. Compared with the request, it shows whether the page answers
 * this search (Reading 7). A sign that a page lacks is not judged, because no layout has all of them.
 */

import { type Element, isTag } from 'domhandler';
import { getDomain } from 'tldts';
import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/result.ts';
import { ancestors, elementsOf, find, has, isInside, isNamed, type Test, textOf } from '../dom.ts';
import type { PageFetch } from '../engine.ts';
import { hostOf, shownHost } from '../host.ts';
import { isSameQuery, normalized } from '../own-search.ts';
import type { Page } from '../page.ts';
import { isCloseVariant } from '../relevance.ts';
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

const { resultsPerPage } = engines.bing;

const titleOf = (page: Page): string => {
  const title = find(page.root, (element) => element.name === 'title' && !isInside(element, isNamed('svg')));
  return title ? textOf(title) : '';
};

/** Whether a text that may be absent contains the query, as the title of a page does. */
const isForQuery = (text: string, query: string): boolean =>
  text === '' || normalized(text).includes(normalized(query));

/**
 * Whether the search box, the title or the links to other pages name another query than the one asked. The links may name a correction of
 * the query, so one of box and title must agree.
 */
export const isForOtherQuery = (page: Page, { left }: ParsedPage, { query }: PageFetch): boolean => {
  if (query === '') return false;
  const [box, title] = [queryOf(page), titleOf(page)];
  if (box !== '' && !isSameQuery(box, query)) return true;
  if (!isForQuery(title, query)) return true;
  const known = [query, ...left.filter(({ type }) => type === 'spelling').map((item) => item.title)];
  const others = searchedIn(page).filter((searched) => !known.some((one) => isSameQuery(one, searched)));
  return (
    new Set(searchedIn(page).map(normalized)).size > 1 ||
    others.some((other) => (box === '' && title === '') || !isCloseVariant(query, other))
  );
};

/** Whether the final URL is another host, path, query or page of the engine than the one asked. Empty if it is unknown. */
const isAtOtherAddress = ({ url, query, page, isReplay }: PageFetch): boolean => {
  const final = url === '' || isReplay ? null : URL.parse(url);
  if (!final) return false;
  const { searchParams } = final;
  const [asked, first] = [searchParams.get('q'), searchParams.get('first')];
  return (
    !isEngineHost(final.hostname) ||
    final.pathname !== '/search' ||
    (asked !== null && query !== '' && !isSameQuery(asked, query)) ||
    (first !== null && page !== undefined && Number(first) !== 10 * (page - 1) + 1)
  );
};

/**
 * Whether the page is the first one although a later one was asked, as Bing answers after the last page, or the other way round. The first
 * page has at most ten results, so a link leads to result 11 or to an earlier one.
 */
const isOtherPage = (page: Page, { page: asked }: PageFetch): boolean => {
  const own = ownNumberOf(page);
  if (asked === undefined) return false;
  if (own !== null) return (own === 1) !== (asked === 1);
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

/** Whether the page says that it is another page of the engine than the one asked. */
export const isForOtherRequest = (page: Page, fetch: PageFetch): boolean =>
  isAtOtherAddress(fetch) || isOtherPage(page, fetch) || isOtherTab(page);

/** An empty box: neither text nor links. */
const isEmptyBox: Test = (element) =>
  element.name === 'div' && textOf(element) === '' && !has(element, isNamed('a'));

/** Whether a list of results ends with an empty box, into which the page loads further results when the user scrolls, as on mobile pages. */
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
 * Whether the part after the results is there: the row of page numbers, the footer, or the box for further results and something behind it. A
 * page that was cut and then closed has none of them.
 */
export const hasEnd = (page: Page): boolean =>
  pageEntriesOf(page).length > 0 ||
  has(page.root, isFooter) ||
  (has(page.root, endsWithBox) && isFollowed(page));

const isFooter = (element: Element): boolean =>
  element.name === 'footer' || element.attribs.id === 'b_footer';

/** Whether a web result shows another site than the one that it links to. */
export const showsOtherHost = ({ left }: ParsedPage): boolean =>
  left.some(({ type, url, url_resolution, breadcrumb }) => {
    if (type !== 'organic' || url_resolution === 'opaque') return false;
    const [host, shown] = [hostOf(url), shownHost(breadcrumb)];
    return shown !== '' && host !== shown && getDomain(host) !== getDomain(shown);
  });

/** The time in the reference of a page that found nothing, and in the id of the page. The id of some pages begins with other digits. */
const shownTime = /\bRef C: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/;
const eventTime = /\bEventID:"([0-9a-f]{8})/;

/** A page whose own time differs more than this from the fetch time was not generated for this fetch. */
const freshForSeconds = 48 * 3600;

/** Since this time the id of a page begins with its time. Before, it is a random number. */
const idsWithTimeSince = Date.UTC(2022, 8, 1) / 1000;

/** An id of a time so far after the fetch is a random number. */
const latestTime = 2 * 365 * 86_400;

/** A saved page with results may be so much older than its recorded day. */
const recordedAfterSeconds = 7 * 86_400;

/** The time of the page's cookie test, in milliseconds. Most pages until 2025 have it, also those whose id is a random number. */
const cookieTime = /"currentEpoch":"(\d{10})\d{3}"/;

/** The time in the id of the page, if the id has one. */
const timeInId = ({ html }: Page, fetchedAt: number): number[] => {
  const time = Number.parseInt(eventTime.exec(html)?.[1] ?? '', 16);
  return time >= idsWithTimeSince && time <= fetchedAt + latestTime ? [time] : [];
};

/** Whether one of the page's own times is far from the fetch time. */
export const isStored = (page: Page, { fetchedAt, isTimed }: PageFetch): boolean => {
  const limit = isTimed ? freshForSeconds : recordedAfterSeconds;
  const cookie = cookieTime.exec(page.html)?.[1];
  const times = [...timeInId(page, fetchedAt), ...(cookie ? [Number(cookie)] : [])];
  return times.some((time) => Math.abs(time - fetchedAt) > limit);
};

/** Whether the page's own time is near the fetch time. */
export const isFresh = ({ html }: Page, { fetchedAt }: PageFetch): boolean => {
  const [, shown] = shownTime.exec(html) ?? [];
  const [, event] = eventTime.exec(html) ?? [];
  const times = [
    ...(shown ? [Date.parse(shown) / 1000] : []),
    ...(event ? [Number.parseInt(event, 16)] : []),
  ];
  return times.some((time) => Math.abs(time - fetchedAt) <= freshForSeconds);
};
