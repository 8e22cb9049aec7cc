/**
 * The bundles of all functions as readable code: not minified, and without files that they share. One call
 * reads each package once for all of them.
 */
import { relative } from 'node:path';
import { build } from 'esbuild';
import { resourcesOf, templateOf } from './template.ts';

const entries = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').map(({ metadata }) =>
  String(metadata.Entry),
);

// For the Go runtime of esbuild, as in `infra/bundle-functions.ts`.
process.env.GOGC ??= '400';
const { metafile, outputFiles } = await build({
  entryPoints: entries,
  bundle: true,
  write: false,
  metafile: true,
  outdir: 'out',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'],
  external: ['swagger-ui-dist'],
});
const textOf = new Map(outputFiles.map(({ path, text }) => [relative(process.cwd(), path), text]));
const outputOf = new Map(
  Object.entries(metafile.outputs).map(([path, output]) => [output.entryPoint, { path, ...output }]),
);

/** The files of which something remains in the bundle of a function, also those of packages. */
export const filesIn = (entry: string): string[] =>
  Object.entries(outputOf.get(entry)?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);

/**
 * What remains of the project's modules in the bundle of a function after esbuild has removed unused code.
 * Each begins with a line that is its file.
 */
export const modulesIn = (entry: string): string[] =>
  (textOf.get(outputOf.get(entry)?.path ?? '') ?? '')
    .split(/^\/\/ (?=\S+\.(?:ts|js|mjs|cjs|json)$)/m)
    .filter((module) => /^(lib|functions)\//.test(module));
