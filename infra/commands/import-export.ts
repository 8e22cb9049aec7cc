/**
 * Imports the keywords that another rank tracker has exported: shows what they become and which lines are
 * refused, then imports them by the job of the API.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeywordImport, type RefusedLine } from '../../lib/model/keyword-import.ts';
import { ProjectCost } from '../../lib/model/project.ts';
import { maxAddedKeywords, maxProjectKeywords } from '../../lib/model/request-limits.ts';
import { counted } from './counted.ts';
import { type Call, jsonBody } from './project-api.ts';
import { type Defaults, readExport, type TrackerName } from './trackers/read-export.ts';
import type { Export, ExportLine } from './trackers/tracker.ts';

/** Lines of errors that are printed. */
const shownLines = 50;

/** Bytes of a request, below what the API takes. */
const bytesOfCall = 3_000_000;

/** Milliseconds between two looks at an import that runs. */
const pollMs = 500;

/** The lines in parts that one request takes. */
const partsOf = (lines: readonly ExportLine[]): ExportLine[][] => {
  const parts: ExportLine[][] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(JSON.stringify(line.cells));
    const last = parts.at(-1);
    if (!last || last.length === maxAddedKeywords || bytes + size > bytesOfCall) {
      parts.push([line]);
      bytes = size;
    } else {
      last.push(line);
      bytes += size;
    }
  }
  return parts;
};

const printColumns = (name: string, { columns, lines, positions }: Export): void => {
  const [used, unused] = [columns.filter(({ field }) => field), columns.filter(({ field }) => !field)];
  console.log(`${counted(lines.length, 'line')} of ${name}`);
  console.log(`columns: ${used.map((each) => `${each.name} → ${each.field}`).join(', ')}`);
  if (unused.length > 0) console.log(`not imported: ${unused.map((each) => each.name).join(', ')}`);
  if (positions > 0) {
    console.log(
      `not imported: ${counted(positions, 'position')} of past days, because this service shows only what it has measured itself. Keep the file for them.`,
    );
  }
};

const printRefused = (refused: readonly RefusedLine[]): void => {
  for (const { row, column, message } of refused.slice(0, shownLines)) {
    console.log(`row ${row}${column ? `, ${column}` : ''}: ${message}`);
  }
  if (refused.length > shownLines) console.log(`… and ${refused.length - shownLines} more`);
};

/**
 * What is wrong if the project would get more keywords than it takes; undefined if they fit. `added`: the new
 * keywords of the file. A keyword that is in two parts of it, in different words, counts twice.
 */
export const tooManyFor = async (call: Call, path: string, added: number): Promise<string | undefined> => {
  const { keywords } = await call(ProjectCost, 'GET', `${path}/cost`);
  if (keywords + added <= maxProjectKeywords) return undefined;
  const room = counted(Math.max(0, maxProjectKeywords - keywords), 'new one');
  return (
    `A project takes at most ${counted(maxProjectKeywords, 'keyword')}. It has ${counted(keywords, 'keyword')}, so there is room for ${room}, ` +
    `and the file has up to ${counted(added, 'new one')}.`
  );
};

/**
 * The same calls. If the API says that the project would have too many keywords, the error says how many
 * there is room for.
 */
export const sayingRoom =
  (call: Call, path: string): Call =>
  (schema, method, route, body) =>
    call(schema, method, route, body).catch(async (error: unknown) => {
      if (!(error instanceof Error && /^409: A project has at most .* keywords$/.test(error.message)))
        throw error;
      const { keywords } = await call(ProjectCost, 'GET', `${path}/cost`);
      const room = counted(Math.max(0, maxProjectKeywords - keywords), 'new one');
      throw new Error(
        `${error.message}. It has ${counted(keywords, 'keyword')}, so there is room for ${room}.`,
      );
    });

/** The lines that say the same, under the first of them. */
const sameLines = (lines: readonly ExportLine[]): Map<ExportLine, ExportLine[]> =>
  new Map(
    [...Map.groupBy(lines, ({ cells }) => JSON.stringify(cells)).values()].flatMap((same) =>
      same[0] ? [[same[0], same]] : [],
    ),
  );

type Sum = Pick<KeywordImport, 'added' | 'existing' | 'searches_per_day' | 'monthly_cost_usd'> & {
  refused: RefusedLine[];
  warnings: string[];
};

const refusedHere = (lines: readonly ExportLine[]): RefusedLine[] =>
  lines.flatMap(({ row, fault }) => (fault === undefined ? [] : [{ row, column: null, message: fault }]));

/** Sends the lines to the import job, and waits for its end. A dry run adds nothing. */
const sendLines = async (
  call: Call,
  path: string,
  lines: readonly ExportLine[],
  isDry: boolean,
  progress = { added: 0 },
): Promise<Sum> => {
  const sum: Sum = {
    added: 0,
    existing: 0,
    searches_per_day: 0,
    monthly_cost_usd: 0,
    refused: refusedHere(lines),
    warnings: [],
  };
  const good = lines.filter(({ fault }) => fault === undefined);
  const same = sameLines(good);
  sum.existing = good.length - same.size;
  const callPart = sayingRoom(call, path);
  for (const part of partsOf([...same.keys()])) {
    let job = await callPart(
      KeywordImport,
      'POST',
      `${path}/imports?on_error=skip&dry_run=${isDry}`,
      jsonBody(part.map(({ cells }) => cells)),
    );
    while (job.status === 'running') {
      await sleep(pollMs);
      job = await call(KeywordImport, 'GET', `${path}/imports/${job.import_id}`);
    }
    for (const name of ['added', 'existing', 'searches_per_day', 'monthly_cost_usd'] as const) {
      sum[name] += job[name];
    }
    if (!isDry) progress.added = sum.added;
    for (const each of job.refused_lines) {
      const line = part[each.row - 1];
      const lines = (line && same.get(line)) ?? [each];
      sum.refused.push(...lines.map(({ row }) => ({ ...each, row })));
    }
    for (const number of new Set(job.refused_lines.map(({ row }) => row))) {
      const line = part[number - 1];
      if (line) sum.existing -= (same.get(line)?.length ?? 1) - 1;
    }
    sum.warnings.push(...job.warnings);
    if (job.status === 'failed')
      throw new Error(`The import ended after ${counted(sum.added, 'keyword')}: ${job.reason}`);
  }
  sum.refused.sort((a, b) => a.row - b.row);
  return sum;
};

const printSum = ({ added, existing, refused, ...cost }: Sum, isDry: boolean): void => {
  const lines = new Set(refused.map(({ row }) => row)).size;
  console.log(
    `${isDry ? 'would add' : 'added'} ${counted(added, 'keyword')}; in the project already, or twice in the file: ${existing}; refused: ${counted(lines, 'line')}`,
  );
  console.log(
    `${counted(cost.searches_per_day, 'search', 'searches')} a day, about $${cost.monthly_cost_usd.toFixed(2)} a month`,
  );
};

/** The file and what it is. `isSkipping`: whether good lines are imported without the bad ones. */
export type ExportFile = {
  file: string;
  from: TrackerName;
  defaults: Defaults;
  isDry: boolean;
  isSkipping: boolean;
};

/** Reads the file, and prints what its columns become. @throws Error if the tracker writes no such file. */
export const readExportFile = async ({ file, from, defaults }: ExportFile): Promise<Export> => {
  const found = await readExport(readFileSync(file), from, defaults);
  if (found.lines.length === 0) throw new Error(`${file} has no keywords.`);
  printColumns(from, found);
  return found;
};

/**
 * Imports the lines into the project at the path, after a preview of them. `progress` counts the keywords
 * that were added so far.
 * @throws Error if the API refuses the file, or if lines are refused that are not skipped.
 */
export const importExport = async (
  call: Call,
  path: string,
  { lines }: Export,
  { isDry, isSkipping }: ExportFile,
  progress: { added: number },
): Promise<void> => {
  const preview = await sendLines(call, path, lines, true);
  printRefused(preview.refused);
  for (const warning of new Set(preview.warnings)) console.log(`warning: ${warning}`);
  const tooMany = await tooManyFor(call, path, preview.added);
  if (tooMany && !isDry && !isSkipping) {
    throw new Error(`${tooMany} Nothing was imported. Add --skip-bad to import those that fit.`);
  }
  if (tooMany) console.log(`warning: ${tooMany} The last ones are refused.`);
  if (isDry) return printSum(preview, true);
  if (preview.refused.length > 0 && !isSkipping) {
    throw new Error(
      'Nothing was imported, because lines were refused. Correct them, or add --skip-bad to import the others.',
    );
  }
  const sum = await sendLines(call, path, lines, false, progress);
  if (tooMany)
    printRefused(sum.refused.filter((each) => !preview.refused.some(({ row }) => row === each.row)));
  printSum(sum, false);
};
