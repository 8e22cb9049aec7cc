/**
 * One name for a thing, everywhere: operation = file = row = event, state = file = event = function, area = what lies beside
 * it = function.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes } from '../../lib/api/routes.ts';
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
  test('have a file each, and nothing else lies there', () => {
    expect(listFiles('functions/api', '.ts')).toEqual([...areas, ...operations].sort());
  });

  test('have an event each', () => {
    expect(listFiles('events/api', '.json')).toEqual(operations);
  });

  test.each(operations)('%s is the row that its file names', (operation) => {
    expect(read(`functions/api/${operation}.ts`).match(/routes\['([^']+)'\]/g)).toEqual([
      `routes['${operation}']`,
    ]);
  });

  test.each(operations)('%s has an event for its own row', (operation) => {
    const event = JSON.parse(read(`events/api/${operation}.json`));
    const row = Object.entries(routes).find(([name]) => name === operation)?.[1];

    const pattern = new RegExp(`^${row?.path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
    expect([event.httpMethod, event.path]).toEqual([row?.method, expect.stringMatching(pattern)]);
  });

  test.each(operations)('%s is a sentence', (operation) => {
    const lines = read(`functions/api/${operation}.ts`).trimEnd().split('\n');

    expect(lines[0]).toMatch(/^\/\*\* .+\. \*\/$/);
    expect(lines.length).toBeLessThanOrEqual(25);
  });
});

test.each(areas)('area %s takes in its operations, all of them and nothing else', (area) => {
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

test.each(['crawl', 'postback', 'schedule'])('every function of %s has an event', (folder) => {
  expect(listFiles(`events/${folder}`, '.json')).toEqual(listFiles(`functions/${folder}`, '.ts'));
});

describe('functions of the stack', () => {
  const template = templateOf('prod');
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(({ id, metadata }) => ({
    id,
    entry: String(metadata.Entry),
  }));
  const entriesIn = (value: unknown): string[] =>
    functions.filter(({ id }) => JSON.stringify(value).includes(id)).map(({ entry }) => entry);
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

  test('are the areas of the interface, and what lies beside it: a function for a file, a file for a function', () => {
    expect(functions.map(({ entry }) => entry).sort()).toEqual(
      [...areaFiles, ...filesIn('crawl', 'postback', 'schedule')].sort(),
    );
  });

  test.each(functions)('$id is named after $entry', ({ id, entry }) => {
    expect(id.replace(/[0-9A-F]{8}$/, '')).toBe(`${pascal(basename(entry, '.ts'))}Function`);
  });

  test('answer the gateway where they are areas, and the areas only', () => {
    expect([...new Set(entriesOf('AWS::ApiGateway::Method', 'Integration'))].sort()).toEqual(areaFiles);
  });

  test.each(['crawl', 'postback'] as const)(
    'of %s are the states of its machine, and its consumer',
    (machine) => {
      const states = stepsOf(machine).map(([state]) => `functions/${machine}/${kebab(state)}.ts`);
      const consumers = entriesOf('AWS::Lambda::EventSourceMapping', 'FunctionName');
      const ours = [...new Set(consumers)].filter((entry) => entry.startsWith(`functions/${machine}/`));

      expect(ours).toHaveLength(1);
      expect([...states, ...ours].sort()).toEqual(filesIn(machine));
    },
  );

  test.each(['crawl', 'postback'] as const)(
    'are called by the states of %s that bear their name',
    (machine) => {
      for (const [state, step] of stepsOf(machine)) {
        expect(entriesIn(step)).toEqual([`functions/${machine}/${kebab(state)}.ts`]);
      }
    },
  );

  test('of the schedule are what the clock calls', () => {
    expect(entriesOf('AWS::Events::Rule', 'Targets').sort()).toEqual(filesIn('schedule'));
  });
});
