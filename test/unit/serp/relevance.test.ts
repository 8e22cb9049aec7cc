/** Results that have to do with the query, and decoys. */
import { expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { isDecoy, shareAbout } from '../../../lib/serp/relevance.ts';

const result = (title: string, more: Partial<ResultItem> = {}): ResultItem => ({
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title,
  url: 'https://site.example/',
  breadcrumb: '',
  snippet: '',
  ...more,
});

const foreign = [
  'Calories of a slice',
  'Baking stones compared',
  'Oven temperatures',
  'Flour by protein',
].map((title) => result(title));

test.each([
  ['the word itself', 'roofers', 'Roofers near the harbour'],
  ['another case', 'ROOFERS', 'roofers'],
  ['another ending', 'roofing', 'Roofers of the year'],
  ['accents in the query', 'crème brûlée', 'Creme brulee at home'],
  ['accents in the result', 'creme brulee', 'Crème brûlée maison'],
  ['letters that do not decompose', 'Śląsk', 'Dolny Slask'],
  ['a part of a compound', 'Brot', 'Roggenbrot backen'],
  ['one word of many', 'how do glaciers move downhill', 'Glacier basics'],
  ['quotes', '"flat white" recipe', 'A flat white'],
  ['a bare site operator', 'site:harbour.example', 'Harbour office'],
  ['an operator and a word', 'intitle:ferry tickets', 'The ferry'],
  ['full width letters', 'ｔｅｓｔ', 'Test page'],
  ['Cyrillic', 'купить велосипед', 'Велосипеды и самокаты'],
  ['Greek', 'καφές', 'Ο καφες μας'],
  ['Arabic', 'مدرسة', 'المدرسة الأولى'],
  ['Japanese', '東京 ラーメン', 'ラーメン店の案内'],
  ['Chinese without spaces', '北京天气预报', '今天北京的天气'],
  ['Korean of two syllables', '서울 날씨', '서울특별시'],
  ['Thai', 'กาแฟเย็น', 'ร้านกาแฟ'],
  ['digits', '5550123', 'Call 5550123'],
])('%s makes a result about the query', (_, query, title) => {
  expect(shareAbout(query, [result(title), result(title), result(title)])).toBe(1);
});

test.each([
  ['snippet', { snippet: 'All about glaciers.' }],
  ['breadcrumb', { breadcrumb: 'site.example › glaciers' }],
  ['address', { url: 'https://site.example/glaciers' }],
  ['encoded address', { url: 'https://site.example/%67laciers' }],
  ['domain', { domain: 'glaciers.example' }],
])('the word may stand in the %s', (_, more) => {
  expect(
    shareAbout(
      'glaciers',
      [1, 2, 3].map(() => result('Moving ice', more)),
    ),
  ).toBe(1);
});

test('an address that cannot be decoded is read as it stands', () => {
  const results = [1, 2, 3].map(() => result('Moving ice', { url: 'https://site.example/%zz/glaciers' }));

  expect(shareAbout('glaciers', results)).toBe(1);
});

test.each([
  ['short words only', 'is it ok', foreign],
  ['punctuation only', '?!', foreign],
  ['only what results do not show', 'filetype:pdf before:2020-01-01 -draft', foreign],
  ['two results', 'glaciers', foreign.slice(0, 2)],
  ['no result', 'glaciers', []],
  [
    'results in another script',
    'glaciers',
    ['氷河の動き', '氷河とは', '氷の世界'].map((title) => result(title)),
  ],
  ['an empty query', '', foreign],
])('nothing can be said with %s', (_, query, results) => {
  expect(shareAbout(query, results)).toBeNull();
  expect(isDecoy([query], results)).toBe(false);
});

test.each([
  ['none of the results is about the query', ['roofers harbour'], foreign, true],
  ['every result is', ['flour'], [1, 2, 3].map(() => result('Flour')), false],
  ['one result in four is', ['flour'], foreign, false],
  ['the query as understood fits', ['flowr protine', 'flour protein'], foreign, false],
  ['neither query fits', ['roofers', 'roofer'], foreign, true],
  ['the query as understood is unknown', ['roofers', ''], foreign, true],
  ['no query is known', ['', ''], foreign, false],
  ['one query says nothing', ['is it', 'roofers'], foreign, false],
])('decoy: %s', (_, queries, results, expected) => {
  expect(isDecoy(queries, results)).toBe(expected);
});
