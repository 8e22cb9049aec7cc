/** The addresses that each engine is asked at. */
import { describe, expect, test } from 'vitest';
import { countries } from '../../../lib/model/country.ts';
import { type EngineName, engineNames, engines } from '../../../lib/model/engine.ts';
import { engineSuggestions } from '../../../lib/provider/engine-suggestions.ts';
import { pageUrl } from '../../../lib/serp/address.ts';

const request = (engine: EngineName, iso_code: string, language_code: string | null, keyword = 'a b&c') =>
  engineSuggestions.request({ engine_name: engine, keyword, iso_code, language_code });

test.each<[EngineName, string, string | null, string]>([
  [
    'google',
    'de',
    'de',
    'https://suggestqueries.google.com/complete/search?client=chrome&q=a+b%26c&hl=de&gl=de&ie=utf-8&oe=utf-8',
  ],
  [
    'google',
    'UK',
    null,
    'https://suggestqueries.google.com/complete/search?client=chrome&q=a+b%26c&gl=gb&ie=utf-8&oe=utf-8',
  ],
  ['bing', 'BR', 'pt_br', 'https://api.bing.com/osjson.aspx?query=a+b%26c&market=pt-BR'],
  ['bing', 'NO', 'no', 'https://api.bing.com/osjson.aspx?query=a+b%26c&market=nb-NO'],
  ['bing', 'JP', '', 'https://api.bing.com/osjson.aspx?query=a+b%26c&market=ja-JP'],
  [
    'yahoo',
    'US',
    'en',
    'https://search.yahoo.com/sugg/gossip/gossip-us-ura/?output=sd1&command=a+b%26c&nresults=20',
  ],
  [
    'yahoo',
    'FR',
    'fr',
    'https://fr.search.yahoo.com/sugg/gossip/gossip-fr-ura/?output=sd1&command=a+b%26c&nresults=20',
  ],
  [
    'yahoo',
    'GB',
    'en',
    'https://uk.search.yahoo.com/sugg/gossip/gossip-uk-ura/?output=sd1&command=a+b%26c&nresults=20',
  ],
  [
    'yahoo',
    'MY',
    'en',
    'https://malaysia.search.yahoo.com/sugg/gossip/gossip-my-ura/?output=sd1&command=a+b%26c&nresults=20',
  ],
  [
    'yahoo',
    'KE',
    'en',
    'https://search.yahoo.com/sugg/gossip/gossip-us-ura/?output=sd1&command=a+b%26c&nresults=20',
  ],
  [
    'youtube',
    'de',
    'de',
    'https://suggestqueries-clients6.youtube.com/complete/search?client=youtube&ds=yt&xhr=t&q=a+b%26c&hl=de&gl=DE&ie=utf-8&oe=utf-8',
  ],
])('%s in %s and %s', (engine, iso, language, url) => {
  expect(request(engine, iso, language).url).toBe(url);
});

/** The market in an address: the host and the country in its path for Yahoo, otherwise a parameter. */
const markets: Record<EngineName, { ofPage: (url: URL) => unknown; ofSuggestions: (url: URL) => unknown }> = {
  google: {
    ofPage: ({ searchParams }) => searchParams.get('gl'),
    ofSuggestions: ({ searchParams }) => searchParams.get('gl'),
  },
  bing: {
    ofPage: ({ searchParams }) => searchParams.get('mkt'),
    ofSuggestions: ({ searchParams }) => searchParams.get('market'),
  },
  yahoo: { ofPage: ({ host }) => host, ofSuggestions: ({ host }) => host },
  youtube: {
    ofPage: ({ searchParams }) => searchParams.get('gl'),
    ofSuggestions: ({ searchParams }) => searchParams.get('gl'),
  },
};

const search = { keyword: 'k', location_name: '', engine_domain: '', device: 'desktop', depth: 10 } as const;

describe.each(engineNames)('%s', (engine) => {
  const { ofPage, ofSuggestions } = markets[engine];

  test('is asked for suggestions in the market of its pages, for each country', () => {
    const codes = [...countries, 'UK'];
    const pages = codes.map((iso_code) =>
      ofPage(new URL(pageUrl({ ...search, engine, iso_code, language_code: '' }, 1))),
    );
    const suggestions = codes.map((iso_code) => ofSuggestions(new URL(request(engine, iso_code, null).url)));

    expect(suggestions).toEqual(pages);
    expect(new Set(pages).size).toBeGreaterThan(30);
  });
});

test.each([...engines.bing.languages])(
  'Bing has one market for its pages and its suggestions in %s',
  (language_code) => {
    const page = new URL(pageUrl({ ...search, engine: 'bing', iso_code: 'US', language_code }, 1));

    expect(markets.bing.ofSuggestions(new URL(request('bing', 'US', language_code).url))).toBe(
      markets.bing.ofPage(page),
    );
  },
);

test.each([
  ['au', 'AU'],
  ['uk', 'GB'],
  ['my', 'MY'],
  ['us', 'US'],
  ['us', 'CI'],
])('Yahoo calls the country %s in the path of suggestions for %s', (name, isoCode) => {
  expect(new URL(request('yahoo', isoCode, 'en').url).pathname).toBe(`/sugg/gossip/gossip-${name}-ura/`);
});

test('the engines are a source, each of them with its own rate', () => {
  expect(engineSuggestions).toMatchObject({ name: 'engines', data: 'suggestions', asksEngines: true });
});

test('the other engines are asked without headers', () => {
  expect(request('google', 'DE', 'de')).toEqual({ method: 'GET', url: expect.any(String), headers: {} });
});

test('the site of videos is asked as its own search box asks', () => {
  expect(request('youtube', 'DE', 'de').headers).toEqual({
    origin: 'https://www.youtube.com',
    referer: 'https://www.youtube.com',
  });
});
