/** What an export of another rank tracker has: its lines, each as a keyword of this service. */

/** A line of an export. `cells`: the fields of a `KeywordRequest`. `fault`: why the line cannot be one. */
export type ExportLine = { row: number; cells: Record<string, unknown>; fault?: string };

/**
 * A file in the form of another tracker. `columns`: what each column becomes; null is not imported.
 * `positions`: how many positions of past days it has, which are not imported.
 */
export type Export = {
  columns: { name: string; field: string | null }[];
  lines: ExportLine[];
  positions: number;
};

/** A line as the tracker wrote it, with the names of its columns as `fieldOf` writes them. */
export type Item = { row: number; cells: ReadonlyMap<string, unknown>; fault?: string };

/** The form of the exports of a tracker. */
export type Tracker = {
  /** The fields of a keyword, by the names of columns. */
  fields: Readonly<Record<string, string>>;
  /** How many positions of past days a column of a line has. */
  positionsIn: (name: string, value: unknown) => number;
  /** The items in a value of JSON. */
  itemsIn: (value: unknown) => unknown[];
  /** The cells of a line that has more of them than the file has columns; undefined if they are not clear. */
  mend?: (names: readonly string[], cells: readonly string[]) => readonly string[] | undefined;
  /** The keyword of a line. */
  keywordOf: (item: Item) => Promise<Record<string, unknown>> | Record<string, unknown>;
};

/** A value as text. `-` is how trackers write that there is none. */
export const textIn = (value: unknown): string => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '-' ? '' : text;
};

/** The first of some columns that has a text. */
export const firstText = ({ cells }: Item, ...names: readonly string[]): string =>
  names.map((name) => textIn(cells.get(name))).find((text) => text !== '') ?? '';

/** The tags in a list, or in a text with commas. */
export const tagsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(textIn) : textIn(value).split(/[,|]/))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The lists in a value: itself, or those of the named properties. */
export const listIn = (value: unknown, ...names: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  return names.flatMap((name) => (Array.isArray(value[name]) ? value[name] : []));
};

/** How many positions a cell has: that of a day, or those of a list or of an object by days. */
export const countIn = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  if (isRecord(value)) return Object.keys(value).length;
  return /\d/.test(textIn(value)) ? 1 : 0;
};
