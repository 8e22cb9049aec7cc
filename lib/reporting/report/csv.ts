/** Lists as CSV. */
import { stringify } from 'csv-stringify/sync';
import { fieldNames, formOf, TextReply } from '../../model/forms.ts';
import { HttpError } from '../../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../../model/request-limits.ts';

/** How a request chooses the form of its response. */
export type Wanted = { format?: 'json' | 'csv' | undefined; accept: string };

export const wantsCsv = ({ format, accept }: Wanted): boolean => formOf(format, accept).form === 'csv';

/** A text that is absent is `-` in JSON. In CSV, such a cell is empty. */
const cell = (value: unknown): unknown => {
  if (value === '-' || value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(' ') : value;
};

/**
 * Records as CSV (RFC 4180) with a line of names. `fields`: the names that are wanted, separated by commas; empty for all. A cell that a
 * spreadsheet would run as a formula begins with an apostrophe, because titles and texts come from other people's pages.
 * @throws HttpError 413 if the text is too large for a response.
 */
export const csvReply = (
  columns: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
  fields = '',
): TextReply => {
  const names = fieldNames(fields);
  const wanted = columns.filter((column) => names === null || names.has(column));
  const text = stringify(
    records.map((record) => wanted.map((column) => cell(record[column]))),
    { header: true, columns: wanted, escape_formulas: true, record_delimiter: 'windows' },
  );
  if (payloadBytes(text) > maxTaskBytes) {
    throw new HttpError(
      413,
      'The list is larger than 6 MB as CSV: choose fewer rows with a filter, or fewer columns with `fields`',
    );
  }
  return new TextReply('text/csv; charset=utf-8', text);
};
