/** CSV that no spreadsheet runs, and that our own import reads as it was. */
import { expect, test } from 'vitest';
import { readCsv } from '../../../lib/api/read-csv.ts';
import { cellText, csvText } from '../../../lib/runtime/csv.ts';

const cellOf = (text: string): string => csvText(['keyword'], [{ keyword: text }], false).slice(0, -2);

test.each([
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(1)',
  '\t=1',
  ' =1',
  '\n=1',
  '\ufeff=1',
  '\u200b=1',
  '\0=1',
  'tea;=1+1',
  'tea,=1+1',
  'tea|=1+1',
  'tea\r\n=1+1',
  'tea\t @x',
  '\uff1d1+1',
])('%j is text in a spreadsheet', (text) => {
  expect(cellOf(text).replace(/^"/, '')).toMatch(/^'/);
});

test.each(['tea', 'green tea', 'a=b', '1-2', 'x@y', 'tea, green', '5 + 5', "o'clock"])(
  '%j stays as it is',
  (text) => {
    expect(cellOf(text).replace(/^"|"$/g, '')).toBe(text);
  },
);

test('numbers stay numbers', () => {
  expect(csvText(['n'], [{ n: -3 }], false)).toBe('-3\r\n');
});

test.each([
  '=1+1',
  "'=1+1",
  "'tea",
  "''",
  '- tea',
  'tea;green',
  'tea\n=1',
  '"tea"',
  '  =tea',
  '\u200b@tea',
  'tea, -green',
  "rock 'n' roll",
])('%j is the same keyword after export and import', (text) => {
  const csv = csvText(['keyword', 'iso_code'], [{ keyword: text, iso_code: 'US' }]);

  expect(readCsv(Buffer.from(csv))).toEqual([{ keyword: text, iso_code: 'US' }]);
});

test('cells of other programs stay as they are', () => {
  expect(["'tea", "'n' roll", "'"].map(cellText)).toEqual(["'tea", "'n' roll", "'"]);
});

test('a heading that stands twice is refused', () => {
  expect(() => readCsv(Buffer.from('keyword, keyword\ntea,coffee\n'))).toThrow(
    'The body is not valid CSV: two columns are named "keyword"',
  );
});
