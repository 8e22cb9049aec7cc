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

const numberSigns = /^[\p{Nd}\s.,:/()%€$£¥+\-a-z]{1,40}$/iu;
const wordOfNumber = /^(?:e|am|pm|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)$/i;

/** Whether a spreadsheet may read a text as a number, a date, a time or a truth value, and change it. */
const isNumberLike = (text: string): boolean =>
  /^(?:true|false)$/i.test(text) ||
  (numberSigns.test(text) &&
    /\p{Nd}/u.test(text) &&
    (text.match(/[a-z]+/gi) ?? []).every((word) => wordOfNumber.test(word)));

/** A cell of our own CSV as it was before `csvText` wrote it. */
export const cellText = (written: string): string => {
  const text = written.slice(1);
  if (written.startsWith('\t') && isNumberLike(text)) return text;
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
 * digits makes them a text. So does it for texts that look like a number or a date, such as the keyword
 * `007`.
 */
const excelCell = (column: string, value: unknown): unknown => {
  if (typeof value !== 'number') {
    const text = cell(value);
    const isChanged = typeof text === 'string' && column !== 'date' && isNumberLike(text);
    return isChanged ? `\t${text}` : text;
  }
  if (isId(column)) return `\t${value}`;
  return column.endsWith('_at') ? isoTime(value) : value;
};

export type CsvOptions = {
  /** Whether a line of names comes first; default true. */
  header?: boolean;
  /**
   * `excel`: ids, and texts that look like numbers, as text, times as ISO 8601, and a byte order mark before
   * the line of names.
   */
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
