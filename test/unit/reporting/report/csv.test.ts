/** Lists as CSV. */
import { describe, expect, test } from 'vitest';
import { csvReply, rowsReply, wantsCsv } from '../../../../lib/reporting/report/csv.ts';

test.each([
  ['csv', 'application/json', true],
  ['json', 'text/csv', false],
  [undefined, 'text/csv', true],
  [undefined, 'application/json', false],
  [undefined, '', false],
] as const)('with the format %s and the header %j, a list is CSV: %s', (format, accept, expected) => {
  expect(wantsCsv({ format, accept })).toBe(expected);
});

describe('CSV', () => {
  const record = { name: 'a "b", c', place: '-', none: null, list: ['x', 'y'], number: 0, formula: '=1+1' };
  const columns = [...Object.keys(record), 'absent'];

  test('has a line of names, quoted cells, empty ones for what is absent, and no formulas', () => {
    const reply = csvReply(columns, [record]);

    expect(reply).toMatchObject({ type: 'text/csv; charset=utf-8' });
    expect(reply).toMatchObject({
      body: 'name,place,none,list,number,formula,absent\r\n"a ""b"", c",,,x y,0,\'=1+1,\r\n',
    });
  });

  test('has the wanted columns in the order of the list', () => {
    expect(csvReply(columns, [record], { fields: 'number,name' })).toMatchObject({
      body: 'name,number\r\n"a ""b"", c",0\r\n',
    });
    expect(csvReply(columns, [])).toMatchObject({ body: `${columns.join(',')}\r\n` });
  });

  test('for Excel begins with the mark of UTF-8', () => {
    expect(csvReply(['name'], [record], { for: 'excel' })).toMatchObject({
      body: expect.stringMatching(/^\ufeffname\r\n/),
    });
  });

  test('that is too large is refused', () => {
    expect(() => csvReply(['name'], [{ name: 'x'.repeat(7_000_000) }])).toThrow(
      expect.objectContaining({
        statusCode: 413,
        detail: expect.stringContaining('larger than 6 MB as CSV'),
      }),
    );
  });
});

describe('rows', () => {
  const rows = [
    { a: 1, b: 'x' },
    { a: 2, b: null },
  ];
  const reply = (form: object, some: readonly object[] = rows) =>
    rowsReply(['a', 'b'], some as typeof rows, { accept: '', ...form });

  test.each([
    [{ format: 'csv' }, 'text/csv; charset=utf-8', 'a,b\r\n1,x\r\n2,\r\n'],
    [{ accept: 'text/csv' }, 'text/csv; charset=utf-8', 'a,b\r\n1,x\r\n2,\r\n'],
    [{ format: 'csv', for: 'excel' }, 'text/csv; charset=utf-8', '\ufeffa,b\r\n1,x\r\n2,\r\n'],
    [{ format: 'jsonl' }, 'application/jsonl', '{"a":1,"b":"x"}\n{"a":2,"b":null}\n'],
    [{ accept: 'application/jsonl' }, 'application/jsonl', '{"a":1,"b":"x"}\n{"a":2,"b":null}\n'],
  ])('with %j are of the type %s', (form, type, body) => {
    expect(reply(form)).toMatchObject({ type, body });
  });

  test.each([{}, { format: 'json' }, { accept: 'application/json' }])(
    'with %j are JSON of the caller',
    (form) => {
      expect(reply(form)).toBeUndefined();
    },
  );

  test('that are too large are refused in either form', () => {
    for (const format of ['csv', 'jsonl'])
      expect(() => reply({ format }, [{ a: 'x'.repeat(7_000_000) }])).toThrow(
        expect.objectContaining({ statusCode: 413, detail: expect.stringMatching(/larger than 6 MB/) }),
      );
  });
});
