/** Work that uses the processor for too long ends, also in the middle of a regular expression. */
import { expect, test } from 'vitest';
import { withinProcessorTime } from '../../../lib/runtime/processor-limit.ts';

test('gives what the work gives', () => {
  expect(withinProcessorTime(1000, () => 'done')).toBe('done');
  expect(withinProcessorTime(1000, () => withinProcessorTime(1000, () => 'inner'))).toBe('inner');
});

test('throws what the work throws', () => {
  const error = new RangeError('wrong');

  expect(() =>
    withinProcessorTime(1000, () => {
      throw error;
    }),
  ).toThrow(error);
});

test.each<[string, () => unknown]>([
  [
    'a loop without end',
    () => {
      for (;;);
    },
  ],
  ['a regular expression of exponential time', () => /^(?:a+)+$/.test(`${'a'.repeat(60)}!`)],
])(
  'ends %s, and works again',
  (_, endless) => {
    expect(withinProcessorTime(1, endless)).toBeUndefined();
    expect(withinProcessorTime(1000, () => 'next')).toBe('next');
  },
  120_000,
);
