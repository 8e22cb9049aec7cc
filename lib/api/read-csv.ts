/** Reads a body in CSV as the list of objects that the same body has in JSON. */
import { parse } from 'csv-parse/sync';
import { HttpError } from '../model/http-error.ts';

/**
 * The rows as objects, with the names of the header row. An empty cell is a missing field.
 * @throws HttpError 400 if the bytes are not CSV in UTF-8.
 */
export const readCsv = (bytes: Uint8Array): Record<string, string>[] => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const rows: Record<string, string>[] = parse(text, {
      columns: (header: string[]) => header.map((name) => name.trim()),
      skip_empty_lines: true,
      relax_column_count_less: true,
    });
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')));
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? `: ${error.message}` : '';
    throw new HttpError(400, `The body is not valid CSV${reason}`);
  }
};
