/** Records as CSV. */
import { stringify } from 'csv-stringify/sync';

/**
 * A text that a spreadsheet may run as a formula: one of its signs is the first that the spreadsheet sees. It
 * skips white space and signs that are not seen, and some begin a new cell or line at a separator within a
 * text (OWASP, CSV injection).
 */
const formula =
  /(?:^|[\t\r\n,;|])[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]*[=+@\-\uff1d\uff0b\uff0d\uff20]/u;

/** The apostrophe makes a spreadsheet show the rest as text. A first apostrophe of the text is doubled. */
const escaped = (text: string): string => (text.startsWith("'") || formula.test(text) ? `'${text}` : text);

/** In JSON, a text that is absent may be `-`. In CSV, its cell is empty. */
const cell = (value: unknown): unknown => {
  if (value === '-' || value === null || value === undefined) return '';
  if (Array.isArray(value)) return escaped(value.join(' '));
  return typeof value === 'string' ? escaped(value) : value;
};

/** A cell of our own CSV as it was before `csvText` wrote it. */
export const cellText = (written: string): string => {
  const text = written.slice(1);
  return written.startsWith("'") && (text.startsWith("'") || formula.test(text)) ? text : written;
};

/** Where a program may end a cell or a row, or drop a sign, unless the cell has quotes. */
const ends = /[\r\n\t;|\0]|^[\p{White_Space}\p{Default_Ignorable_Code_Point}]|\p{White_Space}$/u;

const isId = (column: string): boolean => column === 'id' || column.endsWith('_id');

/** Unix seconds as ISO 8601; empty for 0, which means never. */
const isoTime = (seconds: number): string =>
  seconds === 0 ? '' : new Date(seconds * 1000).toISOString().replace(/\.000Z$/, 'Z');

/**
 * A value as Excel shows it right. Excel keeps 15 digits of a number, and ids have 16; a tab before the
 * digits makes them a text.
 */
const excelCell = (column: string, value: unknown): unknown => {
  if (typeof value !== 'number') return cell(value);
  if (isId(column)) return `\t${value}`;
  return column.endsWith('_at') ? isoTime(value) : value;
};

export type CsvOptions = {
  /** Whether a line of names comes first; default true. */
  header?: boolean;
  /** `excel`: ids as text, times as ISO 8601, and a byte order mark before the line of names. */
  for?: 'excel' | undefined;
};

/**
 * Records as CSV (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe,
 * because titles and texts come from other people's pages.
 */
export const csvText = (
  columns: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
  { header = true, for: program }: CsvOptions = {},
): string => {
  const cellIn = program === 'excel' ? excelCell : (_: string, value: unknown) => cell(value);
  return stringify(
    records.map((record) => columns.map((column) => cellIn(column, record[column]))),
    {
      header,
      bom: header && program === 'excel',
      columns: [...columns],
      quoted_match: ends,
      record_delimiter: 'windows',
    },
  );
};
