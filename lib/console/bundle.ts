/** Bundles the files of pages that run in a browser, with esbuild. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, stop } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

let running = 0;

/**
 * The script and the styles of `entry` by name, minified. `options` are those of this page. Several may be
 * made at once.
 */
export const bundle = async (entry: string, options: BuildOptions = {}): Promise<[string, Uint8Array][]> => {
  running += 1;
  try {
    const { outputFiles = [] } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      // The names of files contain a hash of the paths of their modules, relative to the project, too. They
      // must not depend on the folder of a linked `node_modules`.
      preserveSymlinks: true,
      bundle: true,
      minify: true,
      write: false,
      outdir: dirname(entry),
      format: 'esm',
      target: 'es2022',
      legalComments: 'none',
      logLevel: 'silent',
      ...options,
    });
    return outputFiles.map(({ path, contents }) => [basename(path), contents]);
  } finally {
    running -= 1;
    // Otherwise esbuild's own process stays. A build that runs beside this one would never end without it.
    if (running === 0) await stop();
  }
};
