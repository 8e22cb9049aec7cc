import { expect, test } from 'vitest';
import { countryOf } from '../../../lib/model/country.ts';

// Reading 28.
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
