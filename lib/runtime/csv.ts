/** Records as CSV. */
import { stringify } from 'csv-stringify/sync';

/** In JSON, a text that is absent may be `-`. In CSV, its cell is empty. */
const cell = (value: unknown): unknown => {
  if (value === '-' || value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(' ') : value;
};

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
    { header, columns: [...columns], escape_formulas: true, record_delimiter: 'windows' },
  );
