/**
 * What differs between the engines in a page that a test tampers with: how it shows results, its query, its
 * links to pages and its time.
 */

import { type Document, Element } from 'domhandler';
import { prependChild } from 'domutils';
import type { EngineName } from '../../lib/model/engine.ts';
import type { ResultItem } from '../../lib/model/result.ts';
import * as bing from '../../lib/serp/bing/elements.ts';
import { isAdLink as isBingAd, targetOf as targetOfBing, targetOfLink } from '../../lib/serp/bing/link.ts';
import { reader as bingReader } from '../../lib/serp/bing/reader.ts';
import { ancestors, find, has, hasClass, isInside, isLink, type Test } from '../../lib/serp/dom.ts';
import type { EngineReader, PageFetch } from '../../lib/serp/engine-reader.ts';
import * as google from '../../lib/serp/google/elements.ts';
import { targetOf as targetOfGoogle } from '../../lib/serp/google/link.ts';
import { reader as googleReader } from '../../lib/serp/google/reader.ts';
import { textIn } from '../../lib/serp/lines.ts';
import { parseHtml } from '../../lib/serp/page.ts';
import * as yahoo from '../../lib/serp/yahoo/elements.ts';
import { isWebHost, isAdLink as isYahooAd, targetOf as targetOfYahoo } from '../../lib/serp/yahoo/link.ts';
import { isFresh as isYahooFresh } from '../../lib/serp/yahoo/own-words.ts';
import { isPager as isYahooRow } from '../../lib/serp/yahoo/page-facts.ts';
import { reader as yahooReader } from '../../lib/serp/yahoo/reader.ts';
import type { Demand } from './tamperings.ts';

type Page = { html: string; fetch: PageFetch };

export type Engine = {
  name: EngineName;
  reader: EngineReader;
  /** Whether an item has a place in the ranking. */
  isRanked: (item: Pick<ResultItem, 'type'>) => boolean;
  /** The tamperings that do not exist for the engine, each with the reason. */
  impossible: Record<string, string>;
  /** The demands that differ from those on a page of Google. */
  demands: Record<string, Demand>;
};

export type WebEngine = Engine & {
  isTitleLink: Test;
  isTitle: Test;
  /** The line of a result with its address. */
  isAddress: Test;
  isAd: Test;
  targetOf: (href: string | undefined) => { url: string } | null;
  /** The smallest part of a page that is a web result with this title link. */
  blockOf: (link: Element) => Element;
  /** The column in which web results rank. */
  columnOf: (root: Document) => Element | undefined;
  /** The column, or on pages without one, the element around the results. */
  resultsOf: (root: Document) => Element | undefined;
  /** The part below the results, with the links to other pages. */
  lowerPartOf: (root: Document) => Element | undefined;
  /** The row of page numbers. */
  isPager: Test;
  /** The element that shows the number of the page itself, if the engine has one. */
  ownNumberOf: (root: Document) => Element | undefined;
  /** The name that follows the query in the title of a page. */
  title: string;
  /** The names of the parameters of a search with the query and the number of the first result. */
  parameters: { query: string; first: string };
  /** The parameter of the first result of a page. */
  firstOf: (page: number) => string;
  host: string;
  otherHost: string;
  /** The address of a search, also of one on another host. */
  searchUrl: (host: string, query: string, page: number) => string;
  consentUrl: string;
  videosUrl: (query: string) => string;
  /** The URL of a link to a web search; null for other links. */
  searchOf: (link: Element) => URL | null;
  /** Makes a link lead to the tab of pictures. */
  toPictures: (url: URL) => void;
  /** Makes a search form lead to the tab of news. */
  toNews: (form: Element) => void;
  /** A message for a query without results. */
  nothingFound: (query: string) => string;
  /** Whether a page shows that it is a year old. */
  isDated: (page: Page) => boolean;
  /** Whether a page shows its exact time. */
  isStamped: (page: Page) => boolean;
  /** A page that is older than this many days does not count. */
  staleAfterDays: number;
  /** The page with another time in one of the places that show it; null if it has only one place. */
  restamp: (html: string, seconds: number) => string | null;
  /** The attributes that mark items of a type. Pages that lack the first one have no such items. */
  marks: Record<'ads' | 'questions' | 'entities', string[]>;
  hasOverviewIds: boolean;
};

export const byId =
  (id: string): Test =>
  ({ attribs }) =>
    attribs.id === id;

const isOrganic: Engine['isRanked'] = ({ type }) => type === 'organic';

const withoutTags = (query: string): string => query.replaceAll('<', '');

const googleStamp = /(\bkEI["']?\s*[:=]\s*["'])[\w-]+/;

const googleToken = (seconds: number): string => {
  const bytes = Buffer.alloc(16, 3);
  bytes.writeUInt32LE(seconds);
  return bytes.toString('base64url');
};

const isGoogleTitleLink: Test = (element) => google.isTitleLink(element) || google.isMobileTitleLink(element);

const googleSearch = (host: string, query: string, more = '') =>
  `https://${host}/search?q=${encodeURIComponent(query)}${more}`;

export const googleEngine: WebEngine = {
  name: 'google',
  reader: googleReader,
  isRanked: isOrganic,
  impossible: {},
  demands: {},
  isTitleLink: isGoogleTitleLink,
  isTitle: (element) => google.isH3(element) || google.isHeading(element),
  isAddress: google.isAddress,
  isAd: ({ attribs }) => attribs['data-text-ad'] !== undefined,
  targetOf: targetOfGoogle,
  blockOf: (link) => link,
  columnOf: (root) => find(root, byId('rso')),
  resultsOf: (root) =>
    find(root, byId('rso')) ?? (has(root, isGoogleTitleLink) ? find(root, byId('main')) : undefined),
  lowerPartOf: (root) => find(root, byId('botstuff')),
  isPager: ({ attribs }) => attribs.role === 'navigation',
  ownNumberOf: () => undefined,
  title: 'Google',
  parameters: { query: 'q', first: 'start' },
  firstOf: (page) => String(10 * (page - 1)),
  host: 'www.google.com',
  otherHost: 'www.google.de',
  searchUrl: (host, query, page) => googleSearch(host, query, `&start=${10 * (page - 1)}&hl=de`),
  consentUrl: 'https://consent.google.com/ml',
  videosUrl: (query) => googleSearch('www.google.com', query, '&udm=7'),
  searchOf: ({ attribs }) =>
    /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?/.test(attribs.href ?? '')
      ? new URL(attribs.href ?? '', 'https://www.google.com')
      : null,
  toPictures: ({ searchParams }) => searchParams.set('udm', '2'),
  toNews: (form) => prependChild(form, new Element('input', { type: 'hidden', name: 'tbm', value: 'nws' })),
  nothingFound: (query) =>
    `<div class="card"><p role="heading">… <em>${withoutTags(query)}</em> …</p><ul><li>…a.</li><li>…b.</li></ul></div>`,
  isDated: () => true,
  isStamped: ({ html }) => googleStamp.test(html),
  staleAfterDays: 4,
  restamp: (html, seconds) => {
    const changed = html.replace(googleStamp, `$1${googleToken(seconds)}`);
    return changed === html || !/[?&;]ei=[\w-]{6}/.test(html) ? null : changed;
  },
  marks: {
    ads: ['data-text-ad'],
    questions: ['data-q', 'data-initq', 'class'],
    entities: ['data-attrid'],
  },
  hasOverviewIds: true,
};

/** Until August 2022 the id of a page is a random number. */
const bingStamp = /\bEventID:"([0-9a-f]{8})/;

const bingTimeOf = (html: string): number => Number.parseInt(bingStamp.exec(html)?.[1] ?? '', 16);

/** Whether the id of a page has its time: then it is near the time of the fetch. */
const isBingStamped = ({ html, fetch }: Page): boolean =>
  Math.abs(bingTimeOf(html) - fetch.fetchedAt) < 7 * 86_400;

const hasNext: Test = ({ attribs }) => /[?&]first=/.test(attribs.href ?? '');

const isBingPager: Test = (element) => hasClass('b_pag')(element) || element.name === 'nav';

const isBingTitleLink: Test = (element) => {
  const item = ancestors(element).find(bing.isResult);
  return item !== undefined && bing.titleOf(item)?.link === element && targetOfLink(element) !== null;
};

export const bingEngine: WebEngine = {
  name: 'bing',
  reader: bingReader,
  isRanked: isOrganic,
  impossible: {
    'a year old, with a fresh time in one place': 'a page with results shows its time once, in its id',
    'an AI overview without its id': 'an overview has no id',
    'data of entities without their marks': 'a panel has no attributes of its own',
  },
  demands: {},
  isTitleLink: isBingTitleLink,
  isTitle: bing.isH2,
  isAddress: bing.isCite,
  isAd: (element) => hasClass('b_ad')(element) || isBingAd(element),
  targetOf: targetOfBing,
  blockOf: (link) => ancestors(link).find(bing.isResult) ?? link,
  columnOf: (root) => find(root, (element) => element.name === 'ol' && has(element, bing.isResult)),
  resultsOf: (root) => find(root, (element) => element.name === 'ol' && has(element, bing.isResult)),
  lowerPartOf: (root) => find(root, (element) => isBingPager(element) && has(element, hasNext)),
  isPager: isBingPager,
  ownNumberOf: (root) => {
    const pager = find(root, (element) => isBingPager(element) && has(element, hasNext));
    return (
      pager &&
      find(
        pager,
        (element) =>
          element.name === 'a' &&
          element.attribs.href === undefined &&
          /\d/.test(textIn(pager, (part) => part === element)),
      )
    );
  },
  title: 'Search',
  parameters: { query: 'q', first: 'first' },
  firstOf: (page) => String(10 * (page - 1) + 1),
  host: 'www.bing.com',
  otherHost: 'cn.bing.com',
  searchUrl: (host, query, page) =>
    `https://${host}/search?q=${encodeURIComponent(query)}&first=${10 * (page - 1) + 1}`,
  consentUrl: 'https://consent.bing.com/save',
  videosUrl: (query) => `https://www.bing.com/videos/search?q=${encodeURIComponent(query)}`,
  searchOf: ({ attribs }) =>
    /^(?:https:\/\/www\.bing\.com)?\/search\?/.test(attribs.href ?? '')
      ? new URL(attribs.href ?? '', 'https://www.bing.com')
      : null,
  toPictures: (url) => {
    url.pathname = '/images/search';
  },
  toNews: (form) => {
    form.attribs.action = '/news/search';
  },
  nothingFound: (query) =>
    `<ol><li class="b_no"><h1>… <strong>${withoutTags(query)}</strong> …</h1><ul><li>…a.</li><li>…b.</li></ul></li></ol>`,
  isDated: isBingStamped,
  isStamped: isBingStamped,
  staleAfterDays: 15,
  restamp: () => null,
  marks: { ads: ['class'], questions: ['data-query', 'class'], entities: [] },
  hasOverviewIds: false,
};

const isYahooTitleLink: Test = (element) => {
  const item = ancestors(element).find(yahoo.isResult);
  return item !== undefined && yahoo.titleOf(item)?.link === element;
};

const isYahooPager: Test = (element) => yahoo.isItem(element) && isYahooRow(element);

const yahooColumn = (root: Document): Element | undefined =>
  find(root, (element) => element.name === 'ol' && yahoo.isResultList(element));

const isYahooStamped = ({ html, fetch }: Page): boolean => isYahooFresh(parseHtml(html), fetch) === true;

/** Base64 in the engine's alphabet. Bytes 5 to 8 are the time, the lowest byte first. */
const yahooToken = (seconds: number): string => {
  const bytes = Buffer.alloc(15, 3);
  bytes.writeUInt32LE(seconds, 5);
  return bytes.toString('base64').replaceAll('+', '.').replaceAll('/', '_');
};

const yahooStamp = /(href="[^"]*\b_ylt=)[\w.-]{14,}/g;

export const yahooEngine: WebEngine = {
  name: 'yahoo',
  reader: yahooReader,
  isRanked: isOrganic,
  impossible: {
    'the page of another device': 'all devices have the same markup',
    'an AI overview without its id': 'there are no overviews',
    'data of entities without their marks': 'a panel has no attributes of its own',
  },
  demands: {},
  isTitleLink: isYahooTitleLink,
  isTitle: yahoo.isHeading,
  isAddress: yahoo.isAddress,
  isAd: (element) => yahoo.isAdClass(element) || isYahooAd(element),
  targetOf: targetOfYahoo,
  blockOf: (link) => ancestors(link).find(yahoo.isResult) ?? link,
  columnOf: yahooColumn,
  resultsOf: yahooColumn,
  lowerPartOf: (root) => find(root, isYahooPager),
  isPager: isYahooPager,
  ownNumberOf: (root) => {
    const pager = find(root, isYahooPager);
    return pager && find(pager, (element) => element.name === 'strong' && !isInside(element, isLink));
  },
  title: 'Yahoo',
  parameters: { query: 'p', first: 'b' },
  firstOf: (page) => String(7 * (page - 1) + 1),
  host: 'search.yahoo.com',
  otherHost: 'de.search.yahoo.com',
  searchUrl: (host, query, page) =>
    `https://${host}/search?p=${encodeURIComponent(query)}&b=${7 * (page - 1) + 1}`,
  consentUrl: 'https://consent.yahoo.com/v2/collectConsent',
  videosUrl: (query) => `https://video.search.yahoo.com/search/video?p=${encodeURIComponent(query)}`,
  searchOf: ({ attribs }) => {
    const url = URL.parse(attribs.href ?? '', 'https://search.yahoo.com');
    return url && isWebHost(url.hostname) && /^\/search(?:;|$)/.test(url.pathname) ? url : null;
  },
  toPictures: (url) => {
    url.hostname = 'images.search.yahoo.com';
    url.pathname = '/search/images';
  },
  toNews: (form) => {
    form.attribs.action = 'https://news.search.yahoo.com/search';
  },
  nothingFound: (query) => `<ol><li><p>… <strong>${withoutTags(query)}</strong> …</p></li></ol>`,
  isDated: isYahooStamped,
  isStamped: isYahooStamped,
  staleAfterDays: 4,
  restamp: (html, seconds) => {
    if ((html.match(yahooStamp) ?? []).length < 3) return null;
    let isFirst = true;
    return html.replace(yahooStamp, (link, start) => {
      if (!isFirst) return link;
      isFirst = false;
      return `${start}${yahooToken(seconds)}`;
    });
  },
  marks: { ads: ['class'], questions: ['aria-expanded', 'qidx'], entities: [] },
  hasOverviewIds: false,
};
