/** Autocomplete of each engine: the address that its own search box, or a browser's, asks. */
import { countryOf } from '../model/country.ts';
import { type EngineName, engines } from '../model/engine.ts';
import { languageTag } from '../model/language.ts';
import type { Provider } from '../model/source.ts';
import type { SuggestRequest } from '../model/suggest.ts';
import { readSuggestions } from './suggestions.ts';

type Asked = Pick<SuggestRequest, 'keyword' | 'iso_code' | 'language_code'>;
export type SuggestProvider = Provider<Asked, string[]>;

const withQuery = (address: string, parameters: Record<string, string>): string =>
  `${address}?${new URLSearchParams(parameters)}`;

/** The parameter of a language, or nothing if the request names none. */
const languageIn = (name: string, code: string | null): Record<string, string> =>
  code ? { [name]: languageTag(code) } : {};

const isCalled = (name: string, request: SuggestProvider['request']): SuggestProvider => ({
  name,
  request,
  read: readSuggestions,
});

const countryIn = (isoCode: string): string => countryOf(isoCode).toLowerCase();

/** The older codes of languages, as `mkt` of Bing does not have them. */
const bingCodes: Record<string, string> = { iw: 'he', in: 'id', no: 'nb', tl: 'fil' };

/** The market: a language and a country. Without a language, the country's most common one. */
const marketOf = ({ iso_code, language_code }: Asked): string => {
  const country = countryOf(iso_code);
  const language =
    languageTag(language_code ?? '').split('-')[0] || new Intl.Locale(`und-${country}`).maximize().language;
  return `${bingCodes[language] ?? language}-${country}`;
};

/** Yahoo's name of a country: its code, except one. A country without a host has the suggestions of the international one. */
const yahooCountry = (isoCode: string): string => {
  const name = countryIn(isoCode).replace(/^gb$/, 'uk');
  return engines.yahoo.domains.has(`${name}.search.yahoo.com`) ? name : 'us';
};

/**
 * Without `oe`, Google answers in the charset of a language. `gl` is weak, because the country of the caller's address decides; therefore the
 * operator's proxy of the country is used.
 */
const utf8 = { ie: 'utf-8', oe: 'utf-8' };

export const suggestProviders: Record<EngineName, SuggestProvider> = {
  google: isCalled('google-suggest', ({ keyword, iso_code, language_code }) => ({
    url: withQuery('https://suggestqueries.google.com/complete/search', {
      client: 'chrome',
      q: keyword,
      ...languageIn('hl', language_code),
      gl: countryIn(iso_code),
      ...utf8,
    }),
    headers: {},
  })),

  bing: isCalled('bing-suggest', (asked) => ({
    url: withQuery('https://api.bing.com/osjson.aspx', { query: asked.keyword, market: marketOf(asked) }),
    headers: {},
  })),

  yahoo: isCalled('yahoo-suggest', ({ keyword, iso_code }) => {
    const country = yahooCountry(iso_code);
    const host = country === 'us' ? 'search' : `${country}.search`;
    return {
      url: withQuery(`https://${host}.yahoo.com/sugg/gossip/gossip-${country}-ura/`, {
        output: 'sd1',
        command: keyword,
        nresults: '20',
      }),
      headers: {},
    };
  }),

  youtube: isCalled('youtube-suggest', ({ keyword, iso_code, language_code }) => ({
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
  })),
};
