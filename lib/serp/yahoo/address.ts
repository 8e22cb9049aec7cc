/** Addresses of Yahoo's result pages: a search as the engine's own host and parameters. */
import { countryOf } from '../../model/country.ts';
import { engines } from '../../model/engine.ts';
import { languageTag } from '../../model/language.ts';
import type { Search } from '../../model/search.ts';
import type { EngineAddress } from '../engine-reader.ts';

const { domain, domains, resultsPerPage } = engines.yahoo;

/** Codes of languages that Yahoo writes in another way: the newer code, and one code for Norwegian. */
const codes: Record<string, string> = { iw: 'he', in: 'id', nb: 'no', nn: 'no', tl: 'fil' };

const inCode = (language: string): string => codes[language] ?? language;

/** The most common language of a country. */
const languageOfCountry = (country: string): string =>
  new Intl.Locale(`und-${country}`).maximize().language ?? 'en';

const languageOf = (code: string, country: string): string =>
  inCode(languageTag(code).split('-')[0] || languageOfCountry(country));

type Place = Pick<Search, 'iso_code' | 'language_code' | 'engine_domain'>;

/** Hosts for another language of a country. */
const languageHosts: Record<string, string> = {
  'US-es': 'espanol',
  'CA-fr': 'qc',
  'CH-fr': 'chfr',
  'CH-it': 'chit',
};

/** Countries whose host is not called by their code. */
const countryHosts: Record<string, string> = { GB: 'uk', MY: 'malaysia' };

/** The host of a country and a language. A country without a host has the international one. */
const hostOfPlace = ({ iso_code, language_code }: Place): string => {
  const country = countryOf(iso_code);
  const name =
    languageHosts[`${country}-${languageOf(language_code, country)}`] ??
    countryHosts[country] ??
    country.toLowerCase();
  const host = `${name}.search.yahoo.com`;
  return domains.has(host) ? host : `search.${domain}`;
};

/**
 * Reading 15: a leading `www.` is ignored. `uk.yahoo.com` is the portal of a country, whose search is at
 * `uk.search.yahoo.com`.
 */
const hostIn = (place: Place): string => {
  const asked = place.engine_domain.toLowerCase().replace(/^www\./, '');
  if (asked === '' || asked === domain) return hostOfPlace(place);
  return asked.endsWith(`search.${domain}`) ? asked : asked.replace(domain, `search.${domain}`);
};

/** The languages of the filter. Chinese has a code for each script. */
const filterLanguages: ReadonlySet<string> = new Set(
  'ar bg cs da de el en es et fi fr he hr hu it ja ko lt lv nl no pl pt ro ru sk sl sv th tr'.split(' '),
);

const filterOf = (code: string, language: string): string => {
  if (language === 'zh') {
    const locale = new Intl.Locale(languageTag(code)).maximize();
    return locale.script === 'Hant' ? 'lang_zh_cht' : 'lang_zh_chs';
  }
  return filterLanguages.has(language) ? `lang_${language}` : '';
};

/** Hosts whose pages are not in the most common language of their country. */
const languagesOfHosts: Record<string, string> = { search: 'en', in: 'en', malaysia: 'en', ph: 'en' };

/** The language of a host's own pages. */
const languageOfHost = (host: string): string => {
  const name = host.split('.')[0] ?? '';
  const place = Object.entries(languageHosts).find(([, other]) => other === name)?.[0];
  if (place) return place.slice(3);
  const known = languagesOfHosts[name];
  if (known) return known;
  const country = Object.entries(countryHosts).find(([, other]) => other === name)?.[0] ?? name.toUpperCase();
  return inCode(languageOfCountry(country));
};

/**
 * The filter `vl` is set if the request names a language that is not the one of the host: it limits the
 * results to one language.
 */
const filterFor = (place: Place, host: string): Record<string, string> => {
  if (place.language_code === '') return {};
  const language = languageOf(place.language_code, countryOf(place.iso_code));
  const filter = language === languageOfHost(host) ? '' : filterOf(place.language_code, language);
  return filter === '' ? {} : { vl: filter, fl: '1' };
};

/** The country of the international host. */
const internationalCountry = 'US';

/**
 * Whether the country has a host, and its pages can be asked for in the language: it is the language of a
 * host, or there is a filter for it.
 */
const hasPages = (isoCode: string, code: string): boolean => {
  const place = { iso_code: isoCode, language_code: code, engine_domain: '' };
  const host = hostOfPlace(place);
  const language = languageOf(code, countryOf(isoCode));
  return (
    (host !== `search.${domain}` || countryOf(isoCode) === internationalCountry) &&
    (language === languageOfHost(host) || filterOf(code, language) !== '')
  );
};

/**
 * Every page has `b`, the first too, and `pz`: the number of its first result, and the results per page.
 * Yahoo has no parameter for a place within a country.
 */
const pageUrl = (search: Omit<Search, 'engine' | 'device' | 'depth'>, page: number): string => {
  const host = hostIn(search);
  const parameters = new URLSearchParams({
    p: search.keyword,
    ei: 'UTF-8',
    ...filterFor(search, host),
    b: String(resultsPerPage * (page - 1) + 1),
    pz: String(resultsPerPage),
  });
  return `https://${host}/search?${parameters}`;
};

/** Without this header, Yahoo may answer in the language of the client's address. */
const headers = ({ iso_code, language_code }: Omit<Place, 'engine_domain'>): Record<string, string> => {
  const country = countryOf(iso_code);
  const language = languageOf(language_code, country);
  return { 'accept-language': `${language}-${country},${language};q=0.9` };
};

/** A client without the cookie `YBV` is sent to a picture that sets it. */
const setsCookie = (path: string): boolean => path.startsWith('/_bv/');

export const address = {
  origin: `https://search.${domain}`,
  pageUrl,
  headers,
  setsCookie,
  hasPages,
} satisfies EngineAddress;
