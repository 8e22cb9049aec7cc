/** The layers, and the only directions in which one may import another. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

const verbs = ['lib/task', 'lib/crawl', 'lib/postback', 'lib/access', 'lib/keyword', 'lib/reporting'];
const below = ['lib/store', 'lib/provider', 'lib/serp', 'lib/sandbox', 'lib/model', 'lib/runtime'];

/** Folder → what it may import beside itself and packages; of the names that fit, the longest counts. */
const allowed: Record<string, string[]> = {
  functions: ['functions', 'lib/api', 'lib/runtime', 'lib/model', ...verbs],
  'lib/api': ['lib/access', 'lib/model', 'lib/runtime'],
  ...Object.fromEntries(verbs.map((verb) => [verb, below])),
  // A run moves its task, by the one table of legal moves; links to pages are signed, and open, by access.
  'lib/crawl': ['lib/task', ...below],
  'lib/task': ['lib/access', ...below],
  'lib/postback': ['lib/access', ...below],
  'lib/store': ['lib/model', 'lib/runtime'],
  'lib/provider': ['lib/model'],
  'lib/serp': ['lib/model'],
  'lib/sandbox': ['lib/model'],
  'lib/runtime': ['lib/model'],
  'lib/model': [],
  infra: ['lib/api/routes.ts', 'lib/task/policy.ts', 'lib/postback/policy.ts', 'lib/runtime/metrics.ts'],
  'infra/local': [
    'infra',
    'lib/access',
    'lib/task/wake.ts',
    'lib/model',
    'lib/runtime/crash.ts',
    'lib/runtime/metrics.ts',
  ],
  'infra/commands': ['infra', 'lib'],
};

/** Packages that the pure layers may use beside none at all. */
const packages: Record<string, RegExp> = {
  'lib/model': /^valibot$/,
  'lib/serp': /^(htmlparser2|domhandler|domutils|css-select|tldts)$/,
  'lib/sandbox': /^node:(crypto|zlib|buffer)$/,
  'lib/provider': /^valibot$/,
};

const isIn = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

const layerOf = (path: string): string | undefined =>
  Object.keys(allowed)
    .filter((folder) => isIn(folder, path))
    .sort((a, b) => b.length - a.length)[0];

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(
    ([, from]) => (from?.startsWith('.') ? relative(root, join(root, dirname(file), from)) : (from ?? '')),
  );

const files = ['functions', 'lib', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

test.each(files)('%s', (file) => {
  const layer = layerOf(file) ?? 'no layer';
  const ours = importsOf(file).filter((from) => /^(functions|lib|infra|test)\//.test(from));
  const others = importsOf(file).filter((from) => !ours.includes(from));

  expect(
    ours.filter((from) => ![layer, ...(allowed[layer] ?? [])].some((folder) => isIn(folder, from))),
  ).toEqual([]);
  expect(others.filter((from) => packages[layer] && !packages[layer].test(from))).toEqual([]);
});

test('only where pages are fetched may the sandbox stand in for an engine', () => {
  const users = files.filter(
    (file) => layerOf(file) !== 'lib/sandbox' && importsOf(file).some((from) => isIn('lib/sandbox', from)),
  );

  expect(users).toEqual(['lib/crawl/source.ts']);
});

test.each(files.filter((file) => /^functions\/.+\/.+\.ts$/.test(file)))(
  '%s has one verb of the service',
  (file) => {
    const used = importsOf(file).filter((from) => verbs.some((verb) => isIn(verb, from)));

    expect(used.length).toBeLessThanOrEqual(1);
  },
);

test('there is no drawer for what has no name', () => {
  const nameless = /(^|\/)(utils?|helpers?|common|shared|misc|managers?|services?)(\.ts|\/)/;

  expect(files.filter((file) => nameless.test(file))).toEqual([]);
});
