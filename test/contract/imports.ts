/** The files that a file imports, as its text says it. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/** The folder of the project, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

const { imports } = v.parse(
  v.object({ imports: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
);

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What a text of `file` names, `../store/tasks.ts` say: a path from the root, or a package. */
export const resolveImport = (file: string, from: string): string => {
  if (from.startsWith('#')) return relative(root, join(root, imports[from] ?? from));
  return from.startsWith('.') ? relative(root, join(root, dirname(file), from)) : from;
};

/** All imports of a file, those of types included. */
export const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(([, from = '']) =>
    resolveImport(file, from),
  );
