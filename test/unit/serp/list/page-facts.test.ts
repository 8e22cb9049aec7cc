/** The number of all results on a list page, as several countries write it. */
import { expect, test } from 'vitest';
import { countsMore } from '../../../../lib/serp/list/page-facts.ts';

test.each([
  ['About 7 results', false],
  ['Etwa 1.100 Ergebnisse', true],
  ['Environ 1 100 résultats', true],
  ['Ungefähr 1’100 Ergebnisse', true],
  ["Ungefähr 0'007 Ergebnisse", false],
  ['حوالي ٧ نتائج', false],
  ['1-7 of 7 results', true],
  ['', true],
])('"%s" may be more than 7: %s', (text, more) => {
  expect(countsMore(text, 7)).toBe(more);
});
