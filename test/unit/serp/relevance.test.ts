/** Relevant results and decoys. */
import { expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { isDecoy, wordsShown } from '../../../lib/serp/relevance.ts';

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

const unrelated = [
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
  ['the first part of a compound', 'Brot', 'Brotbacken'],
  ['Hebrew with an article', 'מחשב', 'המחשב הראשון'],
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
])('a result is about the query: %s', (_, query, title) => {
  const results = [result(title), result(title), result(title)];

  expect(wordsShown(query, results)?.mean).toBeGreaterThanOrEqual(1);
  expect(isDecoy(query, [], results)).toBe(false);
});

test.each([
  ['snippet', { snippet: 'All about glaciers.' }],
  ['breadcrumb', { breadcrumb: 'site.example › glaciers' }],
  ['address', { url: 'https://site.example/glaciers' }],
  ['encoded address', { url: 'https://site.example/%67laciers' }],
  ['domain', { domain: 'glaciers.example' }],
])('finds the word in the %s', (_, more) => {
  const results = [1, 2, 3].map(() => result('Moving ice', more));

  expect(wordsShown('glaciers', results)).toEqual({ mean: 1, of: 1 });
});

test('uses an address that cannot be decoded without decoding it', () => {
  const results = [1, 2, 3].map(() => result('Moving ice', { url: 'https://site.example/%zz/glaciers' }));

  expect(wordsShown('glaciers', results)).toEqual({ mean: 1, of: 1 });
});

test.each([
  ['an excluded word', 'glaciers -walks', { mean: 1, of: 1 }],
  ['a word twice', 'glaciers glacier', { mean: 1, of: 1 }],
  ['a word that no result shows', 'glaciers bicycle', { mean: 1, of: 2 }],
  ['short words', 'how do i see glaciers', { mean: 1, of: 1 }],
])('counts the words of a query with %s', (_, query, expected) => {
  expect(
    wordsShown(
      query,
      [1, 2, 3].map(() => result('Glacier walks')),
    ),
  ).toEqual(expected);
});

test.each([
  ['short words only', 'is it ok', unrelated],
  ['punctuation only', '?!', unrelated],
  ['only operators that results do not show', 'filetype:pdf before:2020-01-01 -draft', unrelated],
  ['two results', 'glaciers', unrelated.slice(0, 2)],
  ['no result', 'glaciers', []],
  ['an empty query', '', unrelated],
])('gives no judgement for %s', (_, query, results) => {
  expect(wordsShown(query, results)).toBeNull();
  expect(isDecoy(query, [], results)).toBe(false);
});

/** Ten results, of which the first `count` show the word. */
const ten = (word: string, count: number) =>
  Array.from({ length: 10 }, (_, n) => result(n < count ? `About ${word}` : 'Something else'));

const longQuery = 'which mountain valleys have lost most glaciers since nineteen hundred fifty';

test.each<[string, string, ResultItem[], boolean]>([
  ['no result shows a word of the query', 'roofers harbour', unrelated, true],
  ['every result shows the word', 'flour', ten('flour', 10), false],
  ['one word of one, in one result of ten', 'flour', ten('flour', 1), true],
  ['one word of one, in two results of ten', 'flour', ten('flour', 2), false],
  ['one word of two, in two results of ten', 'flour protein', ten('flour', 2), true],
  ['one word of two, in three results of ten', 'flour protein', ten('flour', 3), false],
  ['the letters of the word, in the middle of other words', 'lace', ten('glaciers and places', 10), true],
  ['one word of a long query, in four results of ten', longQuery, ten('glaciers', 4), true],
  ['one word of a long query, in five results of ten', longQuery, ten('glaciers', 5), false],
])('tells whether results are a decoy: %s', (_, query, results, expected) => {
  expect(isDecoy(query, [], results)).toBe(expected);
});

test.each<[string, string, string[], boolean]>([
  ['fits the results', 'flowr', ['flour'], false],
  ['is one of two and fits the results', 'flowr', ['flower', 'flour'], false],
  ['has swapped letters', 'prtoein', ['protein'], false],
  ['does not fit the results', 'roofrs', ['roofers'], true],
  ['fits the results, but not the query', 'roofers', ['flour'], true],
])('tells whether results are a decoy: another spelling %s', (_, query, spellings, expected) => {
  expect(isDecoy(query, spellings, unrelated)).toBe(expected);
});

test.each([
  ['Devanagari', 'दिल्ली में रेस्टोरेंट'],
  ['Tamil', 'தமிழ் செய்திகள்'],
  ['Georgian', 'თბილისი სასტუმრო'],
  ['Japanese', '東京の天気予報'],
])('tells that results are a decoy if the query is in %s, which no result shows', (_, query) => {
  expect(isDecoy(query, [], unrelated)).toBe(true);
  expect(isDecoy(query, [], [...unrelated, ...[1, 2].map(() => result(query))])).toBe(false);
});

test.each([
  ['a query without hamza', 'اسعار الذهب', 'أسعار الذهب'],
  ['a search for related pages', 'related:news.example', 'Another paper'],
])('%s is no decoy', (_, query, title) => {
  expect(
    isDecoy(
      query,
      [],
      Array.from({ length: 4 }, () => result(title)),
    ),
  ).toBe(false);
});
