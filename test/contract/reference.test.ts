/**
 * The reference in `docs/api`: its tables are those of the code, every page is served, and every word of an
 * error is explained.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { withTables } from '../../infra/commands/docs.ts';
import { documentedRoutes } from '../../lib/api/routes.ts';
import { errorWords } from '../../lib/model/error-words.ts';
import { Verdict } from '../../lib/model/parsed-page.ts';
import { pageNames } from '../../lib/reference/pages.ts';
import { type ApiRequest, type AreaHandler, callArea } from '../api-call.ts';
import { patternOf, readPages } from '../snippets/pages.ts';

const folder = new URL('../../docs/api/', import.meta.url);
const files = readdirSync(folder);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

let site: AreaHandler;
beforeAll(async () => {
  ({ handler: site } = await import('../../functions/api/site.ts'));
});
const get = (path: string, request: Partial<ApiRequest> = {}) =>
  callArea(site, { method: 'GET', path, ...request });

test.each(files)('the tables of %s are those of the code: `npm run docs` writes them', (file) => {
  expect(withTables(read(file))).toBe(read(file));
});

test('a table that does not exist is an error', () => {
  expect(() => withTables('<!-- table: nothing -->\n<!-- end -->')).toThrow('There is no table "nothing"');
  expect(() => withTables('<!-- table: reply Nothing -->\n<!-- end -->')).toThrow(
    'There is no schema Nothing',
  );
  expect(() => withTables('<!-- table: reply Batch nothing -->\n<!-- end -->')).toThrow(
    'Batch has no field nothing',
  );
});

test.each(documentedRoutes.map(([, { method, path }]) => `${method} ${path}`))(
  'the index lists %s',
  (request) => {
    expect(read('index.md')).toContain(`| \`${request}\` |`);
  },
);

test('every page is served as it is', async () => {
  expect([...files].sort()).toEqual(pageNames.map((name) => `${name}.md`).sort());
  for (const file of files) {
    const { status, headers, body } = await get(`/docs/${file}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(body).toBe(read(file));
  }
});

test.each(files)(
  '%s is served as a page for people, with a title and without what only scripts show',
  async (file) => {
    const name = file.replace('.md', '');
    const { status, headers, body } = await get(name === 'index' ? '/docs' : `/docs/${name}`);
    const [, title = ''] = /^# (.+)$/m.exec(read(file)) ?? [];

    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self';");
    expect(body).toContain(`>${title}</h1>`);
    expect(body).not.toMatch(/__BASE__|<script(?![^>]* src=)|<style| style=| on\w+=|<!-- /);
    expect(body).toContain('id="open-search" hidden');
  },
);

test.each(files)('%s begins with a title and a sentence, which /llms.txt shows', (file) => {
  expect(read(file)).toMatch(/^# [^\n]+\n\n[A-Z][^\n]+\n\n/);
});

test.each(files)('the links of %s lead to pages and headings that are served, under any prefix', (file) => {
  const prose = read(file).replace(/^```.*?^```$/gms, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

  const elsewhere = links
    .map((target) => new URL(target, `https://api.example.com/prod/docs/${file}`))
    .filter(({ origin }) => origin === 'https://api.example.com')
    .filter(({ pathname }) => !pageNames.some((name) => pathname === `/prod/docs/${name}.md`));
  expect(elsewhere.map(String)).toEqual([]);
});

test.each(['', '/prod'])('GET /llms.txt links to every page below the stage "%s"', async (stage) => {
  const { status, headers, body } = await get('/llms.txt', { stage });
  const links = [...body.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm)];

  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toMatch(/^# [^\n]+\n\n> /);
  expect(links.map(([, , link]) => link)).toEqual([
    ...pageNames.map((name) => `https://api.example.com${stage}/docs/${name}.md`),
    `https://api.example.com${stage}/openapi.json`,
    `https://api.example.com${stage}/docs`,
  ]);
  for (const [, , link = ''] of links) {
    expect((await get(link.replace(`https://api.example.com${stage}`, ''), { stage })).status).toBe(200);
  }
});

test('every verdict of a page that is no result is an error word', () => {
  const blocks = Verdict.options.filter((verdict) => verdict !== 'results' && verdict !== 'empty');

  expect(Object.keys(errorWords)).toEqual(expect.arrayContaining(blocks));
});

describe('the snippets', () => {
  const pages = readPages();

  test('show each language on the pages of searches, batches, webhooks and keyword data', () => {
    for (const name of ['search.md', 'batch.md', 'webhooks.md', 'keyword-data.md']) {
      const shown = (pages.get(name) ?? []).map(({ language }) => language);
      expect([name, [...new Set(shown)].sort()]).toEqual([name, ['bash', 'python', 'ts']]);
    }
  });

  test('of programs all say what they print', () => {
    const silent = [...pages.values()]
      .flat()
      .filter(({ language, output }) => language !== 'bash' && !output);

    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  test.each([
    ['{\n  "id": 3767392204849152,\n  …\n}', '{\n  "id": 3767392204849999,\n  "a": 1\n}\n', true],
    ['{\n  "id": 3767392204849152,\n  …\n}', '{\n  "name": "x"\n}\n', false],
    ['a …\n…', 'a b\nc\nd\n', true],
    ['a …\n…', 'b b\nc\nd\n', false],
    ['1. a', '1. ab\n', false],
  ])('%j is printed by %j: %s', (output, printed, expected) => {
    expect(patternOf(output).test(printed)).toBe(expected);
  });
});
