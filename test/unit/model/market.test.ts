/** How the engines name countries and languages. */
import { describe, expect, test } from 'vitest';
import {
  bingMarket,
  countryOfYahooHost,
  languageOfCountry,
  languageOfYahooHost,
  yahooCountryHost,
  yahooHost,
  yahooInternational,
  yahooLanguage,
} from '../../../lib/model/market.ts';

test.each([
  ['DE', 'de'],
  ['BR', 'pt'],
  ['JP', 'ja'],
])('the most common language of %s is %s', (country, language) => {
  expect(languageOfCountry(country)).toBe(language);
});

test.each([
  ['US', 'iw', 'he-US'],
  ['ID', 'in', 'id-ID'],
  ['US', 'ji', 'yi-US'],
  ['ID', 'jw', 'jv-ID'],
  ['NO', 'no', 'nb-NO'],
  ['PH', 'tl', 'fil-PH'],
  ['BR', 'pt_br', 'pt-BR'],
  ['uk', 'en', 'en-GB'],
  ['FR', '', 'fr-FR'],
])('Bing calls %s in %j %s', (iso_code, language_code, market) => {
  expect(bingMarket({ iso_code, language_code })).toBe(market);
});

test.each([
  ['US', 'iw', 'he'],
  ['ID', 'in', 'id'],
  ['NO', 'nb', 'no'],
  ['NO', 'nn', 'no'],
  ['PH', 'tl', 'fil'],
  ['BR', 'pt-BR', 'pt'],
  ['FR', '', 'fr'],
  ['NO', '', 'no'],
])('Yahoo calls the language of %s in %j %s', (iso_code, language_code, language) => {
  expect(yahooLanguage({ iso_code, language_code })).toBe(language);
});

describe("Yahoo's host", () => {
  test.each([
    ['DE', 'de.search.yahoo.com'],
    ['gb', 'uk.search.yahoo.com'],
    ['UK', 'uk.search.yahoo.com'],
    ['MY', 'malaysia.search.yahoo.com'],
    ['US', 'search.yahoo.com'],
    ['KE', 'search.yahoo.com'],
    ['JP', 'search.yahoo.com'],
  ])('of %s is %s', (isoCode, host) => {
    expect(yahooCountryHost(isoCode)).toBe(host);
    expect(yahooHost({ iso_code: isoCode, language_code: 'xx' })).toBe(host);
  });

  test.each([
    ['US', 'es', 'espanol.search.yahoo.com'],
    ['US', 'es-MX', 'espanol.search.yahoo.com'],
    ['CA', 'fr', 'qc.search.yahoo.com'],
    ['CA', 'en', 'ca.search.yahoo.com'],
    ['CH', 'fr', 'chfr.search.yahoo.com'],
    ['CH', 'it', 'chit.search.yahoo.com'],
    ['CH', 'de', 'ch.search.yahoo.com'],
    ['FR', 'fr', 'fr.search.yahoo.com'],
  ])('of %s in %s is %s', (iso_code, language_code, host) => {
    expect(yahooHost({ iso_code, language_code })).toBe(host);
  });

  test.each([
    ['search.yahoo.com', 'en'],
    ['in.search.yahoo.com', 'en'],
    ['malaysia.search.yahoo.com', 'en'],
    ['ph.search.yahoo.com', 'en'],
    ['uk.search.yahoo.com', 'en'],
    ['de.search.yahoo.com', 'de'],
    ['br.search.yahoo.com', 'pt'],
    ['espanol.search.yahoo.com', 'es'],
    ['qc.search.yahoo.com', 'fr'],
    ['chfr.search.yahoo.com', 'fr'],
    ['chit.search.yahoo.com', 'it'],
    ['ch.search.yahoo.com', 'de'],
    ['no.search.yahoo.com', 'no'],
  ])('%s is in %s', (host, language) => {
    expect(languageOfYahooHost(host)).toBe(language);
  });

  test('for countries without one is that of the United States', () => {
    expect(yahooInternational).toEqual({ host: 'search.yahoo.com', country: 'US' });
  });
});

describe('the country of a host of Yahoo', () => {
  test.each([
    ['search.yahoo.com', 'US'],
    ['uk.search.yahoo.com', 'GB'],
    ['malaysia.search.yahoo.com', 'MY'],
    ['de.search.yahoo.com', 'DE'],
    ['espanol.search.yahoo.com', 'US'],
    ['qc.search.yahoo.com', 'CA'],
    ['chfr.search.yahoo.com', 'CH'],
    ['nowhere.search.yahoo.com', ''],
    ['', ''],
  ])('%j is %j', (host, country) => {
    expect(countryOfYahooHost(host)).toBe(country);
  });
});
