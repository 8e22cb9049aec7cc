import { expect, test } from 'vitest';
import { faultLines } from '../../../lib/console/parts/line-faults.ts';

const fault = (entry: number, name: string, msg: string) => ({ loc: ['body', entry, name], msg });

test('faults of one kind are one sentence in the words of the form, with their lines', () => {
  const faults = [
    ...Array.from({ length: 30 }, (_, n) => fault(n, 'iso_code', 'Value error, not the code of a country')),
    fault(4, 'keyword', 'String should have at most 2048 characters'),
    fault(7, 'language_code', "String should match pattern '^[a-z]{2}$'"),
  ];

  expect(faultLines(faults, 31, (entry) => entry + 2)).toEqual([
    'Country code: not the code of a country (lines 2, 3, 4, 5, 6, 7, 8, 9 and 22 more)',
    'Keyword: String should have at most 2048 characters (line 6)',
    'Language code: is not in the right form (line 9)',
  ]);
});

test('a fault of all entries names no line, as one that has no entry', () => {
  const faults = [
    fault(0, 'iso_code', 'Value error, not the code of a country'),
    { loc: ['body'], msg: 'Too long' },
  ];

  expect(faultLines(faults, 1, () => 1)).toEqual(['Country code: not the code of a country', 'Too long']);
});
