/**
 * Reads a file of keywords as people have it: with commas, semicolons or tabs, names in any case, and what
 * spreadsheets add. Row numbers are those that a spreadsheet shows.
 */
import { type CsvError, type Info, parse } from 'csv-parse/sync';
import { HttpError } from '../model/http-error.ts';
import { type FileRow, FileRows } from '../model/keyword-import.ts';
import { listOfQuotes, quote } from '../model/quote.ts';
import { tagsIn } from '../model/tag.ts';
import { cellText } from '../runtime/csv.ts';

const refuse = (reason: string): never => {
  throw new HttpError(400, `The file cannot be read: ${reason}`);
};

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark, which Excel writes as Unicode text. */
export const textOf = (bytes: Uint8Array): string => {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return refuse('it is not in UTF-8. Save it as “CSV UTF-8”');
  }
};

/** Rows that are read: empty rows between the lines count, too. */
const maxRows = 50_000;

/** More than the names of all columns, and their separators. */
const maxNamesLength = 10_000;

/** The first line that is not empty, without what is in quotes. */
const namesLineOf = (text: string): string => {
  const [line = ''] = /[^\s\uFEFF][^\r\n]*/.exec(text.slice(0, 2 * maxNamesLength)) ?? [];
  if (line.length > maxNamesLength)
    return refuse(`its first line has more than ${maxNamesLength.toLocaleString('en-US')} characters`);
  return line.replace(/"[^"]*"/g, '');
};

/** The separator that the line of names has most often. */
const separatorOf = (line: string): string => {
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
};

/** The columns that each line must have. */
const requiredNames = ['keyword', 'iso_code'];

/** The name of a field, as people write it in the first row of a file. */
export const fieldOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

const isError = (error: unknown): error is CsvError => error instanceof Error && 'code' in error;

type Parsed = { record: string[]; info: Pick<Info, 'records' | 'empty_lines'> };

const recordsOf = (text: string, delimiter: string): Parsed[] => {
  try {
    return parse(text, {
      delimiter,
      info: true,
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      // A quotation mark within a cell is part of it, as in: 12" pizza.
      relax_quotes: true,
      to: maxRows + 1,
    }) as unknown as Parsed[];
  } catch (error) {
    if (!isError(error)) throw error;
    return refuse(error.message);
  }
};

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** The fault of a row that has more cells than the file has names; cells without a text do not count. */
const faultOf = (cells: readonly string[], names: readonly string[]): string | undefined =>
  isEmpty(cells.slice(names.length))
    ? undefined
    : `The line has ${cells.length} cells, and the file ${names.length} columns. A cell with the separator in it needs quotes`;

/** Columns whose words are in lower case; people write Mobile, too. */
const wordColumns: ReadonlySet<string> = new Set(['engine', 'device', 'type']);

const fieldValueOf = (name: string, cell: string): unknown => {
  const text = cellText(cell);
  if (name === 'tags') return tagsIn(text);
  return wordColumns.has(name) ? text.trim().toLowerCase() : text;
};

const rowOf = (cells: readonly string[], names: readonly string[], row: number): FileRow => {
  const fault = faultOf(cells, names);
  const named = names.flatMap((name, n): [string, unknown][] => {
    const cell = cells[n] ?? '';
    return name === '' || cell.trim() === '' ? [] : [[name, fieldValueOf(name, cell)]];
  });
  return { row, cells: Object.fromEntries(named), ...(fault !== undefined && { fault }) };
};

/** A file with a row of names: these as they are written, and the rows that are not empty. */
export type FileTable = { names: string[]; rows: { row: number; cells: string[] }[] };

/**
 * The names and rows of a file. A row may have fewer or more cells than there are names.
 * @throws HttpError 400 if the bytes are not such a file.
 */
export const readFileTable = (bytes: Uint8Array): FileTable => {
  // Excel writes and reads a first line that names the separator.
  const [hint = '', named] = /^sep=(.)\r?\n/i.exec(textOf(bytes)) ?? [];
  const text = textOf(bytes).slice(hint.length);
  const records = recordsOf(text, named ?? separatorOf(namesLineOf(text)));
  if (records.length > maxRows) refuse(`it has more than ${maxRows.toLocaleString('en-US')} rows`);
  const before = hint === '' ? 0 : 1;
  const [first, ...rest] = records.filter(({ record }) => !isEmpty(record));
  if (!first) return refuse('it has no rows');
  const fields = first.record.map(fieldOf);
  const twice = fields.find((name, n) => name !== '' && fields.indexOf(name) < n);
  if (twice !== undefined) refuse(`two columns are named ${quote(twice)}`);
  return {
    names: first.record,
    rows: rest.map(({ record, info }) => ({ row: info.records + info.empty_lines + before, cells: record })),
  };
};

/**
 * The rows of a file of keywords. An empty cell is a missing field, and an empty row is left out.
 * @throws HttpError 400 if the bytes are not such a file.
 */
export const readFileRows = (bytes: Uint8Array): FileRows => {
  const table = readFileTable(bytes);
  const names = table.names.map(fieldOf);
  const absent = requiredNames.filter((name) => !names.includes(name));
  if (absent.length > 0) refuse(`its first row does not name the column ${listOfQuotes(absent)}`);
  return new FileRows(table.rows.map(({ row, cells }) => rowOf(cells, names, row)));
};
