/**
 * `npm run project -- import <file.csv>`: adds the keywords of a CSV file to a new project, or to an existing
 * one; a dry run says what they would cost. `--from` reads what another rank tracker has exported. `-- list`,
 * `-- show` and `-- delete` manage projects. Calls the API of the embedded stack that runs in DATA_DIR with
 * the key of its first user, or the API at `--url` with the key in API_KEY.
 */

import { readFileSync } from 'node:fs';
import { ManagedProject, ManagedProjectList } from '../../lib/model/project.ts';
import { AddedKeywords } from '../../lib/model/tracked-keyword.ts';
import { readFirstUser } from '../local/first-user.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';
import { counted } from './counted.ts';
import { type ExportFile, importExport, readExportFile, sayingRoom, tooManyFor } from './import-export.ts';
import { type Call, callerOf, jsonBody } from './project-api.ts';
import { faultIn, readProjectArguments, type Values } from './project-arguments.ts';
import { useRunningStack } from './stack-environment.ts';
import { trackerNames } from './trackers/read-export.ts';

const usage = `npm run project -- <verb> [--url <address of the API>]
  import <file.csv> --name <name> --domain <domain> [--competitor <domain>]… [--frequency <hours>] [--dry-run]
  import <file.csv> --project <id> [--dry-run]
  import <file> --from serpbear|serpapi|seranking [--country <code>] [--language <code>] [--device <device>]
    [--skip-bad] and the options above
  list
  show | delete <id>
Without --from, the file has a header row: keyword, engine, location_name, iso_code, language_code, device, type, domain, google_business, update_frequency.
Only keyword and iso_code are needed. A dry run adds nothing.
With --from, the file is the CSV or JSON of the other tracker. --country, --language and --device are for lines that
have none. --skip-bad imports the other lines if some are refused. Positions of the past are not imported.`;
beginCommand(usage);

const paths = { projects: '/api/v1/projects' };

/** Rows that one call of the API takes. */
const rowsOfCall = 10_000;

/** The address of the API and the key for it. */
const target = async ({ url }: Values): Promise<{ url: string; apiKey: string }> => {
  if (url !== undefined) {
    const { API_KEY } = process.env;
    if (!API_KEY) throw new Error('Set API_KEY to the key of the user who owns the projects.');
    return { url: url.replace(/\/$/, ''), apiKey: API_KEY };
  }
  const { dataDir, apiKey } = readSettings(process.env);
  const stack = await useRunningStack(dataDir);
  const key = apiKey ?? readFirstUser(dataDir)?.apiKey;
  if (!key) throw new Error(`${dataDir} has no key of a first user: set API_KEY.`);
  return { url: stack.url, apiKey: key };
};

const lineOf = ({ project_id, name, domain, check_frequency, paused }: ManagedProject): string =>
  `project ${project_id}  ${name}  ${domain}  every ${check_frequency} h${paused ? '  paused' : ''}`;

/**
 * Splits a CSV file into parts with the header row, of at most so many rows each. A row of a quoted cell with
 * line breaks is not split.
 */
const partsOf = (text: string): string[] => {
  const [header = '', ...lines] = text.split(/\r?\n/);
  const parts: string[][] = [];
  let rows = rowsOfCall;
  let isQuoted = false;
  for (const line of lines) {
    if (!isQuoted && line.trim() === '') continue;
    if (!isQuoted) {
      if (rows === rowsOfCall) {
        parts.push([header]);
        rows = 0;
      }
      rows += 1;
    }
    parts.at(-1)?.push(line);
    if ((line.split('"').length - 1) % 2 === 1) isQuoted = !isQuoted;
  }
  return parts.map((part) => part.join('\n'));
};

const printCost = ({ added, existing, searches_per_day, monthly_cost_usd, dry_run }: AddedKeywords): void => {
  console.log(
    `${dry_run ? 'would add' : 'added'} ${counted(added, 'keyword')}; in the project already, or twice in the file: ${existing}`,
  );
  console.log(
    `${counted(searches_per_day, 'search', 'searches')} a day, about $${monthly_cost_usd.toFixed(2)} a month`,
  );
};

/**
 * Makes a project, or finds it, and imports into it. Nothing stays of a new one after a dry run, or if its
 * import has added nothing.
 */
const withProject = async (
  call: Call,
  values: Values,
  run: (path: string, progress: { added: number }) => Promise<void>,
): Promise<void> => {
  const isNew = values.project === undefined;
  const project = isNew
    ? await call(
        ManagedProject,
        'POST',
        paths.projects,
        jsonBody({
          name: values.name,
          domain: values.domain,
          ...(values.competitor && { competitors: values.competitor }),
          ...(values.frequency && { check_frequency: values.frequency }),
        }),
      )
    : await call(ManagedProject, 'GET', `${paths.projects}/${values.project}`);
  const path = `${paths.projects}/${project.project_id}`;
  const progress = { added: 0 };
  try {
    await run(path, progress);
  } catch (error) {
    if (isNew && progress.added === 0) await call(ManagedProject, 'DELETE', path);
    throw error;
  }
  if (isNew && values['dry-run']) await call(ManagedProject, 'DELETE', path);
  else console.log(lineOf(project));
};

/** Sends the parts of a file one after another. `progress` counts the keywords that were added so far. */
const sendParts = async (
  call: Call,
  path: string,
  parts: readonly string[],
  isDry: boolean,
  progress: { added: number },
): Promise<AddedKeywords> => {
  const sum: AddedKeywords = {
    added: 0,
    existing: 0,
    keyword_ids: [],
    searches_per_day: 0,
    monthly_cost_usd: 0,
    dry_run: isDry,
    warnings: [],
  };
  const callPart = sayingRoom(call, path);
  const route = `${path}/keywords${isDry ? '?dry_run=true' : ''}`;
  for (const text of parts) {
    const answer = await callPart(AddedKeywords, 'POST', route, { type: 'text/csv', text });
    for (const name of ['added', 'existing', 'searches_per_day', 'monthly_cost_usd'] as const) {
      sum[name] += answer[name];
    }
    if (!isDry) progress.added = sum.added;
    sum.warnings.push(...answer.warnings);
  }
  return sum;
};

/** How many rows of the parts are those of an earlier part again. */
const repeatedIn = (parts: readonly string[]): number => {
  const rowsOf = (part: string) =>
    part
      .split('\n')
      .slice(1)
      .map((row) => row.trim().toLowerCase());
  const rows = parts.flatMap((part) => [...new Set(rowsOf(part))]);
  return rows.length - new Set(rows).size;
};

const importFile = async (call: Call, file: string, values: Values): Promise<void> => {
  const parts = partsOf(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  if (parts.length === 0) throw new Error(`${file} has no rows after its header row.`);
  const isDry = values['dry-run'];
  await withProject(call, values, async (path, progress) => {
    // The API refuses one request with too many keywords. It cannot count those of the next one.
    const preview =
      isDry || parts.length > 1 ? await sendParts(call, path, parts, true, progress) : undefined;
    const tooMany = preview && (await tooManyFor(call, path, preview.added - repeatedIn(parts)));
    if (tooMany && !isDry) throw new Error(`${tooMany} Nothing was imported.`);
    const sum = isDry && preview ? preview : await sendParts(call, path, parts, false, progress);
    for (const warning of new Set(sum.warnings)) console.log(`warning: ${warning}`);
    if (tooMany) console.log(`warning: ${tooMany}`);
    printCost(sum);
  });
};

const importOfTracker = async (call: Call, file: ExportFile, values: Values): Promise<void> => {
  const found = await readExportFile(file);
  await withProject(call, values, (path, progress) => importExport(call, path, found, file, progress));
};

const listProjects = async (call: Call): Promise<void> => {
  let cursor: string | null = '';
  let count = 0;
  while (cursor !== null) {
    const page: ManagedProjectList = await call(
      ManagedProjectList,
      'GET',
      `${paths.projects}?per_page=100&cursor=${cursor}`,
    );
    for (const project of page.data) console.log(lineOf(project));
    count += page.data.length;
    cursor = page.cursor;
  }
  if (count === 0) console.log('There are no projects.');
};

const showProject = async (call: Call, id: string): Promise<void> => {
  const project = await call(ManagedProject, 'GET', `${paths.projects}/${id}`);
  for (const [name, value] of Object.entries(project)) {
    const text = Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
    console.log(`${name.padEnd(18)}${text}`);
  }
};

try {
  const { values, positionals } = readProjectArguments(usage);
  const [verb, subject] = positionals;
  const { 'dry-run': isDry, 'skip-bad': isSkipping, country, language, device } = values;
  const from = trackerNames.find((name) => name === values.from);
  const fault = faultIn(positionals, values);
  if (fault) throw new Error(`${fault}\nUsage: ${usage}`);
  const { url, apiKey } = await target(values);
  const call = callerOf(url, apiKey);
  if (verb === 'import' && subject && from) {
    const defaults = {
      ...(country && { country }),
      ...(language && { language }),
      ...(device && { device }),
    };
    await importOfTracker(call, { file: subject, from, defaults, isDry, isSkipping }, values);
  } else if (verb === 'import' && subject) await importFile(call, subject, values);
  else if (verb === 'list') await listProjects(call);
  else if (verb === 'show' && subject) await showProject(call, subject);
  else console.log(`deleted ${lineOf(await call(ManagedProject, 'DELETE', `${paths.projects}/${subject}`))}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
