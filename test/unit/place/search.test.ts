/** The look-up of places by the beginning of a word. */
import { expect, test } from 'vitest';
import { searchPlaces } from '../../../lib/place/search.ts';

const namesFor = async (q: string, iso_code?: string): Promise<string[]> =>
  (await searchPlaces({ q, iso_code })).items.map(({ name }) => name);

test.each([
  ['the beginning of a name', 'berl', 'Berlin,State of Berlin,Germany'],
  ['the beginning of a word', 'provence', "Provence-Alpes-Cote d'Azur,France"],
  ['other case', 'BERL', 'Berlin,State of Berlin,Germany'],
  ['diacritics', 'São Paulo', 'Sao Paulo,Brazil'],
  ['the name in the local language', 'münch', 'Munich,Bavaria,Germany'],
  ['a name and the beginning of its region', 'austin, tex', 'Austin,Texas,United States'],
  ['a country', 'germ', 'Germany'],
  ['another name of a country', 'usa', 'United States'],
])('%s finds the place: %s', async (_, q, name) => {
  expect((await namesFor(q))[0]).toBe(name);
});

test('a name that is equal comes first, then names and words that begin so, larger places first', async () => {
  const names = await namesFor('york');

  expect(names).toEqual([
    'York,England,United Kingdom',
    'York,Pennsylvania,United States',
    expect.stringMatching(/^York.+/),
    expect.stringMatching(/^York.+/),
    'New York,United States',
    'New York,New York,United States',
    expect.stringMatching(/ York,/),
  ]);
});

test('does not find letters in the middle of a word', async () => {
  expect(await namesFor('erlin')).toEqual([]);
});

test.each(['zzz', '|', ',', '931830', '=us'])('%s finds nothing', async (q) => {
  expect(await searchPlaces({ q })).toEqual({ num_items: 0, items: [], cursor: null });
});

test('has the fields of each kind of place', async () => {
  const { items } = await searchPlaces({ q: 'bremen', iso_code: 'de' });

  expect(items.slice(0, 2)).toEqual([
    { name: 'Bremen,Germany', kind: 'region', iso_code: 'DE', population: null },
    { name: 'Bremen,Bremen,Germany', kind: 'city', iso_code: 'DE', population: expect.any(Number) },
  ]);
});

test('a country limits the search, `UK` too', async () => {
  expect(await namesFor('london', 'UK')).toContain('London,England,United Kingdom');
  expect(await namesFor('london', 'UK')).not.toContain('London,Ontario,Canada');
});

test('has at most 20 places', async () => {
  expect((await searchPlaces({ q: 's' })).num_items).toBe(20);
});
