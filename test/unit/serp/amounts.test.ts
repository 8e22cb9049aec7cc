import { expect, test } from 'vitest';
import { ratingIn } from '../../../lib/serp/amounts.ts';

test.each([
  ['4.7 (31) · Pottery studio', '4.7'],
  ['4,5 von 5 · 2,5 km', '4,5'],
  ['2,5 km · 4,5 (12)', '4,5'],
  ['4.8 museums of clay', '4.8'],
  ['4.6分', '4.6'],
])('%s has the rating %s', (text, rating) => {
  expect(ratingIn(text).rating).toBe(rating);
});

test.each(['0.8mi', '4.0 mi', '2,5 km', '3.5 км от центра', '1.2公里', 'Art school · 0.8mi'])(
  '%s is a distance and no rating',
  (text) => {
    expect(ratingIn(text)).toEqual({});
  },
);
