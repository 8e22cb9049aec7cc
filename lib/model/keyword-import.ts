/** Imports of keywords into a project: a file whose lines are read one by one, and its progress. */
import * as v from 'valibot';
import { component, described, statesOf, withWords } from './described.ts';
import { maxAddedKeywords } from './request-limits.ts';
import { Bool, Count, choice, PathId, Seconds } from './scalar.ts';
import { AddKeywordsRequest, aboutCost, KeywordRequest } from './tracked-keyword.ts';

/** A row of a file: its number in the file, its cells by name, and what is wrong with the row itself. */
export type FileRow = { row: number; cells: Record<string, unknown>; fault?: string };

/** The rows of a file in CSV. The rows of a list in JSON count from 1. */
export class FileRows {
  readonly rows: readonly FileRow[];

  constructor(rows: readonly FileRow[]) {
    this.rows = rows;
  }
}

/**
 * A line of a file or a list. `request`: absent if the line is bad. `raw`: the line as it was sent. `item`:
 * the number of the item in a list, from 0; absent in a file.
 */
export type Line = {
  row: number;
  item?: number;
  raw: unknown;
  request?: KeywordRequest;
  fault?: string;
  issues: readonly v.BaseIssue<unknown>[];
};

type Row = { row: number; item?: number; cells: unknown; fault?: string };

const lineOf = ({ cells, ...place }: Row): Line => {
  if (place.fault !== undefined) return { ...place, raw: cells, issues: [] };
  const { success, output, issues } = v.safeParse(KeywordRequest, cells, { abortPipeEarly: true });
  return success ? { ...place, raw: cells, request: output, issues: [] } : { ...place, raw: cells, issues };
};

const rowsOf = (value: unknown): Row[] | undefined => {
  if (value instanceof FileRows) return [...value.rows];
  return Array.isArray(value)
    ? value.map((cells: unknown, n) => ({ row: n + 1, item: n, cells }))
    : undefined;
};

/**
 * The body of an import: as a list of keywords, but a bad line is no error of the list. The operation decides
 * what becomes of it.
 */
export const ImportRequest: v.GenericSchema<unknown, Line[]> = {
  ...(AddKeywordsRequest as unknown as v.GenericSchema<unknown, Line[]>),
  '~run': (dataset, config) => {
    const rows = rowsOf(dataset.value);
    if (rows && rows.length <= maxAddedKeywords) return { typed: true, value: rows.map(lineOf) };
    // Its own errors: not a list, or too many lines.
    const refused = AddKeywordsRequest['~run']({ value: rows ?? dataset.value }, config);
    return refused as v.OutputDataset<Line[], v.BaseIssue<unknown>>;
  },
};

export const ImportQuery = v.object({
  on_error: described(
    v.optional(choice(['refuse', 'skip']), 'refuse'),
    'What a bad line does. `refuse`: the whole file is refused, with all bad lines. `skip`: the other lines are ' +
      'imported',
    'skip',
  ),
  dry_run: described(
    v.optional(Bool, false),
    'Add nothing, and only say which lines are bad, how many keywords would be new and what they would cost',
    false,
  ),
});
export type ImportQuery = v.InferOutput<typeof ImportQuery>;

export const ImportParams = v.object({
  project_id: described(PathId, 'The id of the project', 3767392204849160),
  import_id: described(PathId, 'The id of the import, from the response to its file', 3767392204849180),
});

const importStatuses = {
  running: 'keywords are being added',
  done: 'every accepted line has its keyword',
  failed: 'it has ended before the last line, and `reason` says why',
  dry_run: 'nothing was added',
};

const ImportStatus = component(
  'ImportStatus',
  withWords('The state of an import job', importStatuses),
  statesOf('Import', importStatuses),
);

export const RefusedLine = component(
  'RefusedLine',
  'A line of an import that was refused',
  v.object({
    row: described(
      Count,
      'The row of the file, as a spreadsheet counts it: the names are in row 1. In JSON: the item, from 1',
      17,
    ),
    column: described(v.nullable(v.string()), 'The name of the column. Null: the whole line', 'device'),
    message: described(v.string(), 'What is wrong', 'device must be ‘mobile’ or ‘desktop’, not "phone"'),
  }),
);
export type RefusedLine = v.InferOutput<typeof RefusedLine>;

export const KeywordImport = component(
  'KeywordImport',
  'An import of keywords, with its progress',
  v.object({
    import_id: described(v.nullable(Count), 'The id of the import. Null: a dry run', 3767392204849180),
    project_id: described(Count, 'The id of the project', 3767392204849160),
    status: described(ImportStatus, 'The state of the job', 'running'),
    created_at: described(Seconds, 'When the file was accepted, in Unix seconds', 1795996800),
    ended_at: described(v.nullable(Seconds), 'When the import ended. Null: it has not ended', null),
    lines: described(Count, 'Lines of the file that have a keyword, or should', 250),
    accepted: described(Count, 'Lines without an error', 249),
    refused: described(Count, 'Lines with an error', 1),
    handled: described(Count, 'Accepted lines that were handled so far', 100),
    added: described(Count, 'Keywords that were added so far; in a dry run: that would be', 98),
    existing: described(
      Count,
      'Accepted lines whose keyword the project, or an earlier line, has already',
      2,
    ),
    searches_per_day: described(v.number(), 'Searches a day that the new keywords cause', 98),
    monthly_cost_usd: described(v.number(), aboutCost, 0.6958),
    reason: described(v.nullable(v.string()), 'Why the import failed. Null: it did not', null),
    warnings: described(
      v.array(v.string()),
      'Columns of the file and places that the service does not know: the accepted lines are imported without ' +
        'the columns, and with the places unchanged',
      [],
    ),
    refused_lines: described(
      v.array(RefusedLine),
      'The lines with an error, in the order of the file, and each error of a line. A list of more than 4 MB is ' +
        'cut off',
      [],
    ),
  }),
);
export type KeywordImport = v.InferOutput<typeof KeywordImport>;
