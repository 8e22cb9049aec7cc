/**
 * One name for each thing, everywhere: operation = file = row = event, state = file = event = function, area
 * = folder of its operations = function.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { routes } from '../../lib/api/routes.ts';
import { htmlKey } from '../../lib/store/html-key.ts';
import { definitionOf, resourcesOf, tasksIn, templateOf } from '../infra/template.ts';

const root = new URL('../../', import.meta.url);
const listFiles = (folder: string, ending: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => `${entry.parentPath}/${basename(entry.name, ending)}`.split(`/${folder}/`)[1] ?? '')
    .sort();
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const operations = Object.keys(routes).sort();
const areas = [...new Set(operations.map((operation) => operation.split('/')[0] ?? ''))].sort();

describe('operations', () => {
  test('have a file each, and the folder has no other files', () => {
    expect(listFiles('functions/api', '.ts')).toEqual([...areas, ...operations].sort());
  });

  test('have an event each', () => {
    expect(listFiles('events/api', '.json')).toEqual(operations);
  });

  test.each(operations)('the file of %s uses the row of that name', (operation) => {
    expect(read(`functions/api/${operation}.ts`).match(/routes\['([^']+)'\]/g)).toEqual([
      `routes['${operation}']`,
    ]);
  });

  test.each(operations)('the file of %s does not load the rows of other files', (operation) => {
    expect(read(`functions/api/${operation}.ts`)).not.toContain("/api/routes.ts'");
  });

  test.each(operations)('the event of %s matches its row', (operation) => {
    const event = JSON.parse(read(`events/api/${operation}.json`));
    const row = Object.entries(routes).find(([name]) => name === operation)?.[1];

    const pattern = new RegExp(`^${row?.path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
    expect([event.httpMethod, event.path]).toEqual([row?.method, expect.stringMatching(pattern)]);
  });

  test.each(operations)('%s has a sentence and at most 25 lines', (operation) => {
    const lines = read(`functions/api/${operation}.ts`).trimEnd().split('\n');

    expect(lines[0]).toMatch(/^\/\*\* .+\. \*\/$/);
    expect(lines.length).toBeLessThanOrEqual(25);
  });
});

test.each(areas)('area %s has all of its operations and nothing else', (area) => {
  const source = read(`functions/api/${area}.ts`);
  const imported = [...source.matchAll(/^import .* from '([^']+)';$/gm)].map(([, from]) => from).sort();
  const names = [...source.matchAll(/import \{ handler as (\w+) \}/g)].map(([, name]) => name).sort();
  const listed = (/area\(\[([^\]]*)\]\)/s.exec(source)?.[1] ?? '').match(/\w+/g)?.sort();

  expect(imported).toEqual(
    [
      '../../lib/api/area.ts',
      ...operations.filter((name) => name.startsWith(`${area}/`)).map((name) => `./${name}.ts`),
    ].sort(),
  );
  expect(listed).toEqual(names);
});

test.each(['crawl', 'keyword', 'postback', 'schedule'])('every function of %s has an event', (folder) => {
  expect(listFiles(`events/${folder}`, '.json')).toEqual(listFiles(`functions/${folder}`, '.ts'));
});

/**
 * The schema that a function of a machine or a queue parses its input with, and whether that is the body of a
 * message.
 */
const inputOf = async (name: string): Promise<{ Schema: v.GenericSchema; isMessage: boolean }> => {
  const source = read(`functions/${name}.ts`);
  const [, wrapper, schema = ''] =
    /^export const handler = (step|consumer|batchConsumer)\(\s*(\w+),/m.exec(source) ?? [];
  const from = new RegExp(`^import \\{[^}]*\\b${schema}\\b[^}]*\\} from '\\.\\./\\.\\./([^']+)';$`, 'm').exec(
    source,
  )?.[1];
  if (!wrapper || !from) throw new Error(`functions/${name}.ts does not show the schema of its input`);
  const module: Record<string, v.GenericSchema> = await import(new URL(from, root).href);
  const Schema = module[schema];
  if (!Schema) throw new Error(`${from} has no ${schema}`);
  return { Schema, isMessage: wrapper !== 'step' };
};

const EventOfQueue = v.object({ Records: v.pipe(v.array(v.object({ body: v.string() })), v.minLength(1)) });

/** Every key of stored HTML in an event. */
const storedPages = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        name === 'html' ? [String(inner)] : storedPages(inner),
      )
    : [];

const inputs = ['crawl', 'keyword', 'postback'].flatMap((folder) =>
  listFiles(`functions/${folder}`, '.ts').map((file) => `${folder}/${file}`),
);

test.each(inputs)('the event of %s is an input of its function', async (name) => {
  const event: unknown = JSON.parse(read(`events/${name}.json`));
  const { Schema, isMessage } = await inputOf(name);
  const given = isMessage
    ? v.parse(EventOfQueue, event).Records.map(({ body }) => JSON.parse(body))
    : [event];

  for (const input of given) {
    // The schema drops fields that it does not name: an event has none of those.
    expect(v.parse(Schema, input)).toMatchObject(input);
    for (const html of storedPages(input)) {
      expect(html).toBe(htmlKey({ html_folder: html.split('/')[1] ?? '', attempt: 1, page: 1 }));
    }
  }
});

describe('functions of the stack', () => {
  const template = templateOf('prod');
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(({ id, metadata }) => ({
    id,
    entry: String(metadata.Entry),
  }));
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  /** The entries of the functions that a value refers to, by themselves or by their aliases. */
  const entriesIn = (value: unknown): string[] => {
    const text = JSON.stringify(value);
    const byAlias = aliases.filter(({ id }) => text.includes(id)).map(({ properties }) => properties);
    const all = text + JSON.stringify(byAlias);
    return functions.filter(({ id }) => all.includes(id)).map(({ entry }) => entry);
  };
  const entriesOf = (type: string, property: string): string[] =>
    resourcesOf(template, type).flatMap(({ properties }) => entriesIn(properties[property]));
  const stepsOf = (machine: 'crawl' | 'postback') =>
    tasksIn(definitionOf(template, machine === 'crawl' ? 'CrawlMachine' : 'PostbackMachine'));

  const filesIn = (...folders: string[]): string[] =>
    folders
      .flatMap((folder) =>
        listFiles(`functions/${folder}`, '.ts').map((file) => `functions/${folder}/${file}.ts`),
      )
      .sort();
  const areaFiles = areas.map((area) => `functions/api/${area}.ts`);
  const kebab = (state: string) => state.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
  const pascal = (file: string) => file.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

  test('are the areas, and one for each file of crawl, keyword, postback and schedule', () => {
    expect(functions.map(({ entry }) => entry).sort()).toEqual(
      [...areaFiles, ...filesIn('crawl', 'keyword', 'postback', 'schedule')].sort(),
    );
  });

  test.each(functions)('$id is named after $entry', ({ id, entry }) => {
    expect(id.replace(/[0-9A-F]{8}$/, '')).toBe(`${pascal(basename(entry, '.ts'))}Function`);
  });

  test('answer the gateway only if they are areas', () => {
    expect([...new Set(entriesOf('AWS::ApiGateway::Method', 'Integration'))].sort()).toEqual(areaFiles);
  });

  /** A number at the end of its name tells a state from others of the same function. */
  const fileOf = (machine: string, state: string) =>
    `functions/${machine}/${kebab(state.replace(/\d$/, ''))}.ts`;

  test.each(['crawl', 'postback'] as const)(
    'of %s are the states of its machine and its consumer',
    (machine) => {
      const states = new Set(stepsOf(machine).map(([state]) => fileOf(machine, state)));
      const consumers = entriesOf('AWS::Lambda::EventSourceMapping', 'FunctionName');
      const own = [...new Set(consumers)].filter((entry) => entry.startsWith(`functions/${machine}/`));

      expect(own).toHaveLength(1);
      expect([...states, ...own].sort()).toEqual(filesIn(machine));
    },
  );

  test.each(['crawl', 'postback'] as const)('are called by the state of %s with the same name', (machine) => {
    for (const [state, step] of stepsOf(machine)) {
      expect(entriesIn(step)).toEqual([fileOf(machine, state)]);
    }
  });

  test('of the schedule are the targets of the rules', () => {
    // Several targets may be one function, each with a part of the work.
    expect([...new Set(entriesOf('AWS::Events::Rule', 'Targets'))].sort()).toEqual(filesIn('schedule'));
  });
});
