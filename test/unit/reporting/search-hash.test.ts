/** Which searches share their crawls. */
import { expect, test } from 'vitest';
import type { TrackedSearch } from '../../../lib/model/tracking.ts';
import { trackedSearchHash } from '../../../lib/reporting/search-hash.ts';

const search: TrackedSearch = {
  engine: 'google',
  engine_domain: 'google.de',
  keyword: 'coffee beans',
  location_name: 'Berlin, Germany',
  iso_code: 'DE',
  language_code: 'de',
  device: 'desktop',
};

test.each<[string, Partial<TrackedSearch>]>([
  ['the case of the country', { iso_code: 'de' }],
  ['the case of the place', { location_name: ' berlin, germany' }],
  ['the case of the language', { language_code: 'DE' }],
  ['www. before the domain of the engine', { engine_domain: 'www.Google.de' }],
  ['white space around and between the words', { keyword: ' coffee\u3000 beans\n' }],
  ['the case of the keyword', { keyword: 'Coffee BEANS' }],
])('%s does not make another search', (_, change) => {
  expect(trackedSearchHash({ ...search, ...change })).toBe(trackedSearchHash(search));
});

test.each<Partial<TrackedSearch>>([
  { engine: 'bing', engine_domain: 'bing.com' },
  { engine_domain: 'google.at' },
  { keyword: 'coffee bean' },
  { keyword: 'coffeebeans' },
  { location_name: '' },
  { iso_code: 'AT' },
  { language_code: 'en' },
  { device: 'mobile' },
])('%o makes another search', (change) => {
  expect(trackedSearchHash({ ...search, ...change })).not.toBe(trackedSearchHash(search));
});

test('an operator in capital letters makes another search', () => {
  const hashOf = (keyword: string) => trackedSearchHash({ ...search, keyword });

  expect(hashOf('coffee OR tea')).not.toBe(hashOf('coffee or tea'));
  expect(hashOf('coffee NOT tea')).not.toBe(hashOf('coffee not tea'));
  expect(hashOf('Coffee OR Tea')).toBe(hashOf('coffee OR tea'));
});

test('the Unicode form of letters makes no difference', () => {
  expect(trackedSearchHash({ ...search, keyword: 'cafe\u0301' })).toBe(
    trackedSearchHash({ ...search, keyword: 'café' }),
  );
});

test('UK is GB, and the separator in a language makes no difference', () => {
  const hashOf = (change: Partial<TrackedSearch>) => trackedSearchHash({ ...search, ...change });

  expect(hashOf({ iso_code: 'uk' })).toBe(hashOf({ iso_code: 'GB' }));
  expect(hashOf({ language_code: 'pt_br' })).toBe(hashOf({ language_code: 'pt-BR' }));
});

test('an empty domain is the default of the engine', () => {
  expect(trackedSearchHash({ ...search, engine_domain: '' })).toBe(
    trackedSearchHash({ ...search, engine_domain: 'google.com' }),
  );
});

test('the hash stays the same, because it is stored', () => {
  expect(trackedSearchHash(search)).toMatchInlineSnapshot(`"a2ea9fac71eede25d72e8b4fef9c0f5c"`);
});
