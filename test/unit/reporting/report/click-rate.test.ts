/** How often searchers click a result. */
import { expect, test } from 'vitest';
import { allClicks, clickRate } from '../../../../lib/reporting/report/click-rate.ts';

test.each([
  [0, 0],
  [1, 0.276],
  [2, 0.158],
  [3, 0.11],
  [4, 0.084],
  [5, 0.063],
  [6, 0.049],
  [7, 0.039],
  [8, 0.033],
  [9, 0.027],
  [10, 0.024],
  [11, 0.00063],
  [20, 0.00063],
  [21, 0],
  [1000, 0],
])('at position %i, %d of the searches have a click', (position, rate) => {
  expect(clickRate(position)).toBe(rate);
});

test('all web results together have the clicks of twenty positions', () => {
  expect(allClicks).toBeCloseTo(
    Array.from({ length: 20 }, (_, n) => clickRate(n + 1)).reduce((a, b) => a + b),
    10,
  );
  expect(allClicks).toBeCloseTo(0.8693, 10);
});
