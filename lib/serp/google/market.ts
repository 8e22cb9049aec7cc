/** What a page says of its country and of the language of its interface. */
import { isTag } from 'domhandler';
import { countries, countryOf } from '../../model/country.ts';
import { findAll, hasId, isInside, isLink, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import { type PageMarket, regionOf } from '../market.ts';
import type { Page } from '../page.ts';
import { identifiedIn, namedIn, once } from '../page-cache.ts';
import { searchParameters } from './own-search.ts';

/**
 * Regions that are a part of the engine's names of languages. They follow from the requested language, and
 * say nothing about the country.
 */
const regionalLanguages = new Set(['pt-BR', 'pt-PT', 'zh-CN', 'zh-HK', 'zh-TW', 'fr-CA', 'en-GB']);

/** More languages than that of a busy process are those of hostile pages. */
const maxLanguages = 100;

const namesByLanguage = new Map<string, ReadonlyMap<string, string>>();

/** Name of each country in a language, in small letters → its code. */
const countryNames = (language: string): ReadonlyMap<string, string> => {
  const known = namesByLanguage.get(language);
  if (known) return known;
  const names = new Map<string, string>();
  for (const style of ['short', 'long'] as const) {
    const display = new Intl.DisplayNames([language], { type: 'region', style });
    for (const code of countries) names.set(display.of(code)?.toLowerCase() ?? '', code);
  }
  if (namesByLanguage.size >= maxLanguages) namesByLanguage.clear();
  namesByLanguage.set(language, names);
  return names;
};

const isText: Test = ({ children }) => children.length > 0 && !children.some(isTag);

const isControl: Test = (element) => isLink(element) || element.attribs.role === 'button';

/** No country has a longer name. */
const longestName = 60;

const isCountryBar = hasId('fbar');

/**
 * The country that the footer names in a separate line. The place of the client is beside it, in a button:
 * a place may have the name of a country, such as Georgia. Pages for browsers without scripts name the place
 * only, and have no such bar.
 */
const countryInFooter = ({ root }: Page, language: string): string | undefined => {
  for (const footer of identifiedIn(root).filter(isCountryBar)) {
    for (const element of findAll(footer, isText)) {
      const text = textOf(element);
      const country = text.length <= longestName && countryNames(language).get(text.toLowerCase());
      if (country && !isLink(element) && !isInside(element, isControl)) return country;
    }
  }
  return undefined;
};

/** The countries that the page's own searches name. A request without a country gives links without one. */
const countriesOfLinks = ({ root }: Page): { named: Set<string>; searches: number } => {
  const named = new Set<string>();
  let searches = 0;
  for (const link of namedIn(root, 'a')) {
    const parameters = searchParameters(link);
    if (!parameters?.has('q')) continue;
    searches += 1;
    const country = parameters.get('gl') ?? '';
    if (/^[a-z]{2}$/i.test(country)) named.add(countryOf(country));
  }
  return { named, searches };
};

const localHost = /^https:\/\/www\.google\.(?:com?\.)?([a-z]{2})\/intl\//;

/**
 * The country of the host in the link to the engine's products. It is that of the client's address, which is
 * the country of the results only if the request named none.
 */
const countryOfHost = ({ root }: Page): string | undefined => {
  const link = namedIn(root, 'a').find(({ attribs }) => localHost.test(attribs.href ?? ''));
  const [, ending = ''] = localHost.exec(link?.attribs.href ?? '') ?? [];
  const country = countryOf(ending);
  return countries.has(country) ? country : undefined;
};

const languageOf = ({ root }: Page): string => namedIn(root, 'html')[0]?.attribs.lang?.trim() ?? '';

const displayLanguage = (tag: string): string => Intl.DisplayNames.supportedLocalesOf([tag])[0] ?? 'en';

/**
 * The statements of the page: the line of its footer, and the region of its language (`en-ES`), which the
 * engine adds for a country in which the language is not usual. Then its links: a country in them that all
 * share, or, if they have none, that of the local host.
 */
const readMarket = (page: Page): PageMarket => {
  const tag = languageOf(page);
  if (tag === '') return {};
  const stated = new Set<string>();
  const region = regionalLanguages.has(tag) ? '' : regionOf(tag);
  if (region !== '') stated.add(region);
  const footer = safely(() => countryInFooter(page, displayLanguage(tag)));
  if (footer) stated.add(footer);
  if (stated.size === 0) {
    const { named, searches } = countriesOfLinks(page);
    const host = named.size === 0 && searches > 0 ? countryOfHost(page) : undefined;
    for (const country of host ? [host] : named) stated.add(country);
  }
  const [country] = stated;
  return { language: tag, ...(country !== undefined && stated.size === 1 && { country }) };
};

/** A malformed tag has no names of countries. */
const safely = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
};

export const marketOf = once(readMarket);
