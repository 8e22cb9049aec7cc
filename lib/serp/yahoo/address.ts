/** Addresses of Yahoo's result pages: a search as the engine's own host and parameters. */
import { countryOf } from '../../model/country.ts';
import { engines } from '../../model/engine.ts';
import { languageTag } from '../../model/language.ts';
import {
  countryOfYahooHost,
  languageOfYahooHost,
  yahooHost,
  yahooInternational,
  yahooLanguage,
} from '../../model/market.ts';
import type { Search } from '../../model/search.ts';
import type { EngineAddress } from '../engine-reader.ts';
import type { AskedMarket } from '../market.ts';

const { domain, resultsPerPage } = engines.yahoo;

type Place = Pick<Search, 'iso_code' | 'language_code' | 'engine_domain'>;

/**
 * Reading 15: a leading `www.` is ignored. `uk.yahoo.com` is the portal of a country, whose search is at
 * `uk.search.yahoo.com`.
 */
const hostIn = (place: Place): string => {
  const asked = place.engine_domain.toLowerCase().replace(/^www\./, '');
  if (asked === '' || asked === domain) return yahooHost(place);
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

/** Whether a code such as `zh-CN` names another script than that of the host, which has the language. */
const isOtherScript = (code: string, language: string, host: string): boolean =>
  languageTag(code).includes('-') &&
  filterOf(code, language) !== filterOf(`${language}-${countryOfYahooHost(host)}`, language);

/**
 * The filter `vl` is set if the request names a language, or a script, that is not the one of the host: it
 * limits the results to one language.
 */
const filterFor = (place: Place, host: string): Record<string, string> => {
  if (place.language_code === '') return {};
  const language = yahooLanguage(place);
  const isOfHost =
    language === languageOfYahooHost(host) && !isOtherScript(place.language_code, language, host);
  const filter = isOfHost ? '' : filterOf(place.language_code, language);
  return filter === '' ? {} : { vl: filter, fl: '1' };
};

/**
 * Whether the country has a host, and its pages can be asked for in the language: it is the language of a
 * host, or there is a filter for it.
 */
const hasPages = (isoCode: string, code: string): boolean => {
  const place = { iso_code: isoCode, language_code: code };
  const host = yahooHost(place);
  const language = yahooLanguage(place);
  return (
    (host !== yahooInternational.host || countryOf(isoCode) === yahooInternational.country) &&
    (language === languageOfYahooHost(host) || filterOf(code, language) !== '')
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
  const language = yahooLanguage({ iso_code, language_code });
  return { 'accept-language': `${language}-${country},${language};q=0.9` };
};

/** A client without the cookie `YBV` is sent to a picture that sets it. */
const setsCookie = (path: string): boolean => path.startsWith('/_bv/');

/**
 * Each host has the pages of one country, in one language. Another language is a filter of the results, and
 * does not change the interface.
 */
const market = (place: Place): AskedMarket => {
  const host = hostIn(place);
  return { country: countryOfYahooHost(host), language: languageOfYahooHost(host) };
};

export const address = {
  origin: `https://search.${domain}`,
  pageUrl,
  headers,
  setsCookie,
  market,
  hasPages,
} satisfies EngineAddress;
