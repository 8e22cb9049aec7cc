/** The decisions stay short enough to be read: few entries of few lines, all of them in the index. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}docs/decisions/`;
const read = (file: string): string => readFileSync(`${folder}${file}`, 'utf8');

const index = read('README.md');
const topics = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');

/** The anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

type Entry = { file: string; title: string; lines: string[] };

/** The entries of a page: a heading, its lines of text, and perhaps a table. */
const entriesOf = (file: string, text: string): Entry[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { file, title, lines: lines.filter((line) => line !== '' && !line.startsWith('|')) };
    });

const entries = topics.flatMap((file) => entriesOf(file, read(file)));

/** What is wrong with the form of an entry. */
const faultsOf = ({ file, title, lines }: Entry): string[] => [
  ...(lines.length < 3 || lines.length > 6 ? [`${file}, ${title}: ${lines.length} lines`] : []),
  ...lines.filter((line) => line.length > 140).map((line) => `${file}, ${title}: a line of ${line.length}`),
];

const lineOf = ({ file, title }: Entry): string => `- [${title}](${file}#${anchorOf(title)})`;

test('there are at most 60 decisions', () => {
  expect(entries.length).toBeGreaterThan(30);
  expect(entries.length).toBeLessThanOrEqual(60);
});

test('each decision has three to six lines', () => {
  expect(entries.flatMap(faultsOf)).toEqual([]);
});

test('a decision of seven lines is found, and one of two', () => {
  const text = `# Page\n\n## Long\n\n${'A line.\n'.repeat(7)}\n## Short\n\nA line.\nA line.\n\n| a | table |\n`;

  expect(entriesOf('page.md', text).flatMap(faultsOf)).toEqual([
    'page.md, Long: 7 lines',
    'page.md, Short: 2 lines',
  ]);
});

test('the index has each decision once, and nothing else', () => {
  const listed = index.split('\n').filter((line) => line.startsWith('- '));

  expect(listed.toSorted()).toEqual(entries.map(lineOf).toSorted());
});

test('each file that a decision names exists', () => {
  const named = entries.flatMap(({ file, title, lines }) =>
    [...lines.join(' ').matchAll(/`((?:lib|infra|functions|test|docs)\/[^`<>*…]+)`/g)]
      .filter(([, path = '']) => !existsSync(`${root}${path}`))
      .map(([, path]) => `${file}, ${title}: ${path}`),
  );

  expect(named).toEqual([]);
});

test('the table of libraries has the packages of package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const packages = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !name.startsWith('@types/'),
  );
  const named = [...read('libraries.md').matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

  expect(named.toSorted()).toEqual(packages.toSorted());
});
