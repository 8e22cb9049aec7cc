/** The addresses that each engine is asked at. */
import { expect, test } from 'vitest';
import type { EngineName } from '../../../lib/model/engine.ts';
import { suggestProviders } from '../../../lib/provider/suggest.ts';

const request = (engine: EngineName, iso_code: string, language_code: string | null, keyword = 'a b&c') =>
  suggestProviders[engine].request({ keyword, iso_code, language_code });

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

test('the site of videos is asked as its own search box asks', () => {
  expect(request('youtube', 'DE', 'de').headers).toEqual({
    origin: 'https://www.youtube.com',
    referer: 'https://www.youtube.com',
  });
});
