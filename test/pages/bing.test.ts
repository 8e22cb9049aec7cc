/** Compares the reader of Bing and its verdicts with the labels that people gave to saved real pages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { reader } from '../../lib/serp/bing/reader.ts';
import { drifts } from '../tampering/drifts.ts';
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
  const command = [join(root, 'score.py'), join(folder, 'results.json'), '--engines', 'bing'];
  const text = execFileSync('python3', command, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return text;
};

/** The values `key=0.987` in the row of the score report. All labelled pages are for desktop. */
const figuresOf = (report: string): Record<string, number> => {
  const [, figures = ''] = /^bing\s+desktop\s+n=\s*\d+\s+(.*)$/m.exec(report) ?? [];
  return Object.fromEntries(
    figures.split(' ').map((pair) => [pair.split('=')[0] ?? '', Number(pair.split('=')[1])]),
  );
};

let rows: Row[] = [];
let results: Results = {};
let figures: Record<string, number> = {};

beforeAll(() => {
  rows = savedPages('bing');
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

/** Names change every few months, so the reader must not depend on them. */
test.each(drifts)('with $name, nearly all web results are found', ({ change }) => {
  const changed = Object.fromEntries(rows.map((row) => [row.path, read(row, change(htmlOf(row), 1))]));

  expect(figuresOf(scoreOf(changed)).organic_r).toBeGreaterThanOrEqual(0.97);
});
