/**
 * Builds the files of the console with esbuild: from its source into memory, or, as a script, into a folder:
 * `node lib/console/build.ts <folder>`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engines } from '../model/engine.ts';
import { bundle } from './bundle.ts';

const entry = fileURLToPath(new URL('console.tsx', import.meta.url));

/** The packages whose code is in the bundle. Their licenses must be distributed with it. */
const bundled = ['preact', 'uplot'];

const titles = Object.fromEntries(Object.entries(engines).map(([name, { title }]) => [name, title]));

const licenseOf = async (name: string): Promise<string> => {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  return `${name}\n\n${await readFile(join(folder, 'LICENSE'), 'utf8')}`;
};

/**
 * The files by name: `console.js`, `console.css` and `licenses.txt`. The same source gives the same bytes.
 */
export const buildConsole = async (): Promise<Map<string, Uint8Array>> => {
  const browserFiles = await bundle(entry, {
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: {
      ENGINE_TITLES: JSON.stringify(titles),
      // uPlot makes a number format of the browser's language when it is loaded, and Chromium has
      // `en-US@posix` on a system without one.
      navigator: JSON.stringify({ language: 'en-US' }),
    },
  });
  const licenses = await Promise.all(bundled.map(licenseOf));
  return new Map([...browserFiles, ['licenses.txt', new TextEncoder().encode(licenses.join('\n\n'))]]);
};

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder) {
  await mkdir(folder, { recursive: true });
  for (const [name, contents] of await buildConsole()) await writeFile(join(folder, name), contents);
}
