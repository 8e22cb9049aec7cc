/** Reads a file that another rank tracker has exported. */
import { fieldOf, readFileTable, textOf } from '../../../lib/api/read-file-rows.ts';
import { seRanking } from './se-ranking.ts';
import { serpapi } from './serpapi.ts';
import { serpbear } from './serpbear.ts';
import { type Export, type ExportLine, type Item, isRecord, type Tracker } from './tracker.ts';

export const trackers = { serpbear, serpapi, seranking: seRanking } as const;
export type TrackerName = keyof typeof trackers;
export const trackerNames = Object.keys(trackers) as TrackerName[];

/** What the lines have that the file does not say. */
export type Defaults = { country?: string; language?: string; device?: string };

type Found = { names: string[]; items: Item[] };

const itemsOfTable = (bytes: Uint8Array, { mend }: Tracker): Found => {
  const { names, rows } = readFileTable(bytes);
  const fields = names.map(fieldOf);
  return {
    names,
    items: rows.map(({ row, cells: found }) => {
      const isLong = found.slice(names.length).some((cell) => cell.trim() !== '');
      const cells = found.length > names.length && (isLong || mend) ? mend?.(names, found) : found;
      return {
        row,
        cells: new Map(fields.map((field, n) => [field, (cells ?? found)[n]])),
        ...(!cells && {
          fault: `The line has ${found.length} cells, and the file ${names.length} columns. A cell with the separator in it needs quotes`,
        }),
      };
    }),
  };
};

/** The values of JSON, or of JSON lines, with the number of the line. Undefined: the text is neither. */
const valuesIn = (text: string): { row: number | null; value: unknown; fault?: string }[] | undefined => {
  try {
    return [{ row: null, value: JSON.parse(text) }];
  } catch {
    if (!/^\s*\{.*\}\s*$/m.test(text.slice(0, text.indexOf('\n') + 1 || undefined))) return undefined;
    return text.split(/\r?\n/).flatMap((line, n) => {
      if (line.trim() === '') return [];
      try {
        return [{ row: n + 1, value: JSON.parse(line) as unknown }];
      } catch {
        return [{ row: n + 1, value: {}, fault: 'The line is not valid JSON' }];
      }
    });
  }
};

const itemsOfJson = (text: string, tracker: Tracker): Found => {
  const values = valuesIn(text);
  if (!values) throw new Error('The file is not valid JSON.');
  const found = values.flatMap(({ row, value, fault }) => {
    const items =
      fault === undefined && (row === null || tracker.itemsIn(value).length > 0)
        ? tracker.itemsIn(value)
        : [value];
    return items.map((each) => ({ row, each, fault }));
  });
  const names = new Set(found.flatMap(({ each }) => (isRecord(each) ? Object.keys(each) : [])));
  return {
    names: [...names],
    items: found.map(({ row, each, fault }, n) => ({
      row: row ?? n + 1,
      cells: new Map(
        isRecord(each) ? Object.entries(each).map(([name, value]) => [fieldOf(name), value]) : [],
      ),
      ...(fault !== undefined && { fault }),
      ...(!isRecord(each) && { fault: 'The item is not an object' }),
    })),
  };
};

/** A line without its empty fields, and with the defaults for those that it lacks. */
const lineOf = async (item: Item, { keywordOf }: Tracker, defaults: Defaults): Promise<ExportLine> => {
  const { row, fault } = item;
  const given = {
    ...(defaults.country && { iso_code: defaults.country }),
    ...(defaults.language && { language_code: defaults.language }),
    ...(defaults.device && { device: defaults.device }),
  };
  const found = Object.entries(await keywordOf(item)).filter(
    ([, value]) => value !== '' && String(value) !== '',
  );
  const cells = { ...given, ...Object.fromEntries(found) };
  return { row, cells, ...(fault !== undefined && { fault }) };
};

/**
 * The keywords of a file in the form of a tracker. A file that begins with `{` or `[` is JSON or JSON lines;
 * any other is CSV.
 * @throws Error if the file has no column of keywords, or is neither; HttpError 400 if it cannot be read.
 */
export const readExport = async (
  bytes: Uint8Array,
  name: TrackerName,
  defaults: Defaults = {},
): Promise<Export> => {
  const tracker = trackers[name];
  const text = textOf(bytes);
  const isJson = /^\s*[[{]/.test(text);
  const { names, items } = isJson ? itemsOfJson(text, tracker) : itemsOfTable(bytes, tracker);
  const columns = names
    .filter((each) => each.trim() !== '')
    .map((each) => ({ name: each.trim(), field: tracker.fields[fieldOf(each)] ?? null }));
  if (!columns.some(({ field }) => field === 'keyword')) {
    const known = Object.keys(tracker.fields).filter((each) => tracker.fields[each] === 'keyword');
    throw new Error(
      `The file is not an export of ${name}: it has no ${known.join(', ')}. It has ${names.join(', ') || 'nothing'}.`,
    );
  }
  const counts = items.flatMap(({ cells }) =>
    [...cells].map(([each, value]) => tracker.positionsIn(each, value)),
  );
  return {
    columns,
    lines: await Promise.all(items.map((item) => lineOf(item, tracker, defaults))),
    positions: counts.reduce((sum, count) => sum + count, 0),
  };
};
