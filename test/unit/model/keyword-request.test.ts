/** What requests for keyword data may contain: location codes, languages, booleans, pages. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { adsLanguage } from '../../../lib/model/ads-language.ts';
import { countries } from '../../../lib/model/country.ts';
import { keywordForm } from '../../../lib/model/keyword-metrics.ts';
import { IdeasRequest, LiveVolumeRequest, pageUrlOf } from '../../../lib/model/keyword-request.ts';
import { isLocationCode } from '../../../lib/model/location-code.ts';
import { Bool } from '../../../lib/model/scalar.ts';

test.each([
  [2840, true],
  [2276, true],
  [2826, true],
  [2900, true],
  [1_023_191, true],
  [2999, false],
  [2000, false],
  [2841, false],
  [0, false],
  [-1, false],
  [2 ** 31, false],
])('the location code %i: %s', (code, isValid) => {
  expect(isLocationCode(code)).toBe(isValid);
});

test('every country and Kosovo have a location code', () => {
  const codes = Array.from({ length: 1000 }, (_, n) => 2000 + n).filter(isLocationCode);

  expect(codes).toHaveLength(countries.size + 1);
});

test.each([
  ['en', 1000],
  ['en-GB', 1000],
  ['pt-BR', 1014],
  ['zh-CN', 1017],
  ['zh', 1017],
  ['zh-TW', 1018],
  ['zh-Hant', 1018],
  ['zh-HK', 1018],
  ['iw', 1027],
  ['he', 1027],
  ['nb', 1013],
  ['fil', 1042],
  ['xx', undefined],
  ['english', undefined],
  ['toString', undefined],
])('the language %s has the constant %s', (code, constant) => {
  expect(adsLanguage(code)).toBe(constant);
});

test.each([
  [true, true],
  [0, false],
  [1, true],
  ['YES', true],
  ['off', false],
  ['t', true],
])('%j is the boolean %s', (given, expected) => {
  expect(v.parse(Bool, given)).toBe(expected);
});

test.each([
  [2, 'bool_parsing'],
  ['maybe', 'bool_parsing'],
  ['', 'bool_parsing'],
  [1.5, 'bool_type'],
  [null, 'bool_type'],
  [[], 'bool_type'],
])('%j is no boolean: %s', (given, type) => {
  expect(v.safeParse(Bool, given).issues?.[0].message).toMatch(new RegExp(`^${type}: `));
});

describe('ideas', () => {
  test('keywords may be empty only with a page', () => {
    expect(v.is(IdeasRequest, { keywords: [] })).toBe(false);
    expect(v.is(IdeasRequest, { keywords: [], page_url: '' })).toBe(false);
    expect(v.is(IdeasRequest, { keywords: [], page_url: 'https://a.example/b' })).toBe(true);
    expect(v.is(IdeasRequest, { page_url: 'https://a.example/b' })).toBe(false);
  });

  test.each([
    ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
    ['a.example/b', 'https://a.example/b'],
    ['ftp://a.example', undefined],
    ['no url', undefined],
    ['localhost', undefined],
  ])('the page %s is %s', (text, url) => {
    expect(pageUrlOf(text)).toBe(url);
  });

  test('a body has the defaults of the specification', () => {
    expect(v.parse(IdeasRequest, { keywords: ['a'] })).toEqual({
      keywords: ['a'],
      location_code: 2840,
      language_code: 'en',
      page_url: null,
      include_seed_keyword: true,
      postback_url: null,
    });
  });
});

test('a live request has at most 1,000 keywords', () => {
  const keywords = Array.from({ length: 1001 }, () => 'k');

  expect(v.is(LiveVolumeRequest, { keywords })).toBe(false);
  expect(v.is(LiveVolumeRequest, { keywords: keywords.slice(1) })).toBe(true);
});

test.each([
  ['  Coffee\t Grinder ', 'coffee grinder'],
  ['Cafe\u0301', 'café'],
  ['C++', 'c++'],
  [' \u00a0 ', ''],
])('%j has the form %j', (keyword, form) => {
  expect(keywordForm(keyword)).toBe(form);
});
