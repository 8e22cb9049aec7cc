/**
 * The groups of mutation tests: each file whose rules matter is in a group, and a test of its group loads it.
 * Otherwise all of its mutants stay, and the score of the group says nothing about it.
 */
import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { groups } from '../mutation/groups.ts';
import { resolveImport, root, textOf } from './imports.ts';

const filesOf = (patterns: readonly string[]): string[] => {
  const find = (some: readonly string[]) => globSync(some, { cwd: root });
  const left = new Set(find(patterns.flatMap((each) => (each.startsWith('!') ? [each.slice(1)] : []))));
  return find(patterns.filter((each) => !each.startsWith('!'))).filter((file) => !left.has(file));
};

/** What is mutated: rules, shapes, orders of writes. */
const mutated = filesOf([
  'lib/{task,postback,access,pace,keyword,reporting,net,provider}/**/*.ts',
  'lib/serp/**/verdict.ts',
  'lib/serp/web-rules.ts',
  'lib/serp/tracking.ts',
]);

/** Files without mutants that a test could notice, and why. */
const withoutGroup: Record<string, string> = {
  'lib/net/browser.ts': 'drives Chromium: each mutant would need a start of it',
  'lib/net/browser-arguments.ts': 'as browser.ts',
  'lib/net/chromium.ts': 'as browser.ts',
  'lib/net/chromium-program.ts': 'as browser.ts',
  'lib/net/render-html.ts': 'as browser.ts',
  'lib/provider/sandbox.ts': 'a double of the providers, which no live stage has',
};

/**
 * The modules that a text loads, and those that it replaces (`vi.mock`) without loading them. Imports of
 * types load nothing.
 */
const readModules = (file: string, text: string): { loaded: string[]; replaced: string[] } => {
  const resolve = (from = '') => resolveImport(file, from);
  const mocks = [...text.matchAll(/\bvi\.mock\(\s*import\(\s*'([^']+)'\s*\)(,\s*async \(original\))?/g)];
  const rest = text.replaceAll(/\bvi\.mock\(\s*import\(\s*'[^']+'\s*\)/g, '');
  const loads =
    /^(?:import|export)\s(?!type\s)(?:[^;']*?\sfrom\s*)?'([^']+)'|(?<!typeof )\bimport\(\s*'([^']+)'/gm;
  return {
    loaded: [...rest.matchAll(loads)].map(([, from, later]) => resolve(from ?? later)),
    replaced: mocks.flatMap(([, from, original]) => (original ? [] : [resolve(from)])),
  };
};

const isOurs = (file: string) => /^(functions|lib|infra|test)\/.+\.tsx?$/.test(file);

const known = new Map<string, { loaded: string[]; replaced: string[] }>();
const modulesOf = (file: string) => {
  const read = known.get(file) ?? readModules(file, textOf(file));
  known.set(file, read);
  return read;
};

/** All files that a test loads, directly or over other files, without those that it replaces. */
const reachedBy = (file: string): Set<string> => {
  const replaced = new Set(modulesOf(file).replaced);
  const reached = new Set<string>();
  const next = [file];
  for (let each = next.pop(); each !== undefined; each = next.pop()) {
    if (reached.has(each) || replaced.has(each) || !isOurs(each)) continue;
    reached.add(each);
    next.push(...modulesOf(each).loaded);
  }
  return reached;
};

describe.each(Object.entries(groups))('the group %s', (_, { mutate, tests }) => {
  const files = filesOf(mutate);

  test('has files and tests for each of its patterns', () => {
    const patterns = [...mutate, ...tests].map((each) => each.replace('!lib', 'lib'));

    expect(patterns.filter((each) => filesOf([each]).length === 0)).toEqual([]);
  });

  test('has a test for each file that loads it', () => {
    const reached = new Set(filesOf(tests).flatMap((file) => [...reachedBy(file)]));

    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});

test('each file is in one group, or is named with the reason why it is in none', () => {
  const grouped = Object.values(groups).flatMap(({ mutate }) => filesOf(mutate));

  expect(mutated.filter((file) => !grouped.includes(file)).toSorted()).toEqual(
    Object.keys(withoutGroup).toSorted(),
  );
  expect(grouped.filter((file, n) => grouped.indexOf(file) !== n)).toEqual([]);
});

describe('of the text of a file', () => {
  test.each([
    ["import { a } from './a.ts';", ['lib/a.ts'], []],
    ["import {\n  a,\n  type B,\n} from './a.ts';", ['lib/a.ts'], []],
    ["import type { A } from './a.ts';\nimport './b.ts';", ['lib/b.ts'], []],
    ["export { a } from './a.ts';", ['lib/a.ts'], []],
    ["const a = await import('./a.ts');", ['lib/a.ts'], []],
    ["type A = typeof import('./a.ts');", [], []],
    ["import { a } from './a.ts';\nvi.mock(import('./a.ts'), () => ({ a }));", ['lib/a.ts'], ['lib/a.ts']],
    ["vi.mock(import('./a.ts'), () => import('./b.ts'));", ['lib/b.ts'], ['lib/a.ts']],
    ["vi.mock(import('./a.ts'), async (original) => ({ ...(await original()) }));", [], []],
  ])('%j, what is loaded and replaced is found', (text, loaded, replaced) => {
    expect(readModules('lib/file.ts', text)).toEqual({ loaded, replaced });
  });
});
