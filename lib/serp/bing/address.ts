/** Addresses of Bing's result pages: a search as the engine's own parameters. */
import { countryOf } from '../../model/country.ts';
import { engines } from '../../model/engine.ts';
import { languageTag } from '../../model/language.ts';
import type { Search } from '../../model/search.ts';
import type { EngineAddress } from '../engine-reader.ts';

const { domain, resultsPerPage } = engines.bing;

/** Codes that Bing writes in another way: the newer code of a language, and the written form of Norwegian. */
const codes: Record<string, string> = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', no: 'nb', tl: 'fil' };

/** The most common language of a country. */
const languageOfCountry = (country: string): string =>
  new Intl.Locale(`und-${country}`).maximize().language ?? 'en';

/** The language of a search without script and region, in Bing's code. */
const languageOf = (code: string, country: string): string => {
  const language = languageTag(code).split('-')[0] || languageOfCountry(country);
  return codes[language] ?? language;
};

type Place = Pick<Search, 'iso_code' | 'language_code'>;

/** The market of a search: a language and a country, such as `pt-BR`. */
const marketOf = ({ iso_code, language_code }: Place): string => {
  const country = countryOf(iso_code);
  return `${languageOf(language_code, country)}-${country}`;
};

/**
 * Every page has `first`, the first too. `mkt` is the language and the country of the results: with `cc`
 * alone, Bing often answers for the country of the client's IP address. Bing has no parameter for a place
 * within a country.
 */
const pageUrl = (search: Omit<Search, 'engine' | 'device' | 'depth'>, page: number): string => {
  const parameters = new URLSearchParams({
    q: search.keyword,
    mkt: marketOf(search),
    first: String(resultsPerPage * (page - 1) + 1),
  });
  return `https://www.${domain}/search?${parameters}`;
};

/** A header that contradicts `mkt` can overrule it. */
const headers = (search: Place): Record<string, string> => {
  const market = marketOf(search);
  return { 'accept-language': `${market},${market.split('-')[0]};q=0.9` };
};

export const address = { origin: `https://www.${domain}`, pageUrl, headers } satisfies EngineAddress;
