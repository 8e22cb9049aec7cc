/**
 * Compares the reader and the verdicts on saved pages of real engines with the labels that people gave these
 * pages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { htmlOf, type Row, readRow, root, savedPages } from './saved-pages.ts';

/** The values `key=0.987` in the rows of the score report, by device. */
const figuresOf = (report: string): Record<string, Record<string, number>> =>
  Object.fromEntries(
    [...report.matchAll(/^google\s+(desktop|mobile)\s+n=\s*\d+\s+(.*)$/gm)].map(
      ([, device, figures = '']) => [
        device,
        Object.fromEntries(
          figures.split(' ').map((pair) => [pair.split('=')[0], Number(pair.split('=')[1])]),
        ),
      ],
    ),
  );

type Results = Record<string, ParsedPage & { verdict: Verdict }>;

const scoreOf = (read: Results): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(read));
  const command = [join(root, 'score.py'), join(folder, 'results.json'), '--engines', 'google'];
  const text = execFileSync('python3', command, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return text;
};

/** Mean F1 and order over the labelled pages. */
const overallOf = (text: string): { f1: number; order: number } => {
  const [, f1, order] = /organic F1 ([\d.]+).*order ([\d.]+)/.exec(text) ?? [];
  return { f1: Number(f1), order: Number(order) };
};

let rows: Row[] = [];
let results: Results = {};
let report = '';

beforeAll(() => {
  rows = savedPages();
  results = Object.fromEntries(rows.map((row) => [row.path, readRow(row, htmlOf(row))]));
  report = scoreOf(results);
  console.log(report);
});

test('every page of the manifest gets the verdict of its label', () => {
  const wrong = rows
    .filter(({ path, verdict }) => results[path]?.verdict !== verdict)
    .map(({ path }) => path);

  expect(wrong).toEqual([]);
});

test('organic results and their order have a score of at least 0.95', () => {
  const { f1, order } = overallOf(report);

  expect(f1).toBeGreaterThanOrEqual(0.95);
  expect(order).toBeGreaterThanOrEqual(0.95);
});

/** Class names change every few months, so the reader must not depend on them. */
test('the score is at least 0.95 on pages without class names, too', () => {
  const without = rows.map((row) => [row.path, readRow(row, htmlOf(row).replace(/ class="[^"]*"/g, ''))]);
  const { f1, order } = overallOf(scoreOf(Object.fromEntries(without)));

  expect(f1).toBeGreaterThanOrEqual(0.95);
  expect(order).toBeGreaterThanOrEqual(0.95);
});

const kinds = [
  'titles',
  'ads',
  'questions',
  'related',
  'local',
  'stories',
  'snippet_box',
  'ai_overview',
  'panel',
];

test.each(['desktop', 'mobile'].flatMap((device) => kinds.map((kind) => ({ device, kind }))))(
  '$kind on $device pages have a score of at least 0.8',
  ({ device, kind }) => {
    expect(figuresOf(report)[device]?.[kind]).toBeGreaterThanOrEqual(0.8);
  },
);

test('positions have no gaps on any page', () => {
  for (const { left } of Object.values(results)) {
    const organic = left.filter((item) => item.type === 'organic').map((item) => item.position);
    expect(organic).toEqual(organic.map((_, index) => String(index + 1)));
  }
});
