/** Which searches share a result, and for how long (Readings 12 and 14). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { reuseSeconds, snapshotHash } from '../../../lib/crawl/search-hash.ts';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';

const search = (fields: Record<string, unknown> = {}) =>
  v.parse(GoogleCrawlRequest, {
    keyword: 'coffee',
    location_name: 'Austin,Texas,United States',
    iso_code: 'US',
    language_code: 'en',
    ...fields,
  });

const hour = 3600;

// Reading 14, written by hand.
test.each([
  [null, 168 * hour],
  [-1, 0],
  [0, 0],
  [1, 168 * hour],
  [24, 168 * hour],
  [168, 168 * hour],
  [169, 169 * hour],
  [720, 720 * hour],
])('with a frequency of %s, a search of Google is reused for %i s', (frequency, seconds) => {
  expect(reuseSeconds('google', frequency)).toBe(seconds);
});

test('the hash is a SHA-256 in hex', () => {
  expect(snapshotHash(search())).toMatch(/^[0-9a-f]{64}$/);
});

// Reading 14: fields that are not part of a search's identity. Readings 15 and 28: other spellings of the same value.
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
  { engine_domain: '' },
  { engine_domain: 'www.google.com' },
  { engine_domain: 'Google.com' },
])('is the same search with %j', (fields) => {
  expect(snapshotHash(search(fields))).toBe(snapshotHash(search()));
});

test('UK and GB are the same country', () => {
  expect(snapshotHash(search({ iso_code: 'UK' }))).toBe(snapshotHash(search({ iso_code: 'GB' })));
});

const others: Record<string, unknown>[] = [
  {},
  { keyword: 'Coffee' },
  { keyword: 'coffee ' },
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

test('no two different searches share a hash', () => {
  expect(new Set(others.map((fields) => snapshotHash(search(fields)))).size).toBe(others.length);
});
