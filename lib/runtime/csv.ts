/** Records as CSV. */
import { stringify } from 'csv-stringify/sync';

/**
 * A text that a spreadsheet may run as a formula: one of its signs is the first that the spreadsheet sees. It
 * skips white space and signs that are not seen, and some begin a new cell or line at a separator within a
 * text (OWASP, CSV injection).
 */
const formula =
  /(?:^|[\t\r\n,;|])[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]*[=+@\-\uff1d\uff0b\uff0d\uff20]/u;

/** The apostrophe makes a spreadsheet show the rest as text. One that stands there already is doubled. */
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

/**
 * Records as CSV (RFC 4180), with a line of names unless `header` is false. A cell that a spreadsheet would
 * run as a formula begins with an apostrophe, because titles and texts come from other people's pages.
 */
export const csvText = (
  columns: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
  header = true,
): string =>
  stringify(
    records.map((record) => columns.map((column) => cell(record[column]))),
    { header, columns: [...columns], quoted_match: ends, record_delimiter: 'windows' },
  );
