/**
 * The two sides of an engine: the addresses of its pages, and how they are read. Each engine's folder has a
 * file for each.
 */
import type { Device } from '../model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../model/parsed-page.ts';
import type { Continuation, Search } from '../model/search.ts';
import type { AskedMarket, PageMarket } from './market.ts';
import type { SiteRules } from './tracking.ts';

/** What a page says about how its own script loads the next page. */
export type NextPage = {
  /** Names the next page to the engine. */
  token: string;
  /** The name and the version of the script, and the visitor's token; each is empty if the page has none. */
  client: { name: string; version: string; visitor: string };
};

export type EngineAddress = {
  /** The engine's origin. */
  origin: string;
  /** The URL of the page with results 10(n-1)+1 … 10n (Reading 5). Pages count from 1. */
  pageUrl: (search: Search, page: number) => string;
  /** The request for a page with the token of the page before it. Absent: the engine has no such tokens. */
  continuation?: (search: Pick<Search, 'iso_code' | 'language_code'>, next: NextPage) => Continuation;
  /**
   * Request headers that must agree with the URL, if the engine reads them too. Their names are in lower
   * case.
   */
  headers?: (search: Pick<Search, 'iso_code' | 'language_code'>) => Record<string, string>;
  /**
   * Whether a path is that of an answer which only sets a cookie. With the cookie, the engine serves the
   * page. Absent: there is none.
   */
  setsCookie?: (path: string) => boolean;
  /**
   * The country, and the language of the interface, of the pages that a search asks for. Absent: those of the
   * search.
   */
  market?: (search: Pick<Search, 'iso_code' | 'language_code' | 'engine_domain'>) => AskedMarket;
  /**
   * Whether the engine has pages for a country in a language. Absent: it has them for every country and
   * language.
   */
  hasPages?: (isoCode: string, languageCode: string) => boolean;
};

/** The request for a page, and its response. */
export type PageFetch = {
  query: string;
  device: Device;
  /** The country and the language that were asked for; absent if they are unknown. */
  market?: AskedMarket;
  /** Unix seconds. */
  fetchedAt: number;
  /**
   * `fetchedAt` is the time of the fetch itself. Absent: it may be some days later, as the recorded day of a
   * saved page is.
   */
  isTimed?: boolean;
  /** HTTP status of the last response. */
  status: number;
  /** The URL after redirects; empty if unknown. */
  url: string;
  /** The number of the page, from 1; absent if unknown. */
  page?: number;
  /** The token of the page before, if the page was requested with it. */
  token?: string;
  /** A provider delivered the page, perhaps from a store. */
  isDelivered?: boolean;
  /** The page comes from an origin of the operator, which may replay older pages from any URL. */
  isReplay?: boolean;
};

/** A part of a page that the page's own script loads. */
export type Deferred = {
  /** Path and query of its address, at the origin of the page. */
  path: string;
  /** The whole page, with this answer in its place. Undefined if the answer is not that part of the page. */
  withAnswer: (answer: string) => string | undefined;
};

/** A page whose body was parsed once. The engine decides the form: a tree of HTML, or JSON. */
export type EnginePage = {
  /**
   * Reads the page as a page for `device`. Never throws, whatever the body. `asked`: the query of the
   * request, with which results are compared if the page has no search box. Absent: it is unknown.
   */
  read: (device: Device, asked?: string) => ParsedPage;
  judge: (parsed: ParsedPage, fetch: PageFetch) => Verdict;
  /** What the page says of its country and its language. */
  market: () => PageMarket;
  /** The tab of the page, if pages of that tab are not read. Undefined if it is another or unknown. */
  unreadTab?: () => string | undefined;
  /** How to request the next page with a token. Undefined if the page does not say it. */
  next?: () => NextPage | undefined;
  /** The AI overview, if the page shows it without its text and says where the text is. */
  deferred?: (parsed: ParsedPage, device: Device) => Deferred | undefined;
};

/** The target of a hidden link, if its lookup found one. */
export type FindTarget = (link: string) => string | undefined;

/** The links of a page whose targets only the engine knows. */
export type HiddenLinks = {
  /** The hidden links of a page, each once, the most useful first: a lookup may end at any of them. */
  of: (parsed: Pick<ParsedPage, 'left' | 'right'>) => string[];
  /**
   * Reads the `Location` of a response to a hidden link. `refused`: further lookups are useless. Null: the
   * link leads to another hidden link, which is not followed.
   */
  readLocation: (location: string | null) => string | null | 'refused';
};

export type EngineReader = {
  /** Parses a body. `find` supplies the targets of hidden links that were looked up. */
  open: (body: string, find?: FindTarget) => EnginePage;
  hiddenLinks: HiddenLinks;
  /** What the engine ranks, and how an item matches a tracked site. Absent: web results, by their hosts. */
  sites?: SiteRules;
};
