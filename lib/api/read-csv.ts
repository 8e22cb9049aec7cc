/** Reads a body in CSV as the list of objects that the same body has in JSON. */
import { parse } from 'csv-parse/sync';
import { HttpError } from '../model/http-error.ts';
import { quote } from '../model/quote.ts';
import { maxAddedKeywords } from '../model/request-limits.ts';
import { tagsIn } from '../model/tag.ts';
import { cellText } from '../runtime/csv.ts';

/** More than the names of all fields of a request, and their separators. */
const maxHeaderLength = 10_000;

/**
 * One row more than the longest list may have, so that the schema of the list reports that it is too long.
 */
const maxRows = maxAddedKeywords + 1;

/** @throws HttpError 400 if two columns have the same name, because one of them would be lost. */
const namesOf = (header: string[]): string[] => {
  const names = header.map((name) => name.trim());
  const twice = names.find((name, n) => name !== '' && names.indexOf(name) < n);
  if (twice !== undefined)
    throw new HttpError(400, `The body is not valid CSV: two columns are named ${quote(twice)}`);
  return names;
};

/**
 * The rows as objects, with the names of the header row. An empty cell is a missing field, and one of tags is
 * a list. Rows beyond those
 * that any list may have are not read, because a body of 4 MB has two million of them.
 * @throws HttpError 400 if the bytes are not CSV in UTF-8.
 */
export const readCsv = (bytes: Uint8Array): Record<string, unknown>[] => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.length > maxHeaderLength && !/[\r\n]/.test(text.slice(0, maxHeaderLength)))
      throw new HttpError(
        400,
        `The body is not valid CSV: its first line has more than ${maxHeaderLength} signs`,
      );
    const rows: Record<string, string>[] = parse(text, {
      columns: namesOf,
      skip_empty_lines: true,
      to: maxRows,
      relax_column_count_less: true,
    });
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, cell]) =>
          cell === '' ? [] : [[name, name === 'tags' ? tagsIn(cellText(cell)) : cellText(cell)]],
        ),
      ),
    );
  } catch (error) {
    if (error instanceof HttpError) throw error;
    const reason = error instanceof Error && 'code' in error ? `: ${error.message}` : '';
    throw new HttpError(400, `The body is not valid CSV${reason}`);
  }
};
