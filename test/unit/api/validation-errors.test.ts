/** Validation errors in the words of pydantic 2 (Reading 27). */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { validationErrorsOf } from '../../../lib/api/validation-errors.ts';
import { Competitor, GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { Day, fields, Int, list, Part, Text } from '../../../lib/model/scalar.ts';

const faults = (schema: v.GenericSchema, input: unknown) => {
  const { issues = [] } = v.safeParse(schema, input, { abortPipeEarly: true });
  return validationErrorsOf('body', issues).map(({ loc, type, msg }) => [loc.slice(1).join('.'), type, msg]);
};

const word = (count: number) => v.pipe(Text, v.minLength(count), v.maxCodePoints(count));

test.each<[string, v.GenericSchema, unknown, string, string]>([
  ['one character', word(1), '', 'string_too_short', 'String should have at least 1 character'],
  ['two characters', word(2), 'a', 'string_too_short', 'String should have at least 2 characters'],
  ['at most one', word(1), 'ab', 'string_too_long', 'String should have at most 1 character'],
  [
    'one item too many',
    list(Int, 1),
    [1, 2],
    'too_long',
    'List should have at most 1 item after validation, not 2',
  ],
  [
    'no item',
    v.pipe(v.array(Int), v.minLength(1)),
    [],
    'too_short',
    'List should have at least 1 item after validation, not 0',
  ],
  ['one choice', v.picklist(['a']), 'b', 'enum', "Input should be 'a'"],
  ['two choices', v.picklist(['a', 'b']), 'c', 'enum', "Input should be 'a' or 'b'"],
  ['four choices', v.picklist(['a', 'b', 'c', 'd']), 1, 'enum', "Input should be 'a', 'b', 'c' or 'd'"],
  [
    'a pattern',
    v.pipe(Text, v.regex(/^[a-z]$/)),
    'B',
    'string_pattern_mismatch',
    "String should match pattern '^[a-z]$'",
  ],
  [
    'a lower bound',
    v.pipe(Int, v.minValue(1)),
    0,
    'greater_than_equal',
    'Input should be greater than or equal to 1',
  ],
  [
    'an upper bound',
    v.pipe(Int, v.maxValue(1)),
    2,
    'less_than_equal',
    'Input should be less than or equal to 1',
  ],
  [
    'half of a surrogate pair',
    Text,
    'a\ud800',
    'string_unicode',
    'Input should be a valid string, unable to parse raw data as a unicode string',
  ],
  ['a number', Part, '0.5', 'float_type', 'Input should be a valid number'],
  [
    'a day',
    Day,
    '2026-02-29',
    'date_from_datetime_parsing',
    'Input should be a valid date or datetime, day value is outside expected range',
  ],
  [
    'a word that the reference does not explain',
    v.pipe(
      Int,
      v.check(() => false, 'date_type: Input should be a valid date'),
    ),
    0,
    'value_error',
    'date_type: Input should be a valid date',
  ],
])('%s', (_, schema, input, type, msg) => {
  expect(faults(schema, input)).toEqual([['', type, msg]]);
});

test('refuses a list in place of an object', () => {
  expect(faults(fields({ name: v.optional(Text) }), [])).toEqual([
    ['', 'model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  ]);
});

test('lists every error, one per field, with its location', () => {
  const request = {
    keyword: '😀'.repeat(2049),
    iso_code: 'USA',
    device: null,
    depth: 101,
    engine_domain: 'bing.com',
    competitors: [{ keyword_id: 'x' }, 'y'],
  };

  expect(faults(GoogleCrawlRequest, request).map(([loc, type]) => `${loc} ${type}`)).toEqual([
    'keyword string_too_long',
    'location_name missing',
    'iso_code string_pattern_mismatch',
    'competitors.0.keyword_id int_parsing',
    'competitors.0.competitor missing',
    'competitors.0.type missing',
    'competitors.1 model_attributes_type',
    'device enum',
    'engine_domain value_error',
    'depth less_than_equal',
  ]);
});

test('counts code points, not UTF-16 units', () => {
  const least = { keyword: '😀'.repeat(2048), location_name: '', iso_code: 'uk' };

  expect(faults(GoogleCrawlRequest, least)).toEqual([]);
});

test('a competitor without a keyword has keyword_id null', () => {
  expect(faults(Competitor, { keyword_id: null, competitor: '', type: '' })).toEqual([]);
});
