/** The URL of a Yahoo page and the header that must agree with it: each field of the request. */
import { expect, test } from 'vitest';
import type { Device } from '../../../../lib/model/crawl-request.ts';
import { engines } from '../../../../lib/model/engine.ts';
import { address } from '../../../../lib/serp/yahoo/address.ts';

const search = {
  engine: 'yahoo' as const,
  keyword: 'coffee',
  location_name: '',
  iso_code: 'US',
  language_code: 'en',
  engine_domain: 'yahoo.com',
  device: 'desktop' as Device,
  depth: 10,
};

type Row = [
  iso_code: string,
  language_code: string,
  device: Device,
  location_name: string,
  page: number,
  host: string,
  filter: string,
  first: number,
  accepted: string,
];

const rows: Row[] = [
  ['US', 'en', 'desktop', '', 1, 'search.yahoo.com', '', 1, 'en-US,en;q=0.9'],
  ['us', 'EN', 'mobile', '', 1, 'search.yahoo.com', '', 1, 'en-US,en;q=0.9'],
  ['US', 'es', 'desktop', '', 1, 'espanol.search.yahoo.com', '', 1, 'es-US,es;q=0.9'],
  ['US', 'es-MX', 'mobile', '', 2, 'espanol.search.yahoo.com', '', 8, 'es-US,es;q=0.9'],
  ['US', 'fr', 'desktop', '', 1, 'search.yahoo.com', 'lang_fr', 1, 'fr-US,fr;q=0.9'],
  ['US', 'en', 'desktop', 'Austin,Texas,United States', 3, 'search.yahoo.com', '', 15, 'en-US,en;q=0.9'],
  ['GB', 'en', 'desktop', 'London,England,United Kingdom', 1, 'uk.search.yahoo.com', '', 1, 'en-GB,en;q=0.9'],
  ['UK', 'en', 'mobile', '', 10, 'uk.search.yahoo.com', '', 64, 'en-GB,en;q=0.9'],
  ['GB', 'en-US', 'desktop', '', 1, 'uk.search.yahoo.com', '', 1, 'en-GB,en;q=0.9'],
  ['GB', 'de', 'desktop', '', 1, 'uk.search.yahoo.com', 'lang_de', 1, 'de-GB,de;q=0.9'],
  ['CA', 'en', 'desktop', '', 1, 'ca.search.yahoo.com', '', 1, 'en-CA,en;q=0.9'],
  ['CA', 'fr', 'mobile', 'Montreal,Quebec,Canada', 4, 'qc.search.yahoo.com', '', 22, 'fr-CA,fr;q=0.9'],
  ['CA', 'fr-CA', 'desktop', '', 1, 'qc.search.yahoo.com', '', 1, 'fr-CA,fr;q=0.9'],
  ['DE', 'de', 'desktop', 'Berlin,Germany', 2, 'de.search.yahoo.com', '', 8, 'de-DE,de;q=0.9'],
  ['DE', 'de-DE', 'mobile', '', 1, 'de.search.yahoo.com', '', 1, 'de-DE,de;q=0.9'],
  ['DE', 'en', 'desktop', '', 1, 'de.search.yahoo.com', 'lang_en', 1, 'en-DE,en;q=0.9'],
  ['CH', 'de', 'desktop', '', 1, 'ch.search.yahoo.com', '', 1, 'de-CH,de;q=0.9'],
  ['CH', 'fr', 'desktop', '', 1, 'chfr.search.yahoo.com', '', 1, 'fr-CH,fr;q=0.9'],
  ['CH', 'it', 'mobile', '', 1, 'chit.search.yahoo.com', '', 1, 'it-CH,it;q=0.9'],
  ['AT', 'de', 'desktop', '', 1, 'at.search.yahoo.com', '', 1, 'de-AT,de;q=0.9'],
  ['IN', 'en', 'mobile', '', 1, 'in.search.yahoo.com', '', 1, 'en-IN,en;q=0.9'],
  ['IN', 'hi', 'desktop', '', 1, 'in.search.yahoo.com', '', 1, 'hi-IN,hi;q=0.9'],
  ['MY', 'ms', 'desktop', '', 1, 'malaysia.search.yahoo.com', '', 1, 'ms-MY,ms;q=0.9'],
  ['MY', 'en', 'desktop', '', 1, 'malaysia.search.yahoo.com', '', 1, 'en-MY,en;q=0.9'],
  ['PH', 'tl', 'desktop', '', 1, 'ph.search.yahoo.com', '', 1, 'fil-PH,fil;q=0.9'],
  ['FR', 'fr', 'desktop', 'Lille,Hauts-de-France,France', 5, 'fr.search.yahoo.com', '', 29, 'fr-FR,fr;q=0.9'],
  ['FR', 'de', 'desktop', '', 1, 'fr.search.yahoo.com', 'lang_de', 1, 'de-FR,de;q=0.9'],
  ['ES', 'es-419', 'desktop', '', 1, 'es.search.yahoo.com', '', 1, 'es-ES,es;q=0.9'],
  ['ES', 'ca', 'desktop', '', 1, 'es.search.yahoo.com', '', 1, 'ca-ES,ca;q=0.9'],
  ['BR', 'pt-BR', 'mobile', '', 6, 'br.search.yahoo.com', '', 36, 'pt-BR,pt;q=0.9'],
  ['NO', 'no', 'desktop', '', 1, 'no.search.yahoo.com', '', 1, 'no-NO,no;q=0.9'],
  ['NO', 'nb', 'mobile', '', 1, 'no.search.yahoo.com', '', 1, 'no-NO,no;q=0.9'],
  ['ID', 'in', 'desktop', '', 1, 'id.search.yahoo.com', '', 1, 'id-ID,id;q=0.9'],
  ['ID', 'id', 'desktop', 'Jakarta,Indonesia', 1, 'id.search.yahoo.com', '', 1, 'id-ID,id;q=0.9'],
  ['IL', 'iw', 'desktop', '', 1, 'search.yahoo.com', 'lang_he', 1, 'he-IL,he;q=0.9'],
  ['KE', 'sw', 'desktop', '', 1, 'search.yahoo.com', '', 1, 'sw-KE,sw;q=0.9'],
  ['KE', 'en', 'desktop', '', 1, 'search.yahoo.com', '', 1, 'en-KE,en;q=0.9'],
  ['TW', 'zh-TW', 'desktop', '', 7, 'tw.search.yahoo.com', '', 43, 'zh-TW,zh;q=0.9'],
  ['TW', 'zh', 'desktop', '', 1, 'tw.search.yahoo.com', '', 1, 'zh-TW,zh;q=0.9'],
  ['TW', 'zh-CN', 'desktop', '', 1, 'tw.search.yahoo.com', 'lang_zh_chs', 1, 'zh-TW,zh;q=0.9'],
  ['HK', 'zh-Hans', 'mobile', '', 1, 'hk.search.yahoo.com', 'lang_zh_chs', 1, 'zh-HK,zh;q=0.9'],
  ['HK', 'zh-Hant-HK', 'mobile', '', 1, 'hk.search.yahoo.com', '', 1, 'zh-HK,zh;q=0.9'],
  ['CN', 'zh', 'desktop', '', 1, 'search.yahoo.com', 'lang_zh_chs', 1, 'zh-CN,zh;q=0.9'],
  ['CN', 'zh-TW', 'desktop', '', 1, 'search.yahoo.com', 'lang_zh_cht', 1, 'zh-CN,zh;q=0.9'],
  ['SG', 'zh', 'desktop', '', 1, 'sg.search.yahoo.com', 'lang_zh_chs', 1, 'zh-SG,zh;q=0.9'],
  ['JP', 'ja', 'desktop', 'Tokyo,Japan', 1, 'search.yahoo.com', 'lang_ja', 1, 'ja-JP,ja;q=0.9'],
  ['KR', 'ko', 'mobile', '', 8, 'search.yahoo.com', 'lang_ko', 50, 'ko-KR,ko;q=0.9'],
  ['UA', 'uk', 'desktop', '', 1, 'search.yahoo.com', '', 1, 'uk-UA,uk;q=0.9'],
  ['DE', '', 'desktop', '', 1, 'de.search.yahoo.com', '', 1, 'de-DE,de;q=0.9'],
  ['KE', '', 'mobile', '', 2, 'search.yahoo.com', '', 8, 'sw-KE,sw;q=0.9'],
  ['NO', '', 'desktop', '', 1, 'no.search.yahoo.com', '', 1, 'no-NO,no;q=0.9'],
];

test.each(rows)('country %s, language %s, %s, place %s, page %i: %s, filter %s, first %i, %s', (...row) => {
  const [iso_code, language_code, device, location_name, page, host, filter, first, accepted] = row;
  const wanted = { ...search, iso_code, language_code, device, location_name };
  const url = new URL(address.pageUrl(wanted, page));

  expect(`${url.origin}${url.pathname}`).toBe(`https://${host}/search`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    p: 'coffee',
    ei: 'UTF-8',
    ...(filter && { vl: filter, fl: '1' }),
    b: String(first),
    pz: '7',
  });
  expect(address.headers(wanted)).toEqual({ 'accept-language': accepted });
});

test.each([
  ['', 'fr.search.yahoo.com'],
  ['yahoo.com', 'fr.search.yahoo.com'],
  ['www.yahoo.com', 'fr.search.yahoo.com'],
  ['search.yahoo.com', 'search.yahoo.com'],
  ['uk.search.yahoo.com', 'uk.search.yahoo.com'],
  ['UK.yahoo.com', 'uk.search.yahoo.com'],
  ['espanol.search.yahoo.com', 'espanol.search.yahoo.com'],
])('the domain "%s" for a search in France: %s', (engine_domain, host) => {
  const wanted = { ...search, iso_code: 'FR', language_code: 'fr', engine_domain };

  expect(new URL(address.pageUrl(wanted, 1)).host).toBe(host);
});

test.each([...engines.yahoo.domains])('%s is a host of the search, or leads to one', (engine_domain) => {
  expect(new URL(address.pageUrl({ ...search, engine_domain }, 1)).host).toMatch(
    /^(?:[a-z]+\.)?search\.yahoo\.com$/,
  );
});

test('Yahoo Japan is another engine', () => {
  expect(engines.yahoo.domains.has('search.yahoo.co.jp')).toBe(false);
});

test.each([
  ['plus, ampersand and hash', 'c++ & c# = ?'],
  ['quotes and operators', '"flat white" site:example.com -decaf'],
  ['percent signs', '100%25 off 50%'],
  ['other scripts', 'コーヒー кофе'],
  ['emoji', '☕🏔'],
  ['line breaks', 'a\nb'],
])('the URL contains a keyword with %s unchanged', (_, keyword) => {
  expect(new URL(address.pageUrl({ ...search, keyword }, 1)).searchParams.get('p')).toBe(keyword);
});
