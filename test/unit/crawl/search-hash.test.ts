/** Which searches are the same (Reading 12). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { searchHash } from '../../../lib/crawl/search-hash.ts';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { Search } from '../../../lib/model/search.ts';

const search = (fields: Record<string, unknown> = {}): Search => ({
  engine: 'google',
  ...v.parse(GoogleCrawlRequest, {
    keyword: 'coffee',
    location_name: 'Austin,Texas,United States',
    iso_code: 'US',
    language_code: 'en',
    ...fields,
  }),
});

test('the hash is a SHA-256 in hex', () => {
  expect(searchHash(search())).toMatch(/^[0-9a-f]{64}$/);
});

// Fields that are not part of a search's identity (Reading 14), and other spellings of the same value
// (Readings 15 and 28; a language in either case).
test.each<Record<string, unknown>>([
  { domain: 'acme.example' },
  { business_name: 'Acme' },
  { competitors: [{ keyword_id: 1, competitor: 'rival.example', type: 'domain' }] },
  { post_id: 'p' },
  { keyword_id: 7 },
  { postback_url: 'https://hooks.example/a' },
  { frequency: 0 },
  { priority: 2 },
  { se_id: 4 },
  { iso_code: 'us' },
  { language_code: 'EN' },
  { engine_domain: '' },
  { engine_domain: 'www.google.com' },
  { engine_domain: 'Google.com' },
])('is the same search with %j', (fields) => {
  expect(searchHash(search(fields))).toBe(searchHash(search()));
});

test.each<Record<string, unknown>>([
  { safe: 'active' },
  { nfpr: 1 },
  { filter: 0 },
  { lr: 'lang_de' },
  { cr: 'countryDE' },
  { tbs: 'qdr:w' },
  { udm: 14 },
  { coordinates: '52.52,13.405' },
])('is another search with %j', (fields) => {
  expect(searchHash(search(fields))).not.toBe(searchHash(search()));
});

test('UK and GB are one country', () => {
  expect(searchHash(search({ iso_code: 'UK' }))).toBe(searchHash(search({ iso_code: 'GB' })));
});

const others: Record<string, unknown>[] = [
  {},
  { keyword: 'Coffee' },
  { keyword: 'coffee&hl=fr', language_code: '' },
  { location_name: '' },
  { location_name: 'Austin' },
  { iso_code: 'CA' },
  { language_code: 'fr' },
  { language_code: '' },
  { device: 'mobile' },
  { engine_domain: 'google.ca' },
  { depth: 11 },
  { depth: 100 },
];

test('white space makes no other search', () => {
  expect(searchHash(search({ keyword: ' coffee\t' }))).toBe(searchHash(search({ keyword: 'coffee' })));
});

test('no two different searches share a hash', () => {
  expect(new Set(others.map((fields) => searchHash(search(fields)))).size).toBe(others.length);
});
