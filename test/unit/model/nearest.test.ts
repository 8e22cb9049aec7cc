/** The distance between two words, and the name that a misspelt word probably means. */
import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from '../../../lib/model/nearest.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['rate', 'rate', 0],
  ['rat', 'rate', 1],
  ['ratee', 'rate', 1],
  ['rote', 'rate', 1],
  ['raet', 'rate', 1],
  ['arte', 'rate', 1],
  ['aetr', 'rate', 3],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('the distance of "%s" and "%s" is %d', (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits);
  expect(editDistance(to, from)).toBe(edits);
});

describe('the nearest name', () => {
  const names = ['WAF', 'stage', 'PROXY_URL', 'PUBLIC_URL'] as const;

  test.each([
    ['WFA', 'WAF'],
    ['Stage', 'stage'],
    ['proxy_url', 'PROXY_URL'],
    ['PROXYURLS', 'PROXY_URL'],
    ['PUBLIC_UR', 'PUBLIC_URL'],
  ])('of %s is %s', (word, name) => {
    expect(nearest(word, names)).toBe(name);
  });

  test.each(['WA1F1', 'stag3s', 'PRXYURLS', 'WEB_URL', ''])(
    'of %s is none: it is too far from all',
    (word) => {
      expect(nearest(word, names)).toBeUndefined();
    },
  );

  test('is the one with the fewest edits', () => {
    expect(nearest('GOOGLE_RATES', ['GOOGLE_DATES', 'GOOGLE_RATE_S', 'GOOGLE_RATED_X'])).toBe('GOOGLE_DATES');
    expect(nearest('proxy_ur', ['PUBLIC_URL', 'PROXY_URL'])).toBe('PROXY_URL');
  });
});
