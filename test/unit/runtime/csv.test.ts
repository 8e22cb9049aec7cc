/** CSV that no spreadsheet runs, and that our own import reads as it was. */
import { expect, test } from 'vitest';
import { readCsv } from '../../../lib/api/read-csv.ts';
import { cellText, csvText } from '../../../lib/runtime/csv.ts';

const cellOf = (text: string): string =>
  csvText(['keyword'], [{ keyword: text }], { header: false }).slice(0, -2);

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
  expect(csvText(['n'], [{ n: -3 }], { header: false })).toBe('-3\r\n');
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

test('in a file for Excel, ids are texts, times are ISO 8601, and a byte order mark comes first', () => {
  const columns = ['id', 'keyword_id', 'position', 'created_at', 'changed_at', 'keyword'];
  const record = {
    id: 3_767_392_204_849_152,
    keyword_id: 7,
    position: 3,
    created_at: 1_795_464_185,
    changed_at: 0,
    keyword: '=1',
  };

  expect(csvText(columns, [record], { for: 'excel' })).toBe(
    '\ufeffid,keyword_id,position,created_at,changed_at,keyword\r\n' +
      '"\t3767392204849152","\t7",3,2026-11-23T20:03:05Z,,\'=1\r\n',
  );
  expect(csvText(columns, [record], { for: 'excel', header: false })).not.toContain('\ufeff');
  expect(csvText(['id'], [{ id: record.id }])).toBe('id\r\n3767392204849152\r\n');
});

test('a text that a spreadsheet reads as a number, a date or a truth value stays a text in it', () => {
  const changed = [
    '007',
    '1234567890123456',
    '1E5',
    '3/4',
    '1:30',
    '12%',
    '(1)',
    '€5',
    'TRUE',
    'May 5',
    '１２',
  ];
  const kept = ['iphone 15', 'coffee', 'may', '', '5 market streets', '2026-11-23T20:03:05Z', '1|2'];
  const written = (keyword: string) => csvText(['keyword'], [{ keyword }], { header: false, for: 'excel' });

  for (const text of changed) {
    expect(written(text)).toBe(`"\t${text}"\r\n`);
    expect(readCsv(Buffer.from(`keyword\r\n${written(text)}`))).toEqual([{ keyword: text }]);
  }
  for (const text of kept) expect(written(text)).not.toContain('\t');
  expect(csvText(['date'], [{ date: '2026-11-23' }], { header: false, for: 'excel' })).toBe('2026-11-23\r\n');
  expect(csvText(['keyword'], [{ keyword: '007' }], { header: false })).toBe('007\r\n');
});

test('a body of two million rows is read as one row more than the longest list has', () => {
  expect(readCsv(Buffer.from(`keyword\n${'a\n'.repeat(2_000_000)}`))).toHaveLength(10_001);
});

test('a first line that is longer than all names of fields is refused before it is read', () => {
  const names = Array.from({ length: 200_000 }, (_, n) => `a${n}`).join(',');

  expect(() => readCsv(Buffer.from(`${names}\n`))).toThrow('its first line has more than 10000 signs');
  expect(readCsv(Buffer.from(`keyword\n"${'a'.repeat(20_000)}"`))).toHaveLength(1);
});
