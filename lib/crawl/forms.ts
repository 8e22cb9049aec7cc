/** The results of tasks as text: CSV, JSON lines and Markdown. Pure. */
import { type FormQuery, fieldNames, formOf, TextReply } from '../model/forms.ts';
import { escaped } from '../model/markdown.ts';
import type { RawResult, ResultItem } from '../model/result.ts';
import type { TrackingResult } from '../model/tracking-result.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { type CsvOptions, csvText } from '../runtime/csv.ts';

type Task = V2Task | V1Task;

/** The fields of a task that each of its rows has. */
const taskColumns = [
  'id',
  'post_id',
  'keyword',
  'location_name',
  'iso_code',
  'language_code',
  'device',
  'status',
  'error_message',
] as const;

/** The columns of a result in CSV. A row of domain tracking has no `side`; only it has `tracked_as`. */
const itemColumns = [
  'side',
  'tracked_as',
  'type',
  'position',
  'absolute_position',
  'title',
  'url',
  'domain',
  'breadcrumb',
  'snippet',
] as const;

type Names = ReadonlySet<string> | null;

const isWanted = (names: Names, name: string): boolean => names === null || names.has(name);

const isRaw = (result: object): result is RawResult => 'left' in result && Array.isArray(result.left);

const rawItems = ({ left, right }: RawResult) => [
  ...left.map((item) => ({ side: 'left', ...item })),
  ...right.map((item) => ({ side: 'right', ...item })),
];

const rankings = (result: TrackingResult) =>
  Object.entries(result).flatMap(([domain, { type: tracked_as, keyword_id, results }]) =>
    Object.values(results).map((ranking) => ({ domain, tracked_as, keyword_id, ...ranking })),
  );

/** The results of a task, one record each. */
const itemsOf = ({ result }: Task): Record<string, unknown>[] => {
  if (!result) return [];
  return isRaw(result) ? rawItems(result) : rankings(result);
};

/** The columns of the task itself that the request wants. */
const wantedOf = (task: Task, names: Names): Record<string, unknown> =>
  Object.fromEntries(
    taskColumns.filter((name) => isWanted(names, name)).map((name) => [name, task[name] ?? null]),
  );

/** A record for each result. A task without results has one record, which says how it ended. */
const recordsOf = (task: Task, names: Names): Record<string, unknown>[] => {
  const items = isWanted(names, 'result') ? itemsOf(task) : [];
  const ofTask = wantedOf(task, names);
  return items.length > 0 ? items.map((item) => ({ ...ofTask, ...item })) : [ofTask];
};

/** The tasks as CSV, a row for each result. */
export const csvOf = (tasks: readonly Task[], names: Names, options: CsvOptions = {}): string =>
  csvText(
    [
      ...taskColumns.filter((name) => isWanted(names, name)),
      ...(isWanted(names, 'result') ? itemColumns : []),
    ],
    tasks.flatMap((task) => recordsOf(task, names)),
    options,
  );

/** Values as JSON lines. */
export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

const link = (title: string, url: string): string => {
  const text = escaped(title || url);
  if (!/^https?:\/\//i.test(url)) return text;
  return `[${text}](<${url.replace(/[<>\\\s]/g, encodeURIComponent)}>)`;
};

const itemLine = ({ type, position, title, url, snippet, items = [] }: ResultItem): string => {
  const text = items.length > 0 ? items.map(escaped).join(', ') : escaped(snippet);
  return [`- ${escaped(type)} ${position}:`, title || url ? link(title, url) : '', text && `— ${text}`]
    .filter((part) => part !== '')
    .join(' ');
};

const section = (heading: string, items: readonly ResultItem[]): string[] =>
  items.length > 0 ? ['', `## ${heading}`, '', ...items.map(itemLine)] : [];

const rankingTable = (result: TrackingResult): string[] => [
  '',
  '## Ranking',
  '',
  '| domain | tracked as | type | position | result |',
  '|---|---|---|---|---|',
  ...rankings(result).map(
    ({ domain, tracked_as, type, position, title, url }) =>
      `| ${escaped(domain)} | ${escaped(tracked_as)} | ${escaped(type)} | ${position} | ${url === '-' ? '' : link(title, url)} |`,
  ),
];

/** The task as Markdown: its facts, and its results in the order of the page. */
const markdownOf = (task: Task, names: Names): string => {
  const facts = Object.entries(wantedOf(task, names)).filter(([, value]) => value !== null && value !== '');
  const { result } = task;
  const shown = isWanted(names, 'result') && result && Object.keys(result).length > 0 ? result : null;
  return [
    `# ${escaped(task.keyword)}`,
    '',
    ...facts.map(([name, value]) => `- ${escaped(name)}: ${escaped(String(value))}`),
    ...(shown === null
      ? []
      : isRaw(shown)
        ? [...section('Results', shown.left), ...section('Sidebar', shown.right)]
        : rankingTable(shown)),
    '',
  ].join('\n');
};

const writers = {
  csv: (task: Task, names: Names, options: CsvOptions) => csvOf([task], names, options),
  jsonl: (task: Task, names: Names) => jsonLines(recordsOf(task, names)),
  markdown: markdownOf,
};

/** The task in the form that the request asks for: itself for JSON, else text. */
export const inForm = <Shown extends Task>(
  task: Shown,
  { format, for: program, fields }: FormQuery,
  accept: string,
): Shown | TextReply => {
  const asked = formOf(format, accept);
  if (asked.form === 'json') return task;
  const text = writers[asked.form](task, fieldNames(fields), { for: program });
  return new TextReply(`${asked.type}; charset=utf-8`, text, task.warnings);
};
