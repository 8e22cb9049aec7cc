/** The URL of a Bing page and the header that must agree with it: each field of the request. */
import { expect, test } from 'vitest';
import type { Device } from '../../../../lib/model/crawl-request.ts';
import { address } from '../../../../lib/serp/bing/address.ts';

const search = {
  engine: 'bing' as const,
  keyword: 'coffee',
  location_name: '',
  iso_code: 'US',
  language_code: 'en',
  engine_domain: 'bing.com',
  device: 'desktop' as Device,
  depth: 10,
};

type Row = [
  iso_code: string,
  language_code: string,
  device: Device,
  location_name: string,
  page: number,
  mkt: string,
  first: number,
];

const rows: Row[] = [
  ['US', 'en', 'desktop', '', 1, 'en-US', 1],
  ['us', 'EN', 'desktop', '', 1, 'en-US', 1],
  ['US', 'es', 'desktop', '', 1, 'es-US', 1],
  ['US', 'en', 'mobile', '', 2, 'en-US', 11],
  ['US', 'en', 'desktop', 'Austin,Texas,United States', 3, 'en-US', 21],
  ['GB', 'en', 'desktop', 'London,England,United Kingdom', 1, 'en-GB', 1],
  ['UK', 'en', 'mobile', '', 10, 'en-GB', 91],
  ['GB', 'en-US', 'desktop', '', 1, 'en-GB', 1],
  ['IE', 'en', 'desktop', '', 1, 'en-IE', 1],
  ['CA', 'fr', 'desktop', 'Montreal,Quebec,Canada', 1, 'fr-CA', 1],
  ['CA', 'fr-CA', 'mobile', '', 4, 'fr-CA', 31],
  ['AU', 'en', 'desktop', '', 1, 'en-AU', 1],
  ['IN', 'en', 'mobile', '', 1, 'en-IN', 1],
  ['IN', 'hi', 'desktop', 'Mumbai,Maharashtra,India', 1, 'hi-IN', 1],
  ['DE', 'de', 'desktop', '', 1, 'de-DE', 1],
  ['DE', 'de-DE', 'mobile', 'Berlin,Germany', 2, 'de-DE', 11],
  ['DE', 'en', 'desktop', '', 1, 'en-DE', 1],
  ['AT', 'de', 'desktop', '', 1, 'de-AT', 1],
  ['CH', 'fr', 'desktop', '', 1, 'fr-CH', 1],
  ['CH', 'de_CH', 'desktop', '', 1, 'de-CH', 1],
  ['BE', 'nl', 'mobile', '', 1, 'nl-BE', 1],
  ['NL', 'nl', 'desktop', 'Amsterdam,Netherlands', 1, 'nl-NL', 1],
  ['FR', 'fr', 'desktop', 'Lille,Hauts-de-France,France', 5, 'fr-FR', 41],
  ['ES', 'es-419', 'desktop', '', 1, 'es-ES', 1],
  ['MX', 'es', 'desktop', '', 1, 'es-MX', 1],
  ['BR', 'pt-BR', 'mobile', '', 1, 'pt-BR', 1],
  ['BR', 'pt', 'desktop', 'Sao Paulo,Brazil', 6, 'pt-BR', 51],
  ['PT', 'pt_PT', 'desktop', '', 1, 'pt-PT', 1],
  ['NO', 'no', 'desktop', '', 1, 'nb-NO', 1],
  ['NO', 'nb', 'mobile', '', 1, 'nb-NO', 1],
  ['IL', 'iw', 'desktop', '', 1, 'he-IL', 1],
  ['ID', 'in', 'mobile', '', 1, 'id-ID', 1],
  ['ID', 'id', 'desktop', 'Jakarta,Indonesia', 1, 'id-ID', 1],
  ['PH', 'tl', 'desktop', '', 1, 'fil-PH', 1],
  ['CN', 'zh-CN', 'desktop', '', 1, 'zh-CN', 1],
  ['TW', 'zh-Hant-TW', 'desktop', '', 7, 'zh-TW', 61],
  ['HK', 'zh-TW', 'mobile', '', 1, 'zh-HK', 1],
  ['JP', 'ja', 'desktop', 'Tokyo,Japan', 1, 'ja-JP', 1],
  ['KR', 'ko', 'mobile', '', 8, 'ko-KR', 71],
  ['KZ', 'kk', 'desktop', '', 1, 'kk-KZ', 1],
  ['KZ', 'ru', 'desktop', 'Almaty,Kazakhstan', 1, 'ru-KZ', 1],
  ['IR', 'fa', 'desktop', '', 1, 'fa-IR', 1],
  ['RS', 'sr-Latn', 'desktop', '', 1, 'sr-RS', 1],
  ['UA', 'uk', 'mobile', '', 9, 'uk-UA', 81],
  ['BR', '', 'desktop', '', 1, 'pt-BR', 1],
  ['KZ', '', 'mobile', '', 2, 'ru-KZ', 11],
  ['GB', '', 'desktop', '', 1, 'en-GB', 1],
  ['NO', '', 'desktop', '', 1, 'nb-NO', 1],
];

test.each(rows)('country %s, language %s, %s, place %s, page %i: mkt %s, first %i', (...row) => {
  const [iso_code, language_code, device, location_name, page, mkt, first] = row;
  const wanted = { ...search, iso_code, language_code, device, location_name };
  const url = new URL(address.pageUrl(wanted, page));

  expect(`${url.origin}${url.pathname}`).toBe('https://www.bing.com/search');
  expect(Object.fromEntries(url.searchParams)).toEqual({ q: 'coffee', mkt, first: String(first) });
  expect(address.headers(wanted)).toEqual({ 'accept-language': `${mkt},${mkt.split('-')[0]};q=0.9` });
});

test.each([
  ['plus, ampersand and hash', 'c++ & c# = ?'],
  ['quotes and operators', '"flat white" site:example.com -decaf'],
  ['percent signs', '100%25 off 50%'],
  ['other scripts', 'コーヒー кофе'],
  ['emoji', '☕🏔'],
  ['line breaks', 'a\nb'],
])('the URL contains a keyword with %s unchanged', (_, keyword) => {
  expect(new URL(address.pageUrl({ ...search, keyword }, 1)).searchParams.get('q')).toBe(keyword);
});
