/**
 * What a document names exists: paths, commands with their verbs, groups of tests, settings, environment
 * variables.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTables, groups } from '../../infra/commands/help.ts';
import { withPart } from '../../infra/commands/marked-part.ts';
import { settingNames } from '../../lib/model/settings.ts';
import { templateOf } from '../infra/template.ts';
import { documents, files, read, root, spansIn } from './documents.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** Files that the reader makes, or that a recipe adds as an example. */
const madeByReaders = ['infra/stages/prod.json', 'infra/stages/rehearsal.json'];

const folders = ['functions', 'lib', 'infra', 'test', 'events', 'docs', '.ci'];

/** A path in a document as a pattern: `<engine>` stands for any name, `*` for any part of one. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/\/$/, '')
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/<[\w ]+>/g, '[^/]+')
      .replaceAll('*', '[^/]*')}(?:/|$)`,
  );

const isThere = (path: string): boolean => {
  const pattern = patternOf(path);
  return madeByReaders.includes(path) || files.some((file) => pattern.test(file));
};

/**
 * The paths from the top of the repository that a text names, also in code. Paths of URLs and relative ones
 * are left out.
 */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(`(?<![\\w./-])(?:${folders.join('|')})/[\\w.<>*/-]*[\\w>*/]`, 'g'))].map(
    ([path]) => path,
  );

/** The names of files without a folder in spans of code. */
const fileNamesIn = (text: string): string[] =>
  spansIn(text).filter((code) => /^[\w.-]+\.(?:tsx?|md)$/.test(code));

describe.each(documents)('%s', (document) => {
  const text = read(document);

  test('names paths that exist', () => {
    expect(pathsIn(text).filter((path) => !isThere(path))).toEqual([]);
    expect(
      fileNamesIn(text).filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))),
    ).toEqual([]);
  });

  test('names commands that exist', () => {
    const commands = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    const tools = [...text.matchAll(/\bnpx ([a-z][\w-]*)/g)].map(([, name = '']) => name);

    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    // A document can have its reader install a tool, such as a generator of clients.
    const isThere = (name: string) =>
      existsSync(join(root, 'node_modules/.bin', name)) ||
      new RegExp(`\\bnpm install [^\\n]*\\b${name}@`).test(text);
    expect(tools.filter((name) => !isThere(name))).toEqual([]);
  });

  test('names verbs that their commands know', () => {
    const calls = [...text.matchAll(/\bnpm run ([a-z][\w:-]*) -- ([a-z]+)\b/g)];
    const unknown = calls.filter(([, name = '', verb]) => {
      const script = /^node (\S+)$/.exec(scripts[name] ?? '')?.[1];
      return script?.startsWith('infra/commands/') && !new RegExp(`\\b${verb}\\b`).test(read(script));
    });

    expect(unknown.map(([call]) => call)).toEqual([]);
  });

  test('names groups of tests that exist', () => {
    const config = read('vitest.config.ts');
    const projects = [...text.matchAll(/--project ([a-z]+)/g)].map(([, name = '']) => name);

    expect(projects.filter((name) => !config.includes(`rung('${name}'`) && name !== 'lib')).toEqual([]);
  });
});

const settingsPage = read('docs/settings.md');

/** The variables that a table of docs/settings.md describes. */
const described = new Set(
  [...settingsPage.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  ),
);

const sources = files
  .filter((file) => /^(?:functions|lib|infra|test)\/.*\.tsx?$/.test(file))
  .map((file) => ({ file, text: read(file) }));
const code = sources.map(({ text }) => text).join('\n');

test.each(documents)('every setting that %s names is one, or is in the code', (document) => {
  const text = read(document);
  const named = spansIn(text).flatMap(
    (span) => /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=\S*)?$/.exec(span)?.[1] ?? [],
  );

  expect(named.filter((name) => !described.has(name) && !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

describe('docs/settings.md', () => {
  /** The variables that a file reads from the environment. */
  const readIn = (text: string): string[] => [
    ...[...text.matchAll(/\bprocess\.env\.(\w+)/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/\bconst \{([^}]+)\} = process\.env\b/g)].flatMap(([, names = '']) =>
      names.split(',').flatMap((name) => /^\s*(\w+)/.exec(name)?.[1] ?? []),
    ),
  ];
  /** Tests of parts set variables of their own. */
  const readers = sources.filter(({ file }) => !/^test\/(?:unit|contract|infra|integration)\//.test(file));
  const environment = read('lib/runtime/env.ts');
  /** The names of resources, the variables of the stack, and those that programs get. */
  const ofSchema = [
    ...[...environment.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, name = '']) => name),
    ...[...environment.matchAll(/^ {2}([A-Z_]+): '/gm)].map(([, name = '']) => name),
    ...[...environment.matchAll(/\[('PATH'[^\]]+)\]/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
    ),
  ];
  const variables = [
    ...new Set([...readers.flatMap(({ text }) => readIn(text)), ...ofSchema, ...settingNames]),
  ];

  test('the test finds the variables that the code reads', () => {
    expect(variables).toEqual(
      expect.arrayContaining(['PORT', 'TASKS_TABLE', 'SERVICE', 'SERVICE_URL', 'AWS_ENDPOINT_URL', 'TMPDIR']),
    );
    expect(variables.length).toBeGreaterThan(60);
  });

  test('describes every environment variable that the code reads', () => {
    expect(variables.filter((name) => !described.has(name))).toEqual([]);
  });
});

describe('the commands', () => {
  const known = groups.flatMap(({ commands }) => Object.keys(commands));

  test('of package.json are those of `npm run help`, in the same order', () => {
    expect(known).toEqual(Object.keys(scripts));
  });

  test('of CONTRIBUTING are those of `npm run help`: `npm run docs` writes them', () => {
    const page = read('CONTRIBUTING.md');

    expect(withPart(page, 'CONTRIBUTING.md', 'commands', commandTables())).toBe(page);
  });

  test('run files that exist', () => {
    const started = Object.values(scripts).flatMap((script) => /^node (\S+)/.exec(script)?.[1] ?? []);

    expect(started.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

test('CONTRIBUTING has a row for every folder of lib and infra', () => {
  const folders = new Set(files.flatMap((file) => /^(?:lib|infra)\/[\w-]+(?=\/)/.exec(file)?.[0] ?? []));
  const page = read('CONTRIBUTING.md');

  expect(folders.size).toBeGreaterThan(20);
  expect([...folders].filter((folder) => !page.includes(`\`${folder}\``))).toEqual([]);
});

describe('docs/architecture.md', () => {
  const text = read('docs/architecture.md');
  const infra = [
    ...files.filter((file) => /^infra\/[\w-]+\.ts$|^infra\/api\//.test(file)).map(read),
    // The ids of functions are put together.
    ...Object.keys(templateOf('prod').Resources ?? {}),
  ].join('\n');
  /** The alarms of each engine, function and machine have names that are put together. */
  const partsOf = (name: string): string[] => {
    const [, part = name, kind] = /^(\w+?)(Errors|Failed|TimedOut)$/.exec(name) ?? [];
    if (kind && infra.includes(part)) return [part, kind];
    const [, ofEngine] = /^Google(\w+?)(?:Http|Browser)?$/.exec(name) ?? [];
    return ofEngine ? [ofEngine] : [name];
  };
  const named = [
    ...spansIn(text.replace(/^```mermaid.*?^```$/gms, '')).filter((span) => /^(?:[A-Z][a-z]+)+$/.test(span)),
    ...[...text.matchAll(/\b(?:[A-Z][a-z]+)+(?:Function|Queue|Machine|Deliveries)\b/g)].map(([name]) => name),
  ];

  test('names resources, states and alarms that the stack has', () => {
    expect(new Set(named).size).toBeGreaterThan(50);
    expect(named.filter((name) => !partsOf(name).every((part) => infra.includes(part)))).toEqual([]);
  });

  test('names the alarms of the service and of the stack Ops', () => {
    const alarms = [...infra.matchAll(/makeAlarm\(ops, '(\w+)'/g)].map(([, name = '']) => name);

    expect(alarms.length).toBeGreaterThan(10);
    expect(alarms.filter((name) => !['Throttles'].includes(name) && !text.includes(`\`${name}\``))).toEqual(
      [],
    );
  });
});
