/**
 * Builds the files of the console with esbuild: from its source into memory, or, as a script, into a folder:
 * `node lib/console/build.ts <folder>`.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engines } from '../model/engine.ts';
import { bundle } from './bundle.ts';

const entry = fileURLToPath(new URL('console.tsx', import.meta.url));

/** The packages whose code is in the bundle. Their licenses must be distributed with it. */
const bundled = ['preact', 'uplot', 'marked'];

const titles = Object.fromEntries(Object.entries(engines).map(([name, { title }]) => [name, title]));

const licenseOf = async (name: string): Promise<string> => {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const [file = ''] = (await readdir(folder)).filter((each) => /^LICEN[CS]E/i.test(each)).sort();
  return `${name}\n\n${await readFile(join(folder, file), 'utf8')}`;
};

/** The names of all files, and of those that the page links to. */
const entryOf = (files: readonly string[]) => ({
  script: files.find((name) => /^console-\w+\.js$/.test(name)),
  styles: files.find((name) => /^console-\w+\.css$/.test(name)),
  files,
});

/**
 * The files by name: scripts and styles, whose names have a hash of their bytes, `entry.json`, which names
 * them, and `licenses.txt`. The same source gives the same bytes.
 */
export const buildConsole = async (): Promise<Map<string, Uint8Array>> => {
  const browserFiles = await bundle(entry, {
    jsx: 'automatic',
    jsxImportSource: 'preact',
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    define: {
      ENGINE_TITLES: JSON.stringify(titles),
      // uPlot makes a number format of the browser's language when it is loaded, and Chromium has
      // `en-US@posix` on a system without one.
      navigator: JSON.stringify({ language: 'en-US' }),
    },
  });
  const licenses = await Promise.all(bundled.map(licenseOf));
  const text = (contents: string): Uint8Array => new TextEncoder().encode(contents);
  return new Map([
    ...browserFiles,
    ['entry.json', text(JSON.stringify(entryOf(browserFiles.map(([name]) => name))))],
    ['licenses.txt', text(licenses.join('\n\n'))],
  ]);
};

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder) {
  await mkdir(folder, { recursive: true });
  for (const [name, contents] of await buildConsole()) await writeFile(join(folder, name), contents);
}
