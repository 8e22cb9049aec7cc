/** Country codes of requests (Reading 28). */
import { expect, test } from 'vitest';
import { countries, countryOf, isCountry } from '../../../lib/model/country.ts';

test.each([
  ['us', 'US'],
  ['DE', 'DE'],
  ['uk', 'GB'],
  ['UK', 'GB'],
  ['gb', 'GB'],
  ['ua', 'UA'],
])('%s is %s', (isoCode, country) => {
  expect(countryOf(isoCode)).toBe(country);
});

test.each(['US', 'us', 'uK', 'UK', 'GB', 'ax', 'TW', 'PS', 'BQ', 'SS'])(
  '%s is the code of a country',
  (code) => {
    expect(isCountry(code)).toBe(true);
  },
);

test.each([
  ['XX', 'free for private use'],
  ['ZZ', 'free for private use'],
  ['EU', 'a union of countries'],
  ['UN', 'an organization'],
  ['SU', 'a country of the past'],
  ['AN', 'a country of the past'],
  ['EN', 'a language'],
  ['JA', 'a language'],
  ['XK', 'not assigned by ISO'],
])('%s is not: it is %s', (code) => {
  expect(isCountry(code)).toBe(false);
});

/**
 * Codes that Unicode names and ISO 3166-1 does not assign: regions, unions, private use, and countries of the
 * past.
 */
const notAssigned =
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ'.split(' ');

test('the table has every country that Unicode names', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const named = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code));

  expect([...countries].sort()).toEqual(named.filter((code) => !notAssigned.includes(code)));
  expect(countries.size).toBe(249);
});
