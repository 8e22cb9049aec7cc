/**
 * `node infra/bundle-functions.ts <folder> live|sandbox [function …]`: writes the bundle of each function, or
 * of those that are named by their entry files, to a separate folder below `<folder>`. It is a script,
 * because CDK synthesizes synchronously, and the memory of the calls is free again when it ends.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, context } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Imports that are files next to the bundle (`BesideBundle`). */
export const besideModules = ['swagger-ui-dist', '#console', '#docs'];

/** The specifiers by which the sandbox is imported on demand (`imports` in package.json). */
export const sandboxModules = ['#sandbox', '#sandbox-provider'];

/** How the code of a function is bundled for the runtime. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  // A module that is imported on demand becomes a separate file. Without this, esbuild keeps all of it, and
  // all that it imports, in the one file, because it cannot tell which exports are used.
  splitting: true,
  // The hash is also of the paths of the modules, relative to the project. If links were followed, a linked
  // `node_modules` would put the path of the build machine into it, so each machine would deploy another one.
  chunkNames: '[name]-[hash]',
  preserveSymlinks: true,
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  // No source map and no comments: they change with every comment, so each changed comment would cause a
  // deployment.
  sourcemap: false,
  legalComments: 'none',
  // CommonJS packages call `require`, which does not exist in an ES module.
  banner: {
    js: "import { createRequire as requireMaker } from 'node:module'; const require = requireMaker(import.meta.url);",
  },
  logLevel: 'warning',
} satisfies BuildOptions;

if (import.meta.main) {
  const [folder, kind, ...named] = process.argv.slice(2);
  const entries = named.length > 0 ? named : globSync('functions/*/*.ts', { cwd: root });
  if (!folder || (kind !== 'live' && kind !== 'sandbox'))
    throw new Error('Give a folder, and live or sandbox');
  // For the Go runtime of esbuild, unless it is given: garbage is collected at five times the memory in use,
  // and not at twice, which saves a quarter of the processor time.
  Object.assign(process.env, { GOGC: '400', ...process.env });
  let entry = '';
  // Each function has its own build: a common one would split their common code into more files than a
  // function needs, and change them when another function changes. The builds of one context read and parse
  // each file once, which is two fifths of the processor time.
  // They follow one another, because each uses all cores: together they need three times the memory.
  const { rebuild, dispose } = await context({
    ...bundleOptions,
    entryPoints: [{ in: 'entry', out: 'index' }],
    outdir: folder,
    write: false,
    // The SDK is in the bundle: it starts faster than the runtime's copy, and emulators have no copy.
    external: [...besideModules, ...(kind === 'live' ? sandboxModules : [])],
    plugins: [
      {
        name: 'entry',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^entry$/ }, ({ kind }) =>
            kind === 'entry-point' ? { path: join(root, entry) } : undefined,
          ),
      },
    ],
  });
  for (entry of entries) {
    const { outputFiles } = await rebuild();
    const bundle = join(folder, entry.replace(/\.ts$/, ''));
    mkdirSync(bundle, { recursive: true });
    for (const { path, contents } of outputFiles) writeFileSync(join(bundle, basename(path)), contents);
  }
  await dispose();
}
