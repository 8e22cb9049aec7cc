/**
 * What a page says of itself: the query, the page, the tab and the time that it is for. Compared with the
 * request, it shows whether the page answers this search (Reading 7). A sign that a page lacks is not judged,
 * because no layout has all of them.
 */

import type { Element } from 'domhandler';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { correctionIn } from '../correction.ts';
import { findAll, hasId, isInside, isNamed, type Test } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import { textOf } from '../lines.ts';
import { freshForSeconds, isAtOtherAddress, isFromEngine } from '../own-words.ts';
import type { Page } from '../page.ts';
import { elementsOf, identifiedIn, namedIn, once, withRolesIn } from '../page-cache.ts';
import { isSameQuery, normalized } from '../query.ts';
import { scriptsOf } from '../scripts.ts';
import { isVariant, statesSpelling } from '../variants.ts';
import { isMobileTitleLink, isTitleLink } from './elements.ts';
import { isEngineHost } from './link.ts';
import { isLinkToAll, isOtherTab, otherTab, searchParameters, startOf, tabNames } from './own-search.ts';

export type OwnWords = {
  /** The text of the search box; empty if there is none. */
  box: string;
  /** The queries of the column of results and of the links to other pages. */
  searched: string[];
  /**
   * The tab of the page, as `udm` or `tbm`, in the search form and in the links to other pages; empty for web
   * results.
   */
  tab: string[];
  /** Whether the row of tabs has a link to all results of the search. Only the open tab has no link. */
  linksToAll: boolean;
  /** The first result of each linked page, counted from 0. */
  starts: number[];
  /** The number of results per page. */
  step: number;
  /** Whether the page links to other pages or tabs of a search. */
  navigation: boolean;
};

/** The first four bytes of an event id are its time: base64url, little endian (Reading 7). */
const timeOf = (id: string | null | undefined): number[] => {
  const bytes = Buffer.from(id ?? '', 'base64url');
  return bytes.length < 4 ? [] : [bytes.readUInt32LE(0)];
};

const contextQuery = (context: string): string[] => {
  const encoded = /(?:^|;)query:([^;]*)/.exec(context)?.[1];
  if (!encoded) return [];
  try {
    return [decodeURIComponent(encoded)];
  } catch {
    return [];
  }
};

const scriptId = /\bkEI["']?\s*[:=]\s*["']([\w-]+)/y;

/** The event ids in a script. A pattern for all of them would be tried at each word. */
const idsIn = (script: string): string[] => {
  const found: string[] = [];
  let end = 0;
  for (let at = script.indexOf('kEI'); at >= 0; at = script.indexOf('kEI', end)) {
    scriptId.lastIndex = at;
    const [, id] = scriptId.exec(script) ?? [];
    if (id !== undefined) found.push(id);
    end = Math.max(at + 3, scriptId.lastIndex);
  }
  return found;
};

/** Until 2019, `foot` has the row of page numbers and the links below it. */
const hasFooterId = hasId('sfooter', 'fbar', 'footcnt', 'foot');

const isFooter: Test = (element) =>
  element.name === 'footer' || element.attribs.role === 'contentinfo' || hasFooterId(element);

/** The elements that browsers with scripts do not show, and those in them. */
const inertIn = once(({ root }: Page): ReadonlySet<Element> => {
  const inert = [...namedIn(root, 'noscript'), ...namedIn(root, 'template')];
  return new Set(inert.flatMap((element) => [element, ...findAll(element, () => true)]));
});

const shownIn = (page: Page, name: string): Element[] =>
  namedIn(page.root, name).filter((element) => !inertIn(page).has(element));

const textOfBox = (box: Element): string =>
  (box.name === 'textarea' && textOf(box)) || (box.attribs.value ?? '').trim();

/** The text of the first search box that has one. */
const boxOf = (page: Page): string =>
  [...shownIn(page, 'input'), ...shownIn(page, 'textarea')]
    .filter(({ attribs }) => attribs.name === 'q')
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(textOfBox)
    .find((text) => text !== '') ?? '';

const readLink = (link: Element, found: OwnWords): void => {
  const parameters = searchParameters(link);
  if (!parameters) return;
  found.navigation ||= ['start', ...tabNames].some((name) => parameters.has(name));
  found.linksToAll ||= isSameQuery(parameters.get('q') ?? '', found.box) && isLinkToAll(link, parameters);
  const start = startOf(link);
  if (start === undefined) return;
  found.starts.push(start);
  found.step = Number(parameters.get('num')) || found.step;
  const query = parameters.get('q')?.trim() ?? '';
  if (query !== '') found.searched.push(query);
  if (otherTab(parameters) !== '') found.tab.push(otherTab(parameters));
};

const isTabField: Test = ({ attribs: { name = '', value = '' } }) => tabNames.includes(name) && value !== '';

const isColumnOfResults = hasId('rso');

const readOwnWords = (page: Page): OwnWords => {
  // A renamed column has got its id after `identifiedIn` was filled.
  const columns = elementsOf(page.root).filter(
    (element) => isColumnOfResults(element) && !inertIn(page).has(element),
  );
  const fields = shownIn(page, 'input').filter(isTabField);
  const tabs = fields.map(({ attribs }) => attribs.value ?? '');
  const found: OwnWords = {
    box: boxOf(page),
    searched: columns.flatMap(({ attribs }) => Object.values(attribs).flatMap(contextQuery)),
    tab: tabs.filter(isOtherTab),
    linksToAll: false,
    starts: [],
    step: 10,
    navigation: false,
  };
  for (const link of shownIn(page, 'a')) readLink(link, found);
  // The web tab names itself in the search form.
  if (tabs.some((tab) => !isOtherTab(tab))) found.linksToAll = false;
  return found;
};

export const ownWordsOf = once(readOwnWords);

/** Whether the page has an element that only follows the results: the footer, or the links to other pages. */
export const hasFoot = (page: Page): boolean =>
  ownWordsOf(page).starts.length > 0 ||
  [...namedIn(page.root, 'footer'), ...identifiedIn(page.root), ...withRolesIn(page.root)].some(
    (element) => isFooter(element) && !inertIn(page).has(element),
  );

const isTitle: Test = (element) => !isInside(element, isNamed('svg'));

/** The text of the first title that is not that of a picture, and not empty. */
const titleOf = (page: Page): string =>
  shownIn(page, 'title')
    .filter(isTitle)
    .map((title) => textOf(title))
    .find((text) => text !== '') ?? '';

/** A page names its own time in the link for browsers without scripts, too. */
const timeOfRetry = ({ attribs: { href, content } }: Element): number[] =>
  timeOf(/[?&]sei=([\w-]+)/.exec(href ?? content ?? '')?.[1]);

/** Unix seconds: the page's own time, and the times in its links. */
const stampsOf = once((page: Page): { page: number[]; links: number[] } => {
  const retries = [...inertIn(page)].filter(({ name }) => name === 'a' || name === 'meta');
  const fields = shownIn(page, 'input').filter(({ attribs }) => attribs.name === 'ei');
  return {
    page: [...scriptsOf(page).flatMap(idsIn), ...fields.map(({ attribs }) => attribs.value)].flatMap(timeOf),
    links: [
      ...shownIn(page, 'a').flatMap((link) => timeOf(searchParameters(link)?.get('ei'))),
      ...retries.flatMap(timeOfRetry),
    ],
  };
});

/**
 * The query that the results are for, by the column and by the page's own links; empty if they do not name
 * one, null if they contradict each other.
 */
const searchedIn = ({ searched }: OwnWords): string | null => {
  const [query = '', ...others] = new Map(searched.map((text) => [normalized(text), text])).values();
  return others.length > 0 ? null : query;
};

/** The query that the results are for, if it is another one than that of the search box; otherwise empty. */
export const otherQueryOf = (page: Page): string => {
  const found = ownWordsOf(page);
  const searched = searchedIn(found) ?? '';
  return searched === '' || found.box === '' || isSameQuery(searched, found.box) ? '' : searched;
};

/** The correction of the asked query in the search box and the links of the page; empty if there is none. */
export const correctedIn = (page: Page, query: string): string => {
  const { box, searched } = ownWordsOf(page);
  return correctionIn(query, [box, ...searched]);
};

/**
 * Whether the search box or the title names another query than the one asked, or the page's own links
 * contradict each other. The links may name a corrected or a shortened query, or one that a sentence of the
 * page states, box and title a corrected one.
 */
export const isForOtherQuery = (page: Page, { left }: ParsedPage, { query }: PageFetch): boolean => {
  const found = ownWordsOf(page);
  if (searchedIn(found) === null) return true;
  if (query === '') return false;
  const other = otherQueryOf(page);
  if (other !== '' && !isVariant(query, other) && !statesSpelling(left, other)) return true;
  const known = [query, correctedIn(page, query)].filter((one) => one !== '');
  const isKnown = (text: string): boolean => known.some((one) => isSameQuery(text, one));
  const title = titleOf(page);
  const isBoxed = found.box === '' || isKnown(found.box) || isSameQuery(title, query);
  // The title is the query, a dash and the name of the engine. A title without a dash names no query. A query
  // of signs only is compared as it is: `normalized` leaves no signs beside other words.
  const isTitled =
    !/\s[-–]\s/.test(title) ||
    title.startsWith(query) ||
    known.some((one) => normalized(title).startsWith(normalized(one)));
  return !isBoxed || !isTitled;
};

const searchAddress = {
  isSearch: (url: URL) =>
    isEngineHost(url.hostname) && url.pathname === '/search' && otherTab(url.searchParams) === '',
  names: { query: 'q', first: 'start' },
  firstOf: (page: number) => 10 * (page - 1),
};

/**
 * Whether the links to other pages fit another page than the asked one. A page links to its neighbours, and
 * not to itself.
 */
const isOtherPage = ({ starts, step }: OwnWords, { page }: PageFetch): boolean => {
  if (page === undefined) return false;
  const own = step * (page - 1);
  const lacks = (side: number[], neighbour: number): boolean => side.length > 0 && !side.includes(neighbour);
  return (
    starts.includes(own) ||
    lacks(
      starts.filter((start) => start < own),
      own - step,
    ) ||
    lacks(
      starts.filter((start) => start > own),
      own + step,
    )
  );
};

/**
 * Whether the results have the markup of the other device. A caption or an answer of a mobile page may be a
 * link with an `h3`, so most titles decide. Pages for browsers without scripts are the same for both.
 */
const isForOtherDevice = ({ root }: Page, { device }: PageFetch): boolean => {
  if (!identifiedIn(root).some(isColumnOfResults)) return false;
  const links = namedIn(root, 'a');
  const desktop = links.filter(isTitleLink).length;
  if (device === 'desktop') return desktop === 0 && links.some(isMobileTitleLink);
  return desktop > 0 && desktop >= links.filter(isMobileTitleLink).length;
};

/** Whether the page says that it is another page, tab or layout of the engine than the one asked. */
export const isForOtherRequest = (page: Page, fetch: PageFetch): boolean => {
  const found = ownWordsOf(page);
  return (
    found.tab.length > 0 ||
    found.linksToAll ||
    isAtOtherAddress(fetch, searchAddress) ||
    isOtherPage(found, fetch) ||
    isForOtherDevice(page, fetch)
  );
};

/**
 * The limit for pages that have times in their links only, which are pages for browsers without scripts. On
 * saved pages of this kind, these times were up to 12 days from the day of the fetch.
 */
const linksFreshForSeconds = 30 * 86_400;

/**
 * Whether the page was stored before this fetch: its time is far from that of the fetch, or it has none and
 * did not come from the engine itself.
 */
export const isStored = (page: Page, fetch: PageFetch): boolean =>
  !(isFresh(page, fetch) ?? isFromEngine(fetch));

/** Whether all times of the page are near the fetch time. Null if it has none. */
export const isFresh = (page: Page, { fetchedAt }: PageFetch): boolean | null => {
  const stamps = stampsOf(page);
  const areWithin = (times: number[], seconds: number): boolean =>
    times.every((time) => Math.abs(time - fetchedAt) <= seconds);
  if (stamps.page.length > 0) return areWithin([...stamps.page, ...stamps.links], freshForSeconds);
  return stamps.links.length > 0 ? areWithin(stamps.links, linksFreshForSeconds) : null;
};
