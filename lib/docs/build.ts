/**
 * Builds the documentation for people from `docs/api`: from its source into memory, or, as a script, into a
 * folder: `node lib/docs/build.ts <folder>`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { bundle } from '../console/bundle.ts';
import { openapi } from '../reference/openapi.ts';
import { type PageName, pageNames, readPage } from '../reference/pages.ts';
import { server } from '../reference/placeholders.ts';
import { type Rendered, render } from './markdown.ts';
import { documentOf } from './page.ts';

const entry = fileURLToPath(new URL('browser/docs.ts', import.meta.url));

const renderAll = async (): Promise<Record<PageName, Rendered>> =>
  Object.fromEntries(
    await Promise.all(pageNames.map(async (name) => [name, render(name, await readPage(name))])),
  );

/** The license of the package in the script, which must be distributed with it. */
const readLicense = async (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve('minisearch')), '../..');
  return `minisearch\n\n${await readFile(join(folder, 'LICENSE.txt'), 'utf8')}`;
};

/**
 * The files by name: `<page>.html`, `docs.js`, `docs.css`, `search.json`, `licenses.txt` and `openapi.yaml`.
 * The same source gives the same bytes.
 */
export const buildDocs = async (): Promise<Map<string, Uint8Array>> => {
  const [pages, browserFiles, license] = await Promise.all([renderAll(), bundle(entry), readLicense()]);
  const texts = {
    ...Object.fromEntries(pageNames.map((name) => [`${name}.html`, documentOf(pages, name)])),
    'search.json': JSON.stringify(pageNames.flatMap((name) => pages[name].sections)),
    'licenses.txt': license,
    'openapi.yaml': stringify(JSON.parse(JSON.stringify(openapi(server))), {
      aliasDuplicateObjects: false,
      lineWidth: 0,
    }),
  };
  const encoder = new TextEncoder();
  return new Map([
    ...browserFiles,
    ...Object.entries(texts).map(([name, text]) => [name, encoder.encode(text)] as const),
  ]);
};

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder) {
  await mkdir(folder, { recursive: true });
  for (const [name, contents] of await buildDocs()) await writeFile(join(folder, name), contents);
}
