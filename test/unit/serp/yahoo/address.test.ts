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

const rows: Row[] = [];

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
