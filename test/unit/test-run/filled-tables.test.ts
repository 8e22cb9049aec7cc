/** Vitest makes no test of a table without rows, so the set-up of the tests refuses such a table. */
import { describe, expect, test } from 'vitest';

test('a table of tests or suites without rows is refused', () => {
  expect(() => test.each([])).toThrow('A table of tests has no rows');
  expect(() => describe.each([])).toThrow('A table of tests has no rows');
});

describe.each([['a suite']])('%s of a table', (name) => {
  test.each([
    [1, '1'],
    [2, '2'],
  ])('has its rows: %i', (number, text) => {
    expect([name, String(number)]).toEqual(['a suite', text]);
  });
});
