/**
 * The code of the functions, as it is deployed: esbuild bundles all of them in one call, which takes a few
 * seconds.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Imports that are files next to the bundle (`BesideBundle`). */
const besideModules = ['swagger-ui-dist', '#console', '#docs'];

/** The specifiers by which the sandbox is imported on demand (`imports` in package.json). */
const sandboxModules = ['#sandbox', '#sandbox-provider'];

export type BesideBundle = {
  /** Files and folders of a package. */
  files?: { from: string; names: string[] };
  /** Files and folders of the project that the code reads. */
  data?: string[];
  /** Scripts of the project that write more files: each gets a folder as its argument. */
  built?: { script: string; folder: string }[];
};

/** The folders of the bundles of all functions, without and with the sandbox. */
const folders = new Map<boolean, string>();

const buildAll = (withSandbox: boolean): string => {
  const folder = mkdtempSync(join(tmpdir(), 'functions-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  buildSync({
    absWorkingDir: root,
    entryPoints: globSync('functions/*/*.ts', { cwd: root }),
    outdir: folder,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    entryNames: '[dir]/[name]/index',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // No source map and no comments: they change with every comment, so each changed comment would cause a
    // deployment.
    sourcemap: false,
    legalComments: 'none',
    // The SDK is in the bundle: it starts faster than the runtime's copy, and emulators have no copy.
    external: [...besideModules, ...(withSandbox ? [] : sandboxModules)],
    // CommonJS packages call `require`, which does not exist in an ES module.
    banner: {
      js: "import { createRequire as requireMaker } from 'node:module'; const require = requireMaker(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return folder;
};

/**
 * Bundles a function and puts files beside its code. Returns the folder, which exists until this process
 * ends.
 * @throws if esbuild finds an error in the code.
 */
export const bundle = (
  entry: string,
  withSandbox: boolean,
  { files, data = [], built = [] }: BesideBundle,
): string => {
  const all = folders.get(withSandbox) ?? buildAll(withSandbox);
  folders.set(withSandbox, all);
  const folder = join(all, entry.replace(/\.ts$/, ''));
  if (files) {
    const from = join('node_modules', files.from);
    mkdirSync(join(folder, from), { recursive: true });
    for (const name of files.names) {
      cpSync(join(root, from, name), join(folder, from, name), { recursive: true, dereference: true });
    }
  }
  for (const name of data) cpSync(join(root, name), join(folder, basename(name)), { recursive: true });
  for (const each of built) {
    execFileSync(process.execPath, [join(root, each.script), join(folder, each.folder)]);
  }
  return folder;
};
