/** How often searchers click a result. */
import { expect, test } from 'vitest';
import { clickRatesOf } from '../../../../lib/reporting/report/click-rate.ts';

const { at: clickRate, all: allClicks } = clickRatesOf({});

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

test('a project may have rates of its own, from the first position on', () => {
  const { at, all } = clickRatesOf({ click_rates: [0.5, 0.25] });

  expect([0, 1, 2, 3, 1000].map(at)).toEqual([0, 0.5, 0.25, 0, 0]);
  expect(all).toBe(0.75);
  expect(clickRatesOf({ click_rates: null }).all).toBe(allClicks);
});

test('click rates fall with the position, and end with the second page', () => {
  const rates = Array.from({ length: 25 }, (_, n) => clickRate(n + 1));

  expect(rates).toEqual(rates.toSorted((a, b) => b - a));
  expect(rates.slice(20)).toEqual([0, 0, 0, 0, 0]);
});
