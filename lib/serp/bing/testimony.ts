/**
 * What a page says of itself: the query, the page and the tab that it is for. Compared with the request, it shows whether the page answers
 * this search (Reading 7). A sign that a page lacks is not judged, because no layout has all of them.
 */
import { getDomain } from 'tldts';
import type { ParsedPage } from '../../model/result.ts';
import { find, isInside, isNamed, textOf } from '../dom.ts';
import type { PageFetch } from '../engine.ts';
import { hostOf, shownHost } from '../host.ts';
import { isSameQuery, normalized } from '../own-search.ts';
import type { Page } from '../page.ts';
import { isEngineHost } from './link.ts';
import { ownNumberOf, pageEntriesOf, queryOf } from './page-facts.ts';

const titleOf = (page: Page): string => {
  const title = find(page.root, (element) => element.name === 'title' && !isInside(element, isNamed('svg')));
  return title ? textOf(title) : '';
};

/** The queries of the links to other pages. */
const searchedIn = (page: Page): string[] =>
  pageEntriesOf(page).flatMap(({ first, query }) =>
    first !== null && first > 1 && query !== '' ? [query] : [],
  );

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
  const searched = new Set(searchedIn(page).map(normalized));
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
  const [asked, first] = [searchParams.get('q'), searchParams.get('first')];
  return (
    !isEngineHost(final.hostname) ||
    final.pathname !== '/search' ||
    (asked !== null && query !== '' && !isSameQuery(asked, query)) ||
    (first !== null && page !== undefined && Number(first) !== 10 * (page - 1) + 1)
  );
};

/** Whether the page is the first one although a later one was asked, as Bing answers after the last page, or the other way round. */
const isOtherPage = (page: Page, { page: asked }: PageFetch): boolean => {
  const own = ownNumberOf(page);
  return asked !== undefined && own !== null && (own === 1) !== (asked === 1);
};

/** Whether the page says that it is another page of the engine than the one asked. */
export const isForOtherRequest = (page: Page, fetch: PageFetch): boolean =>
  isAtOtherAddress(fetch) || isOtherPage(page, fetch);

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
