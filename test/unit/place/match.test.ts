/** Which place a `location_name` means, and how it is spelled for the engine. */
import { expect, test } from 'vitest';
import { matchPlace } from '../../../lib/place/match.ts';

test.each([
  ['a city, its region and its country', 'Austin,Texas,United States', 'Austin,Texas,United States'],
  ['other case', 'AUSTIN,texas,united states', 'Austin,Texas,United States'],
  ['spaces after commas', 'Austin, Texas,  United States ', 'Austin,Texas,United States'],
  ['diacritics', 'São Paulo,Brazil', 'Sao Paulo,Brazil'],
  ['decomposed diacritics', 'Île-de-France,France'.normalize('NFD'), 'Ile-de-France,France'],
  ['letters that Unicode does not decompose', 'Łódź, Poland', 'Lodz,Poland'],
  ['a city and its country', 'berlin, germany', 'Berlin,Germany'],
  ['a city and its region', 'austin, texas', 'Austin,Texas'],
  ['a city alone', 'yokohama', 'Yokohama'],
  ['a region and its country', 'bavaria, germany', 'Bavaria,Germany'],
  ['a country', 'united states', 'United States'],
  ['a country with diacritics', 'Türkiye', 'Turkiye'],
])('%s: %s is sent as %s', async (_, given, name) => {
  const match = await matchPlace(given, 'US');

  expect(match.name).toBe(name);
  expect(match.places).toHaveLength(1);
});

test.each([
  ['another name of a city', 'Köln,Germany', 'Cologne,North Rhine-Westphalia,Germany'],
  ['the name in the local language', 'Wien,Austria', 'Vienna,Vienna,Austria'],
  ['another name of a country', 'USA', 'United States'],
  ['an abbreviation of a region', 'Austin,TX,United States', 'Austin,Texas,United States'],
  ['a region with an addition', 'Stockholm,Stockholm County,Sweden', 'Stockholm,Stockholm,Sweden'],
  ['a region with an addition', 'Sao Paulo,State of Sao Paulo,Brazil', 'Sao Paulo,Sao Paulo,Brazil'],
])('%s is known and stays as given: %s', async (_, given, place) => {
  expect(await matchPlace(given, 'US')).toMatchObject({ name: given, places: [place] });
});

test.each([
  ['a place that does not exist', 'Atlantis,Greece'],
  ['a town that is too small', 'Luckenbach,Texas,United States'],
  ['the wrong country', 'Berlin,France'],
  ['the wrong order', 'Germany,Berlin'],
  ['a part too many', 'Mitte,Berlin,State of Berlin,Germany'],
  ['another script', '東京'],
  ['one letter', 'L'],
  ['commas', ',,'],
  ['a comma too many', 'Berlin,Germany,'],
  ['the separator of the table', 'Berlin|'],
  ['white space', ' '],
])('%s is unknown and stays as given: "%s"', async (_, given) => {
  expect(await matchPlace(given, 'DE')).toMatchObject({ name: given, places: [] });
});

test('the name of several places stays as given, and lists them by size', async () => {
  const { name, places } = await matchPlace('springfield,united states', 'US');

  expect(name).toBe('springfield,united states');
  expect(places.slice(0, 2)).toEqual([
    'Springfield,Missouri,United States',
    'Springfield,Massachusetts,United States',
  ]);
  expect(places.length).toBeGreaterThan(3);
});

test.each([
  ['GB', ['London,England,United Kingdom']],
  ['uk', ['London,England,United Kingdom']],
  ['CA', ['London,Ontario,Canada']],
  ['FR', ['London,England,United Kingdom', 'London,Ontario,Canada']],
])(
  'of places with the same name, the one in the country of the request is meant: London in %s',
  async (isoCode, places) => {
    expect((await matchPlace('London', isoCode)).places).toEqual(places);
  },
);

test.each([
  ['Georgia', 'GE', 'Georgia'],
  ['Georgia', 'US', 'Georgia,United States'],
  ['Mexico', 'MX', 'Mexico'],
  ['Paris', 'US', 'Paris,Texas,United States'],
])(
  'a name means a place of the country, even if a larger one is elsewhere: %s in %s',
  async (name, isoCode, place) => {
    expect(await matchPlace(name, isoCode)).toMatchObject({ places: [place], elsewhere: [] });
  },
);

test.each([
  ['a country', 'Germany', 'US', ['DE']],
  ['a country in other letters', 'TÜRKIYE', 'US', ['TR']],
  ['a city and its country', 'Berlin,Germany', 'US', ['DE']],
  ['a city', 'München', 'US', ['DE']],
  ['a city of several countries', 'Valencia', 'FI', ['ES', 'US', 'VE']],
  ['a city that is too small for the table, and its country', 'Luckenbach,Texas,United States', 'DE', ['US']],
  ['a place that does not exist, and a country', 'Atlantis,Greece', 'DE', ['GR']],
  ['a region that is no country there', 'Nowhere,Georgia', 'DE', ['GE']],
])('%s that is in another country: %s in %s', async (_, name, isoCode, elsewhere) => {
  expect((await matchPlace(name, isoCode)).elsewhere.toSorted()).toEqual(elsewhere);
});

test.each([
  ['an unknown place', 'Nowhere', 'US'],
  ['a region with the name of a country', 'Nowhere,Georgia', 'US'],
  ['a known place in its country', 'Berlin,Germany', 'de'],
  ['the United Kingdom by another code', 'London', 'UK'],
  ['a country without parts', ',Germany', 'DE'],
])('%s is in no other country: %s in %s', async (_, name, isoCode) => {
  expect((await matchPlace(name, isoCode)).elsewhere).toEqual([]);
});

test('a complete name is preferred to a shortened one', async () => {
  // Also a city of its state.
  expect((await matchPlace('New York,United States', 'US')).places).toEqual(['New York,United States']);
});
