/**
 * What a page says of itself: the query, the page and the time that it is for. Compared with the request, it shows whether the page answers
 * this search (Reading 7). A sign that a page lacks is not judged, because no layout has all of them.
 */
import { engines } from '../../model/engine.ts';
import type { ParsedPage } from '../../model/result.ts';
import { find, findAll, isInside, isNamed, once, textOf } from '../dom.ts';
import type { PageFetch } from '../engine.ts';
import { hostOf, shownHost } from '../host.ts';
import { isSameQuery, normalized } from '../own-search.ts';
import type { Page } from '../page.ts';
import { isLink, isSameSite } from './elements.ts';
import { isEngineHost } from './link.ts';
import { ownNumberOf, pageEntriesOf, queryOf } from './page-facts.ts';

const { resultsPerPage } = engines.yahoo;

const titleOf = (page: Page): string => {
  const title = find(page.root, (element) => element.name === 'title' && !isInside(element, isNamed('svg')));
  return title ? textOf(title) : '';
};

/** Whether a text that may be absent contains the query, as the title of a page does. */
const isForQuery = (text: string, query: string): boolean =>
  text === '' || normalized(text).includes(normalized(query));

/**
 * Whether the search box, the title or the links to other pages name another query than the one asked. The links may name the query with a
 * corrected spelling, so one of box and title must agree.
 */
export const isForOtherQuery = (page: Page, { query }: PageFetch): boolean => {
  if (query === '') return false;
  const [box, title] = [queryOf(page), titleOf(page)];
  if (box !== '' && !isSameQuery(box, query)) return true;
  if (!isForQuery(title, query)) return true;
  const searched = new Set(
    pageEntriesOf(page).flatMap((entry) => (entry.query ? [normalized(entry.query)] : [])),
  );
  return (
    searched.size > 1 ||
    (box === '' && title === '' && searched.size === 1 && !searched.has(normalized(query)))
  );
};

/** Whether the final URL is another host, path, query or page of the engine than the one asked. Empty if it is unknown. */
const isAtOtherAddress = ({ url, query, page, isReplay }: PageFetch): boolean => {
  const final = url === '' || isReplay ? null : URL.parse(url);
  if (!final) return false;
  const { searchParams } = final;
  const [asked, first] = [searchParams.get('p'), searchParams.get('b')];
  return (
    !isEngineHost(final.hostname) ||
    !/^\/search(?:;|$)/.test(final.pathname) ||
    (asked !== null && query !== '' && !isSameQuery(asked, query)) ||
    (first !== null && page !== undefined && Number(first) !== resultsPerPage * (page - 1) + 1)
  );
};

/** Whether the page is the first one although a later one was asked, or the other way round. */
const isOtherPage = (page: Page, { page: asked }: PageFetch): boolean => {
  const own = ownNumberOf(page);
  return asked !== undefined && own !== null && (own === 1) !== (asked === 1);
};

/** Whether the page says that it is another page of the engine than the one asked. */
export const isForOtherRequest = (page: Page, fetch: PageFetch): boolean =>
  isAtOtherAddress(fetch) || isOtherPage(page, fetch);

/** Whether a web result shows another site than the one that it links to. */
export const showsOtherHost = ({ left }: ParsedPage): boolean =>
  left.some(
    ({ type, url, url_resolution, breadcrumb }) =>
      type === 'organic' &&
      url_resolution !== 'opaque' &&
      hostOf(url) !== '' &&
      shownHost(breadcrumb) !== '' &&
      !isSameSite(url, breadcrumb),
  );

/** The token in the page's own links: Base64 with `.`, `_` and `-`, in which bytes 5 to 8 are a time in seconds, the lowest byte first. */
const token = /[;?&/]_ylt=([\w.-]{14,})/;

const timeIn = (href: string): number | undefined => {
  const [, text = ''] = token.exec(href) ?? [];
  if (text === '') return undefined;
  const bytes = Buffer.from(text.replaceAll('.', '+').replaceAll('-', '=').slice(0, 16), 'base64url');
  return bytes.length >= 9 ? bytes.readUInt32LE(5) : undefined;
};

/** The times in the links of the page, each once. */
const timesOf = once((page: Page): Set<number> => {
  const times = new Set<number>();
  for (const link of findAll(page.root, isLink)) {
    const time = timeIn(link.attribs.href ?? '');
    if (time !== undefined) times.add(time);
  }
  return times;
});

/** A page whose own time differs more than this from the fetch time was not generated for this fetch. */
const freshForSeconds = 48 * 3600;

/**
 * Whether the page's own time is near the fetch time; null if the page shows none. Links of one page have the same time, so tokens with
 * different times have another form.
 */
export const isFresh = (page: Page, { fetchedAt }: PageFetch): boolean | null => {
  const times = [...timesOf(page)].sort((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || last - first > freshForSeconds) return null;
  return times.every((time) => Math.abs(time - fetchedAt) <= freshForSeconds);
};
