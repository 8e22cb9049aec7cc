/** Numbers as pages of several languages show them. */
import { describe, expect, test } from 'vitest';
import { amountOf, countOf, decimalOf, secondsOf } from '../../../lib/compat/numbers.ts';

describe('decimalOf', () => {
  test.each([
    ['4.6', 4.6],
    ['4,6', 4.6],
    ['5', 5],
    ['', undefined],
    ['4.6 stars', undefined],
    ['1,204,000', undefined],
  ])('%j is %j', (text, expected) => expect(decimalOf(text)).toBe(expected));
});

describe('countOf', () => {
  test.each([
    ['1,204', 1204],
    ['1.204', 1204],
    ['1 204', 1204],
    ['1\u202f204', 1204],
    ['(212)', 212],
    ['1.9K', 1900],
    ['3,8 M', 3_800_000],
    ['12+', 12],
    ['many', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j', (text, expected) => expect(countOf(text)).toBe(expected));
});

describe('amountOf', () => {
  test.each([
    ['$12.90', 12.9],
    ['€129,00', 129],
    ['$1,299.00', 1299],
    ['1.299,00 €', 1299],
    ['¥1,299', 1299],
    ['CHF 1’299.50', 1299.5],
    ['from $89 to $99', undefined],
    ['free', undefined],
    ['9'.repeat(100_000), undefined],
  ])('%j is %j', (text, expected) => expect(amountOf(text)).toBe(expected));
});

test.each([
  ['12:34', 754],
  ['1:02:03', 3723],
  ['0:07', 7],
  ['12:61', undefined],
  ['LIVE', undefined],
  ['', undefined],
])('%j is a length of %j seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});
