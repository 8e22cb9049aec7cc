/** Integers in bodies and in paths (Reading 29). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Int, PathId } from '../../../lib/model/scalar.ts';

const firstWord = (schema: v.GenericSchema, input: unknown): unknown => {
  const { success, output, issues } = v.safeParse(schema, input, { abortPipeEarly: true });
  return success ? output : issues[0].message.split(':')[0];
};

test.each<[unknown, unknown]>([
  [24, 24],
  [-1, -1],
  [1.0, 1],
  [true, 1],
  [false, 0],
  ['24', 24],
  [' 24 ', 24],
  ['\t24\n', 24],
  ['+5', 5],
  ['-5', -5],
  ['007', 7],
  ['1.0', 1],
  ['1.00', 1],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ['9007199254740992', 'int_parsing_size'],
  [2 ** 63, 'int_parsing_size'],
  ['9'.repeat(5000), 'int_parsing_size'],
  [Number.POSITIVE_INFINITY, 'finite_number'],
  [Number.NEGATIVE_INFINITY, 'finite_number'],
  [1.5, 'int_from_float'],
  ['', 'int_parsing'],
  [' ', 'int_parsing'],
  ['1.', 'int_parsing'],
  ['.0', 'int_parsing'],
  ['1.5', 'int_parsing'],
  ['1e3', 'int_parsing'],
  ['0x1', 'int_parsing'],
  ['1_000', 'int_parsing'],
  ['1,000', 'int_parsing'],
  ['--5', 'int_parsing'],
  ['1 2', 'int_parsing'],
  ['٣', 'int_parsing'],
  ['true', 'int_parsing'],
  ['Infinity', 'int_parsing'],
  [null, 'int_type'],
  [[], 'int_type'],
  [[1], 'int_type'],
  [{}, 'int_type'],
])('reads %j in a body as %j', (input, expected) => {
  expect(firstWord(Int, input)).toBe(expected);
});

test.each<[string, unknown]>([
  ['0', 0],
  ['1', 1],
  ['-1', -1],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  // No task has an id beyond 2^53.
  ['9007199254740993', -1],
  ['9'.repeat(4300), -1],
  ['9'.repeat(4301), 'int_parsing_size'],
  ['', 'int_parsing'],
  ['01', 'int_parsing'],
  ['-0', 'int_parsing'],
  ['+1', 'int_parsing'],
  [' 1', 'int_parsing'],
  ['1.0', 'int_parsing'],
  ['1\n', 'int_parsing'],
  ['1\0', 'int_parsing'],
  ['１', 'int_parsing'],
])('reads %j in a path as %j', (input, expected) => {
  expect(firstWord(PathId, input)).toBe(expected);
});

test('reads a megabyte of zeros in one pass', () => {
  // A pattern that can match the zeros in two ways does not end within the time limit of the test.
  expect(firstWord(Int, `${'0'.repeat(1_000_000)}x`)).toBe('int_parsing');
});
