/** Lists as CSV and as JSON lines. */
import { fieldNames, formOf, TextReply } from '../../model/forms.ts';
import { HttpError } from '../../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../../model/request-limits.ts';
import { csvText } from '../../runtime/csv.ts';

/** How a request chooses the form of its response. */
export type Wanted = { format?: 'json' | 'csv' | undefined; accept: string };

/** What a request says of a list in CSV: the program that it is for, and the wanted names, with commas. */
type CsvQuery = { for?: 'excel' | undefined; fields?: string };

/** How a request chooses the form of rows. */
type RowForm = { format?: 'json' | 'csv' | 'jsonl' | undefined; for?: 'excel' | undefined; accept: string };

export const wantsCsv = ({ format, accept }: Wanted): boolean => formOf(format, accept).form === 'csv';

/**
 * Records as CSV with a line of names. Without `fields`, all columns.
 * @throws HttpError 413 if the text is too large for a response.
 */
export const csvReply = (
  columns: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
  { fields = '', for: program }: CsvQuery = {},
): TextReply => {
  const names = fieldNames(fields);
  const wanted = columns.filter((column) => names === null || names.has(column));
  const text = csvText(wanted, records, { for: program });
  if (payloadBytes(text) > maxTaskBytes) {
    throw new HttpError(
      413,
      'The list is larger than 6 MB as CSV: choose fewer rows with a filter, or fewer columns with `fields`',
    );
  }
  return new TextReply('text/csv; charset=utf-8', text);
};

/**
 * Rows as CSV or JSON lines; undefined if the request wants JSON.
 * @throws HttpError 413 if the text is too large for a response.
 */
export const rowsReply = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  { format, for: program, accept }: RowForm,
): TextReply | undefined => {
  const wanted = formOf(format, accept);
  if (wanted.form === 'csv') return csvReply(columns, rows, { for: program });
  if (wanted.form !== 'jsonl') return undefined;
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (payloadBytes(lines) > maxTaskBytes) {
    throw new HttpError(413, 'The rows are larger than 6 MB: choose fewer of them');
  }
  return new TextReply(wanted.type, lines);
};
