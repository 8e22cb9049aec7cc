/**
 * `node infra/local/make-program.ts <folder>`: writes the program of the embedded stack (`program.ts`) to a
 * folder: one file for each of its two processes and for its threads, and the files that these share or
 * import late.
 */
import { globSync } from 'node:fs';
import http from 'node:http';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { importedLate } from './lambda/import-function.ts';
import { libraryFile } from './stores/library-patch.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const inProject = (name: string) => resolve(root, name);

const packages = 'packages';

/** The map of the packages is larger than all others, and their files hardly matter in traces. */
const noMapOfPackages: Plugin = {
  name: 'no map of the packages',
  generateBundle: (_, files) => {
    for (const name of Object.keys(files)) {
      if (name.startsWith(`${packages}-`) && name.endsWith('.map')) delete files[name];
    }
  },
};

/** Packages of late functions only. All others are needed by every start, so they are one file. */
const ofLateFunctions = /\/node_modules\/(@modelcontextprotocol|zod|zod-to-json-schema|ajv|ajv-formats)\//;

/** Whether the process of the gateway calls the function. */
export const isOfGateway = (entry: string) => entry.startsWith('functions/api/');

/** What each process or thread runs, which functions it calls, and the packages that it imports late. */
const entries = [
  { file: 'infra/local/serve.ts', calls: isOfGateway, late: ofLateFunctions },
  {
    file: 'infra/local/lambda/function-thread.ts',
    calls: (entry: string) => !isOfGateway(entry),
    late: ofLateFunctions,
  },
  { file: 'infra/local/stores/emulator-process.ts', calls: () => false, late: /^$/ },
];

const outputOf = (file: string) => `${/([^/]+)\.ts$/.exec(file)?.[1]}.mjs`;

/**
 * Packages that stay as they are installed: they find files beside their own, contain machine code, or import
 * files whose names they compute.
 */
const external = [
  /^@sparticuz\/chromium/,
  /^classic-level/,
  /^dynalite/,
  /^puppeteer-core/,
  /^swagger-ui-dist/,
];

/** Imports of code that builds something, with packages that no running service needs. */
const building: Record<string, string> = {
  '../synthesize.ts': 'infra/synthesize.ts',
  '#console': 'lib/console/build.ts',
  '#docs': 'lib/docs/build.ts',
};

const buildsFromSources: Plugin = {
  name: 'builds from the sources',
  resolveId: {
    filter: { id: /^(\.\.\/synthesize\.ts|#console|#docs)$/ },
    handler: (id) => ({ id: pathToFileURL(inProject(building[id] ?? id)).href, external: true }),
  },
};

const addressOf = (path: string) => JSON.stringify(pathToFileURL(path).href);

/**
 * Expressions that name files by the place of the source file: `new URL('x.ts', import.meta.url)`,
 * `import.meta.url`, `import.meta.dirname`, and `import(libraryFile('library', 'file.js').href)`.
 */
const places =
  /new URL\('([^']+\.ts)', import\.meta\.url\)|import\.meta\.(url|dirname)|import\(libraryFile\('([^']+)', '([^']+)'\)\.href\)/g;

/** Code finds its files as before. Only what a process or a thread runs is a file of the program. */
const placesOfSources: Plugin = {
  name: 'places of the sources',
  transform: {
    filter: { id: { include: /\.tsx?$/, exclude: /\/node_modules\// }, code: /import\.meta|libraryFile/ },
    handler: (code, id) => ({
      code: code.replace(places, (_, name?: string, property?: string, library?: string, path = '') => {
        if (library) return `import(${JSON.stringify(fileURLToPath(libraryFile(library, path)))})`;
        if (property === 'dirname') return JSON.stringify(dirname(id));
        if (!name) return addressOf(id);
        const file = relative(root, resolve(dirname(id), name));
        return entries.some((entry) => entry.file === file)
          ? `new URL('./${outputOf(file)}', import.meta.url)`
          : `new URL(${addressOf(resolve(dirname(id), name))})`;
      }),
      // Every line stays the same line.
      map: null,
    }),
  },
};

/** The table in place of `import-function.ts`: one file with all functions, and one for each late one. */
const tableOfFunctions = (calls: (entry: string) => boolean): Plugin => {
  const functions = globSync('functions/*/*.ts', { cwd: root }).filter(calls).sort();
  const isLate = (entry: string) => importedLate.includes(entry);
  const early = functions.filter((entry) => !isLate(entry));
  const pathOf = (entry: string) => JSON.stringify(inProject(entry));
  const all = '\0functions';
  return {
    name: 'table of functions',
    resolveId: { filter: { id: /^\0functions$/ }, handler: (id) => id },
    load: {
      filter: { id: /^\0functions$|\/infra\/local\/lambda\/import-function\.ts$/ },
      handler: (id) => ({
        moduleType: 'js',
        code:
          id === all
            ? `${early.map((entry, at) => `import * as function${at} from ${pathOf(entry)};`).join('\n')}
               export const all = {${early.map((entry, at) => `${JSON.stringify(entry)}: function${at}`)}};`
            : `export const importedLate = ${JSON.stringify(importedLate)};
               const late = {${functions
                 .filter(isLate)
                 .map((entry) => `${JSON.stringify(entry)}: () => import(${pathOf(entry)})`)}};
               export const importFunction = async (entry) => {
                 if (late[entry]) return late[entry]();
                 const { all } = await import(${JSON.stringify(all)});
                 if (all[entry]) return all[entry];
                 throw new Error(entry + ' is not a function of this part of the program');
               };`,
      }),
    },
  };
};

/** What `node:http` has of undici. Its other properties with a getter are in use, such as `maxHeaderSize`. */
const ofUndici: readonly string[] = ['CloseEvent', 'MessageEvent', 'WebSocket'];

/**
 * An import of `node:http` as an ES module loads Node's own copy of undici for names that are not used, which
 * takes 40 ms of processor time in each process and thread. This module leaves these names out.
 */
const lightHttp: Plugin = {
  name: 'light http',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0node-http' },
  load: {
    filter: { id: /^\0node-http$/ },
    handler: () => {
      const names = Object.getOwnPropertyNames(http).filter((name) => !ofUndici.includes(name));
      return `const http = process.getBuiltinModule('node:http');
        export default http;
        export const { ${names.join(', ')} } = http;`;
    },
  },
};

if (import.meta.main) {
  const [dir] = process.argv.slice(2);
  if (!dir) throw new Error('Give a folder');
  for (const { file, calls, late } of entries) {
    await build({
      cwd: root,
      input: inProject(file),
      platform: 'node',
      external,
      plugins: [buildsFromSources, placesOfSources, tableOfFunctions(calls), lightHttp, noMapOfPackages],
      output: {
        dir,
        format: 'esm',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        sourcemap: true,
        sourcemapExcludeSources: true,
        codeSplitting: {
          groups: [{ name: packages, test: (id) => id.includes('/node_modules/') && !late.test(id) }],
        },
      },
      logLevel: 'warn',
    });
  }
}
