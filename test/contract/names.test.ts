/** One name for a thing, everywhere: operation = file = row = event, state = file = event, area = what lies beside it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes } from '../../lib/api/routes.ts';

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

describe('states', () => {
  const kebab = (state: string) => state.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();

  test.each(['crawl', 'postback'])('of the %s machine have a file each', (machine) => {
    const invoked = [
      ...read(`infra/${machine}-definition.ts`).matchAll(/(?:invoke|step)\((?:scope, )?'(\w+)'/g),
    ].map(([, state]) => state ?? '');
    const files = listFiles(`functions/${machine}`, '.ts');

    expect(invoked.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(invoked.map(kebab)));
  });
});
