/** Integers in bodies and in paths (Reading 29). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Bool, choice, Int, intBetween, Part, PathId } from '../../../lib/model/scalar.ts';

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
  // White space of Unicode, which is not that of JavaScript.
  ['\x8524\u3000', 24],
  ['\ufeff24', 'int_parsing'],
  ['\x1c24', 'int_parsing'],
  ['24\ud800', 'string_unicode'],
  ['\ud800', 'string_unicode'],
  ['\ud83d\ude00', 'int_parsing'],
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
  // pydantic's limits: 4,300 digits; then the form of the text decides the word.
  ['9'.repeat(5000), 'int_parsing_size'],
  [`-${'9'.repeat(4301)}`, 'int_parsing_size'],
  [`${'9'.repeat(4301)}x`, 'int_parsing_size'],
  [`+${'9'.repeat(4301)}`, 'int_parsing'],
  [`0${'9'.repeat(4301)}`, 'int_parsing'],
  [` ${'9'.repeat(4301)}`, 'int_parsing'],
  ['9'.repeat(4300), 'int_parsing_size'],
  [`${'0'.repeat(5000)}1`, 1],
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

test.each<[unknown, unknown]>([
  [1, 1],
  ['100', 100],
  [101, 'max_value'],
  [0, 'min_value'],
  [2 ** 53, 'max_value'],
  [-(2 ** 53), 'min_value'],
  [`1${'0'.repeat(4299)}`, 'max_value'],
  [`-1${'0'.repeat(4299)}`, 'min_value'],
  // A float of this size is not an integer at all to pydantic.
  [2 ** 63, 'int_parsing_size'],
  [`1${'0'.repeat(4300)}`, 'int_parsing_size'],
  [Number.POSITIVE_INFINITY, 'finite_number'],
  [1.5, 'int_from_float'],
])('reads %j between 1 and 100 as %j', (input, expected) => {
  const { success, output, issues } = v.safeParse(intBetween(1, 100), input, { abortPipeEarly: true });
  const word = (issue: v.BaseIssue<unknown>) =>
    issue.kind === 'validation' && issue.type !== 'raw_transform' ? issue.type : issue.message.split(':')[0];
  expect(success ? output : word(issues[0])).toBe(expected);
});

test('reads a bigint, which is a whole number beyond 2^63 in the JSON text', () => {
  expect(firstWord(Int, 2n ** 63n)).toBe('int_parsing_size');
  expect(v.safeParse(intBetween(1, 100), 2n ** 63n).issues?.[0].type).toBe('max_value');
  expect(v.safeParse(intBetween(1, 100), -(2n ** 63n)).issues?.[0].type).toBe('min_value');
});

test.each<[unknown, unknown]>([
  ['a', 'a'],
  ['\ud800', 'string_unicode'],
])('reads %j as one of the words a and b: %j', (input, expected) => {
  expect(firstWord(choice(['a', 'b']), input)).toBe(expected);
});

test.each<[unknown, unknown]>([
  ['yes', true],
  [0, false],
  ['\ud800', 'string_unicode'],
  ['true\ud800', 'string_unicode'],
  ['true ', 'bool_parsing'],
])('reads %j as a boolean: %j', (input, expected) => {
  expect(firstWord(Bool, input)).toBe(expected);
});

test.each<[string, unknown]>([
  ['0', 0],
  ['1', 1],
  ['-1', -1],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  // No task has an id beyond 2^53.
  ['9007199254740993', -1],
  ['9'.repeat(4300), -1],
  [`-${'9'.repeat(4300)}`, -1],
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

test.each([
  [0, 0],
  [1, 1],
  [1e-9, 1e-9],
  [5e-324, 0],
  [-0.1, 'Invalid value'],
  [1.1, 'Invalid value'],
])('the part of a whole %s is %s', (part, expected) => {
  expect(firstWord(Part, part)).toBe(expected);
});
