/** Comments are at most 110 columns wide, as the code is that the formatter breaks. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const columns = 110;

const files = ['functions', 'infra', 'lib', 'test']
  .flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((file) => /\.tsx?$/.test(file)),
  )
  .concat('.ci/run', 'vitest.config.ts');

/** The numbers of the lines that are comments and too wide. */
const wideLinesOf = (text: string): number[] =>
  text
    .split('\n')
    .flatMap((line, n) => (line.length > columns && /^\s*(?:\/\/|\{?\/\*|\*|# )/.test(line) ? [n + 1] : []));

test('finds comments that are too wide', () => {
  const wide = 'word '.repeat(25);

  expect(wideLinesOf(`// ${wide}\n/** ${wide}*/\n * ${wide}\n{/* ${wide}*/}`)).toEqual([1, 2, 3, 4]);
  expect(wideLinesOf(`const text = '${wide}';\n// ${wide.slice(0, 107)}`)).toEqual([]);
});

test(`no comment is wider than ${columns} columns`, () => {
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((file) => wideLinesOf(readFileSync(`${root}${file}`, 'utf8')).map((n) => `${file}:${n}`)),
  ).toEqual([]);
});
