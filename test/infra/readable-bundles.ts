/**
 * The project's code in the bundles of all functions, readable: not minified, and without the packages, which
 * it imports. One call reads each module once for all of them.
 */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import { build } from 'esbuild';
import * as v from 'valibot';
import { resourcesOf, templateOf } from './template.ts';

const entries = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').map(({ metadata }) =>
  String(metadata.Entry),
);

const { metafile, outputFiles } = await build({
  entryPoints: entries,
  bundle: true,
  write: false,
  metafile: true,
  outdir: 'out',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  platform: 'node',
  plugins: [
    {
      name: 'packages',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^[\w@]/ }, ({ path, kind }) =>
          // An import of which nothing is used is removed, as it is with the code of the package.
          kind === 'entry-point' ? undefined : { path, external: true, sideEffects: false },
        ),
    },
  ],
});
const textOf = new Map(outputFiles.map(({ path, text }) => [relative(process.cwd(), path), text]));
const outputOf = new Map(
  Object.entries(metafile.outputs).map(([path, output]) => [output.entryPoint, { path, ...output }]),
);

const names = v.record(v.string(), v.string());
const Lock = v.object({
  packages: v.record(
    v.string(),
    v.object({ dependencies: v.optional(names), peerDependencies: v.optional(names) }),
  ),
});
const { packages } = v.parse(Lock, JSON.parse(readFileSync('package-lock.json', 'utf8')));

/** Adds a package to `all`, and the packages that it needs. */
const addPackage = (name: string, all: Set<string>): void => {
  if (all.has(name)) return;
  all.add(name);
  const { dependencies, peerDependencies } = packages[`node_modules/${name}`] ?? {};
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) addPackage(needed, all);
};

/** The packages that a function imports, and those that they need. */
export const packagesIn = (entry: string): string[] => {
  const all = new Set<string>();
  for (const { path } of outputOf.get(entry)?.imports ?? []) {
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (name && !isBuiltin(path)) addPackage(name, all);
  }
  return [...all];
};

/**
 * What remains of the project's modules in the bundle of a function after esbuild has removed unused code.
 * Each begins with a line that is its file.
 */
export const modulesIn = (entry: string): string[] =>
  (textOf.get(outputOf.get(entry)?.path ?? '') ?? '')
    .split(/^\/\/ (?=\S+\.(?:ts|js|mjs|cjs|json)$)/m)
    .filter((module) => /^(lib|functions)\//.test(module));
