/** What a file exports, another file imports: the rest is its own. Types may describe what is exported. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

const texts = new Map(
  ['functions', 'infra', 'lib', 'test'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((file) => /\.[mc]?tsx?$/.test(file))
      .map((file) => [file, readFileSync(`${root}${file}`, 'utf8')] as const),
  ),
);

/** The files that contain each word. */
const filesOf = new Map<string, Set<string>>();
for (const [file, text] of texts) {
  for (const [word] of text.matchAll(/[\w$]+/g)) {
    const files = filesOf.get(word) ?? new Set();
    filesOf.set(word, files.add(file));
  }
}

const exported = /^export (?:async )?(?:const|function\*?|class|let) ([\w$]+)/gm;

const unusedOf = ([file, text]: readonly [string, string]): string[] =>
  [...text.matchAll(exported)]
    .map(([, name = '']) => name)
    .filter((name) => filesOf.get(name)?.size === 1)
    .map((name) => `${file}: ${name}`);

test('finds an export that no other file names', () => {
  filesOf.set('nowhereElse', new Set(['a.ts']));
  expect(unusedOf(['a.ts', 'export const nowhereElse = 1;\n'])).toEqual(['a.ts: nowhereElse']);
});

test('every export is named in another file', () => {
  const files = [...texts].filter(([file]) => /^(?:lib|infra)\//.test(file));

  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(unusedOf)).toEqual([]);
});
