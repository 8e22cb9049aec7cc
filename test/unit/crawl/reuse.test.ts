/** For how long a result is reused (Reading 14). */
import { expect, test } from 'vitest';
import { reuseSeconds } from '../../../lib/crawl/reuse-seconds.ts';

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
])('with a frequency of %s, a search of Google or YouTube is reused for %i s', (frequency, seconds) => {
  expect(reuseSeconds('google', frequency)).toBe(seconds);
  expect(reuseSeconds('youtube', frequency)).toBe(seconds);
});

test.each([
  [null, 24 * hour],
  [-1, 0],
  [0, 0],
  [1, hour],
  [24, 24 * hour],
  [720, 720 * hour],
])('with a frequency of %s, a search of Bing is reused for %i s', (frequency, seconds) => {
  expect(reuseSeconds('bing', frequency)).toBe(seconds);
});
