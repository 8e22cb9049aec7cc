/** Which texts of a date field and of an address are days. */
import { expect, test } from 'vitest';
import { dayIn, isWholeDay } from '../../../lib/console/day-in-address.ts';

test.each([
  ['2026-11-20', true],
  // While the year is typed.
  ['0002-11-20', false],
  ['0202-11-20', false],
  ['2026-13-40', false],
  ['nonsense', false],
  ['', false],
])('%s: a person can mean it: %s', (text, isOne) => {
  expect(isWholeDay(text)).toBe(isOne);
});

test('an address without a day has the other one', () => {
  expect(dayIn(new URLSearchParams('until=nonsense'), 'until', '2026-11-29')).toBe('2026-11-29');
  expect(dayIn(new URLSearchParams('until=2026-11-20'), 'until', '2026-11-29')).toBe('2026-11-20');
});
