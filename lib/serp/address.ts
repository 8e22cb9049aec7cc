/** Engine → addresses of its pages. Light: the API functions bundle it, so it must not import a reader. */
import { countryOf } from '../model/country.ts';
import type { EngineName } from '../model/engine.ts';
import { askedWords } from '../model/keyword.ts';
import type { Continuation, Search } from '../model/search.ts';
import { address as bing } from './bing/address.ts';
import type { EngineAddress, NextPage } from './engine-reader.ts';
import { address as google } from './google/address.ts';
import type { AskedMarket } from './market.ts';
import { address as yahoo } from './yahoo/address.ts';
import { address as youtube } from './youtube/address.ts';

const addresses: Record<EngineName, EngineAddress> = { google, bing, youtube, yahoo };

/** The keyword has one spelling in the address, so searches that differ in white space are one search. */
export const pageUrl = (search: Search, page: number): string =>
  addresses[search.engine].pageUrl({ ...search, keyword: askedWords(search.keyword) }, page);

/** Whether each page of an engine is requested with a token of the page before it. */
export const hasContinuations = (engine: EngineName): boolean => addresses[engine].continuation !== undefined;

/** The request for the page that follows a page. Undefined if the engine has none. */
export const continuationOf = (
  { engine, ...place }: Pick<Search, 'engine' | 'iso_code' | 'language_code'>,
  next: NextPage,
): Continuation | undefined => addresses[engine].continuation?.(place, next);

/** The request headers that belong to the pages of a search. They replace those of the crawler's identity. */
export const headersOf = ({
  engine,
  ...place
}: Pick<Search, 'engine' | 'iso_code' | 'language_code'>): Record<string, string> =>
  addresses[engine].headers?.(place) ?? {};

/**
 * Whether a request for a page ended at an answer that only sets a cookie. With the cookie, the engine serves
 * the page.
 */
export const endsAtCookie = (engine: EngineName, finalUrl: string): boolean =>
  addresses[engine].setsCookie?.(URL.parse(finalUrl)?.pathname ?? '') ?? false;

/** The origin of an engine's own pages and links. */
export const originOf = (engine: EngineName): string => addresses[engine].origin;

/** The country, and the language of the interface, of the pages that a search asks for. */
export const marketAsked = ({
  engine,
  ...search
}: Pick<Search, 'engine' | 'iso_code' | 'language_code' | 'engine_domain'>): AskedMarket =>
  addresses[engine].market?.(search) ?? {
    country: countryOf(search.iso_code),
    language: search.language_code,
  };

/** Whether an engine has pages for a country in a language. */
export const hasPages = (engine: EngineName, isoCode: string, languageCode: string): boolean =>
  addresses[engine].hasPages?.(isoCode, languageCode) ?? true;
