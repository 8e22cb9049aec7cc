/** What pages say of their country and their language, and how it is compared with what was asked. */
import { describe, expect, test } from 'vitest';
import { marketAsked } from '../../../lib/serp/address.ts';
import {
  isSameLanguage,
  otherCountryOf,
  otherLanguageOf,
  type PageMarket,
} from '../../../lib/serp/market.ts';
import { readers } from '../../../lib/serp/reader.ts';

test.each([
  ['US', 'DE', 'DE'],
  ['US', 'US', undefined],
  ['us', 'US', undefined],
  ['UK', 'GB', undefined],
  ['GB', 'IE', 'IE'],
  ['PR', 'US', undefined],
  ['US', 'PR', 'PR'],
  ['RE', 'FR', undefined],
  ['HK', 'CN', 'CN'],
  ['TW', 'CN', 'CN'],
  ['CN', 'HK', 'HK'],
  ['US', undefined, undefined],
])('for %s, a page of %s is for another country: %s', (country, own, other) => {
  expect(otherCountryOf({ ...(own && { country: own }) }, { country, language: 'en' })).toBe(other);
});

test('without a known request, no page is for another country', () => {
  expect(otherCountryOf({ country: 'DE' }, undefined)).toBeUndefined();
});

test.each([
  ['en', 'en-GB', true],
  ['en', 'de', false],
  ['pt-BR', 'pt-PT', true],
  ['pt', 'pt-BR', true],
  ['zh-TW', 'zh-CN', false],
  ['zh-HK', 'zh-TW', true],
  ['zh', 'zh-CN', true],
  ['zh-Hant', 'zh-TW', true],
  ['no', 'nb', true],
  ['iw', 'he', true],
  ['in', 'id-ID', true],
  ['tl', 'fil', true],
  ['sr-Latn', 'sr-Cyrl', false],
  ['en', '', true],
  ['en', '!!', true],
])('%s and %s are the same language: %s', (asked, own, same) => {
  expect(isSameLanguage(asked, own)).toBe(same);
});

test('a request without a language accepts every language', () => {
  expect(otherLanguageOf({ language: 'de' }, { country: 'US', language: '' })).toBeUndefined();
  expect(otherLanguageOf({ language: 'de' }, { country: 'US', language: 'en' })).toBe('de');
  expect(otherLanguageOf({}, { country: 'US', language: 'en' })).toBeUndefined();
});

const search = { iso_code: 'US', language_code: 'en', engine_domain: '' };

test.each([
  ['google', { iso_code: 'uk', language_code: 'en' }, { country: 'GB', language: 'en' }],
  ['google', { engine_domain: 'google.de' }, { country: 'US', language: 'en' }],
  ['bing', { language_code: '' }, { country: 'US', language: '' }],
  ['yahoo', {}, { country: 'US', language: 'en' }],
  ['yahoo', { iso_code: 'GB' }, { country: 'GB', language: 'en' }],
  ['yahoo', { iso_code: 'MY', language_code: 'ms' }, { country: 'MY', language: 'en' }],
  ['yahoo', { language_code: 'es' }, { country: 'US', language: 'es' }],
  ['yahoo', { iso_code: 'DE', language_code: 'en' }, { country: 'DE', language: 'de' }],
  ['yahoo', { iso_code: 'KE' }, { country: 'US', language: 'en' }],
  ['yahoo', { engine_domain: 'fr.yahoo.com' }, { country: 'FR', language: 'fr' }],
  ['youtube', { iso_code: 'DE', language_code: 'de' }, { country: 'DE', language: 'de' }],
] as const)('%s is asked for a market by %j', (engine, given, expected) => {
  expect(marketAsked({ engine, ...search, ...given })).toEqual(expected);
});

const marketOf = (engine: keyof typeof readers, body: string): PageMarket =>
  readers[engine].open(body).market();

describe('google', () => {
  const page = ({ lang = 'en', links = '', footer = '' }) =>
    `<html lang="${lang}"><body>${links}<div role="contentinfo" id="sfooter"><div id="fbar">${footer}</div></div></body></html>`;
  const line = (country: string, place = '') =>
    `<div><span>${country}</span><div><a href="#" role="button"><div><span>${place}</span></div></a></div></div>`;
  const own = (more = '') => `<a href="/search?q=tea&start=10${more}">2</a>`;
  const products = (host: string) => `<a href="https://www.google.${host}/intl/en/about/products">Apps</a>`;

  test.each<[string, string, string | undefined]>([
    ['the region of the language', page({ lang: 'en-ES' }), 'ES'],
    ['the line of the footer', page({ lang: 'fr', footer: line('France', 'Lyon') }), 'FR'],
    ['the line of the footer in another language', page({ lang: 'th', footer: line('ไทย') }), 'TH'],
    ['a line and a region that agree', page({ lang: 'en-IN', footer: line('India') }), 'IN'],
    [
      'a line and a region that contradict each other',
      page({ lang: 'en-IN', footer: line('Spain') }),
      undefined,
    ],
    ['the place of the client with the name of a country', page({ footer: line('', 'Georgia') }), undefined],
    ['a word that is no country', page({ footer: line('Help') }), undefined],
    ['the country in its own links', page({ links: own('&gl=de') }), 'DE'],
    ['the code uk in its own links', page({ links: own('&gl=uk') }), 'GB'],
    ['several countries in its own links', page({ links: own('&gl=de') + own('&gl=us') }), undefined],
    ['the local host, without a country in its own links', page({ links: own() + products('co.th') }), 'TH'],
    [
      'the local host, with a country in its own links',
      page({ links: own('&gl=us') + products('pt') }),
      'US',
    ],
    ['the local host, without links of its own', page({ links: products('pt') }), undefined],
    ['the host com', page({ links: own() + products('com') }), undefined],
    ['a language of a region', page({ lang: 'pt-BR' }), undefined],
    ['a region that is no country', page({ lang: 'es-419' }), undefined],
    ['a malformed language', page({ lang: '!', footer: line('France') }), undefined],
    ['nothing', page({}), undefined],
  ])('reads the country of a page with %s', (_, html, country) => {
    expect(marketOf('google', html).country).toBe(country);
  });

  test('reads the language, if there is one', () => {
    expect(marketOf('google', page({ lang: 'pt-BR' })).language).toBe('pt-BR');
    expect(marketOf('google', '<html><body></body></html>')).toEqual({});
  });
});

describe('bing', () => {
  const page = (settings: string) =>
    `<html lang="en"><script>_G={${settings},RTL:false}</script><a href="/search?q=a&mkt=fr-FR">2</a></html>`;

  test.each<[string, PageMarket]>([
    ['Region:"IN",Lang:"en-US",Mkt:"en-US",RevIpCC:"us"', { country: 'IN', language: 'en-US' }],
    ['Region:"UK",Lang:"en-GB"', { country: 'GB', language: 'en-GB' }],
    ['Region:"WW",Lang:"en-US",RevIpCC:"kz"', { language: 'en-US' }],
    ['RevIpCC:"de"', { language: 'en' }],
  ])('reads %s', (settings, expected) => {
    expect(marketOf('bing', page(settings))).toEqual(expected);
  });

  test('reads settings only at their place', () => {
    expect(marketOf('bing', `<html><script>Region:"DE"</script></html>`)).toEqual({});
  });
});

describe('yahoo', () => {
  const page = (host: string, lang: string) =>
    `<html lang="${lang}"><form action="${host && `https://${host}/search`}"><input name="p" value="tea"></form></html>`;

  test.each<[string, string, PageMarket]>([
    ['au.search.yahoo.com', 'en-AU', { country: 'AU', language: 'en-AU' }],
    ['uk.search.yahoo.com', 'en-GB', { country: 'GB', language: 'en-GB' }],
    ['espanol.search.yahoo.com', 'es-US', { country: 'US', language: 'es-US' }],
    ['qc.search.yahoo.com', 'fr-CA', { country: 'CA', language: 'fr-CA' }],
    ['malaysia.search.yahoo.com', 'en-MY', { country: 'MY', language: 'en-MY' }],
    ['search.yahoo.com', 'en-US', { country: 'US', language: 'en-US' }],
    ['zz.search.yahoo.com', 'en', { language: 'en' }],
    ['elsewhere.example', 'en-US', { country: 'US', language: 'en-US' }],
    ['', 'de', { language: 'de' }],
  ])('reads a form to %s in %s', (host, lang, expected) => {
    expect(marketOf('yahoo', page(host, lang))).toEqual(expected);
  });
});

describe('youtube', () => {
  const page = (settings: string, lang = 'en') =>
    `<html lang="${lang}"><script>ytcfg.set({${settings}});var ytInitialData = {"topbar":{"countryCode":"GB"},"contents":{}};</script></html>`;

  test.each<[string, PageMarket]>([
    ['"INNERTUBE_CONTEXT_GL":"MX","INNERTUBE_CONTEXT_HL":"es-419"', { country: 'MX', language: 'es-419' }],
    ['"GL":"AU","HL":"en-GB"', { country: 'AU', language: 'en-GB' }],
    ['"GL": "ID"', { country: 'ID', language: 'en' }],
    ['"API":"1"', { language: 'en' }],
  ])('reads %s', (settings, expected) => {
    expect(marketOf('youtube', page(settings))).toEqual(expected);
  });

  test('an answer of the search interface says neither: its country is that of the request', () => {
    expect(marketOf('youtube', '{"topbar":{"countryCode":"GB"},"contents":{}}')).toEqual({});
  });
});
