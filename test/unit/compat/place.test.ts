/** Places as clients of other services name them. */
import { expect, test } from 'vitest';
import { askedIn as dataforseoAsked } from '../../../lib/compat/dataforseo/request.ts';
import { countryFor, isSomewhere, placeUsed } from '../../../lib/compat/place.ts';
import { searchFor } from '../../../lib/compat/search.ts';
import { askedIn as serpapiAsked } from '../../../lib/compat/serpapi/request.ts';

test.each([
  ['', '', 'US'],
  ['', 'de', 'DE'],
  ['Paris', '', 'FR'],
  ['London', '', 'GB'],
  ['Paris', 'us', 'US'],
  ['Paris,Texas,United States', '', 'US'],
  ['Austin', '', 'US'],
  ['Nowhere,Bavaria,Germany', '', 'DE'],
  ['Nowhere,Georgia', '', 'US'],
  ['Narnia', '', 'US'],
])('the country of %j with the country %j is %s', async (place, country, expected) => {
  expect(await countryFor({ country, place })).toBe(expected);
});

test.each([
  ['', true],
  ['Austin,TX', true],
  ['Germany', true],
  ['Nowhere,Texas,United States', true],
  ['10001,New York,United States', true],
  ['Narnia', false],
  ['Nowhere,Texas', false],
  ['Foo,Bar', false],
  ['☕', false],
])('whether %j is somewhere: %s', async (place, expected) => {
  expect(await isSomewhere(place)).toBe(expected);
});

test.each([
  ['google', 'Austin,TX', 'Austin,Texas,United States'],
  ['google', 'Springfield', ''],
  ['google', 'Nowhere,Texas,United States', ''],
  ['bing', 'Austin,TX', ''],
  ['bing', 'United States', 'United States'],
  ['yahoo', '', ''],
] as const)('%s is asked for %j as %j', async (engine, location_name, expected) => {
  expect(await placeUsed(engine, { location_name, iso_code: 'US' })).toBe(expected);
});

const serpapi = (location: string) => serpapiAsked({ q: 'x', location }, 'google');
const dataforseo = (location_name: string) =>
  dataforseoAsked({ keyword: 'x', location_name, language_code: 'en' }, 'google');

test('a place that is not known has the error of each form, unless its country is named', async () => {
  await expect(searchFor(serpapi('Narnia'), {})).rejects.toThrow(
    expect.objectContaining({
      statusCode: 400,
      detail: expect.stringContaining('Unsupported `Narnia` location - location parameter.'),
    }),
  );
  await expect(searchFor(dataforseo('Narnia'), {})).rejects.toThrow(
    expect.objectContaining({
      status: {
        status_code: 40501,
        status_message: expect.stringContaining("Invalid Field: 'location_name'."),
      },
    }),
  );
  for (const asked of [serpapi('Nowhere, Bavaria, Germany'), dataforseo('Nowhere, Bavaria, Germany')]) {
    expect(await searchFor(asked, {})).toMatchObject({
      location_name: 'Nowhere,Bavaria,Germany',
      iso_code: 'DE',
    });
  }
});
