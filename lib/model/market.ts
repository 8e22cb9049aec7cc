/**
 * The markets of the engines: how each names a country and a language in its addresses. The addresses of
 * result pages (`lib/serp/<engine>/address.ts`) and those of suggestions
 * (`lib/provider/engine-suggestions.ts`) both use it.
 */
import { countryOf, isCountry } from './country.ts';
import { engines } from './engine.ts';
import { languageTag } from './language.ts';

/** The country and the language of a search. An empty language: the most common one of the country. */
export type Place = { iso_code: string; language_code: string };

/** The most common language of a country. */
export const languageOfCountry = (country: string): string =>
  new Intl.Locale(`und-${country}`).maximize().language ?? 'en';

/** Codes that Bing writes in another way: the newer code of a language, and the written form of Norwegian. */
const bingCodes: Record<string, string> = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', no: 'nb', tl: 'fil' };

/** Bing's market (`mkt`): a language without script and region, and a country, such as `pt-BR`. */
export const bingMarket = ({ iso_code, language_code }: Place): string => {
  const country = countryOf(iso_code);
  const language = languageTag(language_code).split('-')[0] || languageOfCountry(country);
  return `${bingCodes[language] ?? language}-${country}`;
};

/** Codes of languages that Yahoo writes in another way: the newer code, and one code for Norwegian. */
const yahooCodes: Record<string, string> = { iw: 'he', in: 'id', nb: 'no', nn: 'no', tl: 'fil' };

const inYahooCode = (language: string): string => yahooCodes[language] ?? language;

/** The language of a search in Yahoo's code, without script and region. */
export const yahooLanguage = ({ iso_code, language_code }: Place): string =>
  inYahooCode(languageTag(language_code).split('-')[0] || languageOfCountry(countryOf(iso_code)));

/** Countries whose host at Yahoo is not called by their code. */
const yahooHostNames: Record<string, string> = { GB: 'uk', MY: 'malaysia' };

/** Yahoo's hosts for another language of a country. */
const yahooLanguageHosts: Record<string, string> = {
  'US-es': 'espanol',
  'CA-fr': 'qc',
  'CH-fr': 'chfr',
  'CH-it': 'chit',
};

const { domain, domains } = engines.yahoo;

/** Yahoo's host for countries without a host of their own. Its country is the United States. */
export const yahooInternational = { host: `search.${domain}`, country: 'US' };

const yahooHostNamed = (name: string): string => {
  const host = `${name}.search.${domain}`;
  return domains.has(host) ? host : yahooInternational.host;
};

/** Yahoo's host for a country. A country without a host has the international one. */
export const yahooCountryHost = (isoCode: string): string => {
  const country = countryOf(isoCode);
  return yahooHostNamed(yahooHostNames[country] ?? country.toLowerCase());
};

/** Yahoo's host for a country and a language. */
export const yahooHost = (place: Place): string => {
  const special = yahooLanguageHosts[`${countryOf(place.iso_code)}-${yahooLanguage(place)}`];
  return special ? yahooHostNamed(special) : yahooCountryHost(place.iso_code);
};

/** Yahoo's hosts whose pages are not in the most common language of their country. */
const languagesOfYahooHosts: Record<string, string> = { search: 'en', in: 'en', malaysia: 'en', ph: 'en' };

/** The language of the pages of a host of Yahoo. */
export const languageOfYahooHost = (host: string): string => {
  const name = host.split('.')[0] ?? '';
  const place = Object.entries(yahooLanguageHosts).find(([, other]) => other === name)?.[0];
  if (place) return place.slice(3);
  // Other names are codes of countries: `Intl.Locale` reads small letters, and `uk`, too.
  return languagesOfYahooHosts[name] ?? inYahooCode(languageOfCountry(name));
};

/** The country of a host of Yahoo's search, such as `uk.search.yahoo.com`; empty if it is not known. */
export const countryOfYahooHost = (host: string): string => {
  if (host === yahooInternational.host) return yahooInternational.country;
  const name = host.split('.')[0] ?? '';
  const place = Object.entries(yahooLanguageHosts).find(([, other]) => other === name)?.[0];
  const country =
    place?.slice(0, 2) ??
    Object.entries(yahooHostNames).find(([, other]) => other === name)?.[0] ??
    name.toUpperCase();
  return isCountry(country) ? country : '';
};
