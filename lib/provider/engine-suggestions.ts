/** Autocomplete of each engine: the address that its own search box, or a browser's, asks. */
import { countryOf } from '../model/country.ts';
import type { EngineName } from '../model/engine.ts';
import { languageTag } from '../model/language.ts';
import { bingMarket, yahooCountryHost, yahooInternational } from '../model/market.ts';
import type { SuggestionsAsked, SuggestSource } from './contract.ts';
import { readSuggestions } from './read-suggestions.ts';

/** The address that answers, and the headers that belong to it. */
type Address = { url: string; headers?: Record<string, string> };

const withQuery = (address: string, parameters: Record<string, string>): string =>
  `${address}?${new URLSearchParams(parameters)}`;

/** The parameter of a language, or nothing if the request names none. */
const languageIn = (name: string, code: string | null): Record<string, string> =>
  code ? { [name]: languageTag(code) } : {};

const countryIn = (isoCode: string): string => countryOf(isoCode).toLowerCase();

/** Yahoo's name of a country in the path of its suggestions: its code, except one. */
const yahooCountry = (isoCode: string): string => countryIn(isoCode).replace('gb', 'uk');

/**
 * Without `oe`, Google answers in the charset of a language. `gl` is weak, because the country of the
 * caller's address decides; therefore the operator's proxy of the country is used.
 */
const utf8 = { ie: 'utf-8', oe: 'utf-8' };

const addresses: Record<EngineName, (asked: SuggestionsAsked) => Address> = {
  google: ({ keyword, iso_code, language_code }) => ({
    url: withQuery('https://suggestqueries.google.com/complete/search', {
      client: 'chrome',
      q: keyword,
      ...languageIn('hl', language_code),
      gl: countryIn(iso_code),
      ...utf8,
    }),
  }),

  bing: ({ keyword, iso_code, language_code }) => ({
    url: withQuery('https://api.bing.com/osjson.aspx', {
      query: keyword,
      market: bingMarket({ iso_code, language_code: language_code ?? '' }),
    }),
  }),

  // A country without a host has the suggestions of the international one. Those of a country are the same in
  // each of its languages.
  yahoo: ({ keyword, iso_code }) => {
    const host = yahooCountryHost(iso_code);
    const country = yahooCountry(host === yahooInternational.host ? yahooInternational.country : iso_code);
    return {
      url: withQuery(`https://${host}/sugg/gossip/gossip-${country}-ura/`, {
        output: 'sd1',
        command: keyword,
        nresults: '20',
      }),
    };
  },

  youtube: ({ keyword, iso_code, language_code }) => ({
    url: withQuery('https://suggestqueries-clients6.youtube.com/complete/search', {
      client: 'youtube',
      ds: 'yt',
      xhr: 't',
      q: keyword,
      ...languageIn('hl', language_code),
      gl: countryIn(iso_code).toUpperCase(),
      ...utf8,
    }),
    // As the site's own search box sends them.
    headers: { origin: 'https://www.youtube.com', referer: 'https://www.youtube.com' },
  }),
};

/** What each engine suggests itself. */
export const engineSuggestions: SuggestSource = {
  name: 'engines',
  asksEngines: true,
  data: 'suggestions',
  request: (asked) => ({ method: 'GET', headers: {}, ...addresses[asked.engine_name](asked) }),
  read: readSuggestions,
};
