/** Compares the reader of Yahoo and its verdicts with the labels that people gave to saved real pages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { reader } from '../../lib/serp/yahoo/reader.ts';
import { htmlOf, type Row, root, savedPages } from './saved-pages.ts';

type Results = Record<string, ParsedPage & { verdict: Verdict }>;

const read = ({ device, query, captured }: Row, html: string): ParsedPage & { verdict: Verdict } => {
  const page = reader.open(html);
  const parsed = page.read(device);
  const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
  return { verdict: page.judge(parsed, { query, device, fetchedAt, status: 200, url: '' }), ...parsed };
};

const scoreOf = (results: Results): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
  const command = [join(root, 'score.py'), join(folder, 'results.json'), '--engines', 'yahoo'];
  const text = execFileSync('python3', command, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return text;
};

/** The values `key=0.987` in the row of the score report. All labelled pages are for desktop. */
const figuresOf = (report: string): Record<string, number> => {
  const [, figures = ''] = /^yahoo\s+desktop\s+n=\s*\d+\s+(.*)$/m.exec(report) ?? [];
  return Object.fromEntries(
    figures.split(' ').map((pair) => [pair.split('=')[0] ?? '', Number(pair.split('=')[1])]),
  );
};

let rows: Row[] = [];
let results: Results = {};
let figures: Record<string, number> = {};

beforeAll(() => {
  rows = savedPages('yahoo');
  results = Object.fromEntries(rows.map((row) => [row.path, read(row, htmlOf(row))]));
  const report = scoreOf(results);
  console.log(report);
  figures = figuresOf(report);
});

test('every page of the manifest gets the verdict of its label', () => {
  const wrong = rows
    .filter(({ path, verdict }) => results[path]?.verdict !== verdict)
    .map(({ path }) => path);

  expect(rows.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

test.each([
  ['organic_f1', 0.985],
  ['order', 0.985],
  ['titles', 0.98],
  ['ads', 0.93],
  ['questions', 0.93],
  ['related', 0.93],
  ['local', 0.93],
  ['stories', 0.93],
  ['videos', 0.93],
  ['snippet_box', 0.93],
  ['ai_overview', 0.93],
  ['panel', 0.93],
  ['positions', 1],
])('%s has a score of at least %f', (kind, least) => {
  expect(figures[kind]).toBeGreaterThanOrEqual(least);
});

let seed = 1;
const anyName = (): string => {
  seed = (seed * 48_271) % 2_147_483_647;
  return `x${seed.toString(36)}`;
};

const withOtherClasses = (html: string) => html.replace(/ class="[^"]*"/g, () => ` class="${anyName()}"`);
const withOtherIds = (html: string) => html.replace(/ id="[^"]*"/g, () => ` id="${anyName()}"`);
const withOtherData = (html: string) => html.replace(/ data-[\w-]+=/g, () => ` data-${anyName()}=`);
const withMoreBoxes = (html: string) =>
  html.replace(/<li\b[^>]*>/g, '<div>$&<div>').replaceAll('</li>', '</div></li></div>');

const withMoreDivs = (html: string) =>
  html.replace(/<div\b[^>]*>/g, '<div>$&').replaceAll('</div>', '</div></div>');
const withOtherHeadings = (html: string) => html.replace(/<(\/?)h3\b/g, '<$1h2');

/** Names change every few months, so the reader must not depend on them. */
test.each([
  ['other classes', withOtherClasses],
  ['other ids', withOtherIds],
  ['other data attributes', withOtherData],
  ['more boxes', withMoreBoxes],
  ['a box around each box', withMoreDivs],
  ['headings of another level', withOtherHeadings],
  ['all of these', (html: string) => withMoreBoxes(withOtherData(withOtherIds(withOtherClasses(html))))],
])('with %s, nearly all web results are found', (_, change) => {
  const changed = Object.fromEntries(rows.map((row) => [row.path, read(row, change(htmlOf(row)))]));

  expect(figuresOf(scoreOf(changed)).organic_r).toBeGreaterThanOrEqual(0.97);
});
