/**
 * Compares the reader and the verdicts on saved pages of YouTube with the labels that people gave these
 * pages, and with changed pages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { readData } from '../../lib/serp/youtube/data.ts';
import { reader } from '../../lib/serp/youtube/reader.ts';
import { dataDrifts } from '../tampering/drifts.ts';
import { htmlOf, type Row, root, savedPages } from './saved-pages.ts';

type Results = Record<string, ParsedPage & { verdict: Verdict }>;

const readRow = ({ device, query, captured }: Row, body: string): ParsedPage & { verdict: Verdict } => {
  const page = reader.open(body);
  const parsed = page.read(device);
  const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
  return { verdict: page.judge(parsed, { query, device, fetchedAt, status: 200, url: '' }), ...parsed };
};

const scoreOf = (read: Results): Record<string, number> => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(read));
  const command = [join(root, 'score.py'), join(folder, 'results.json'), '--engines', 'youtube'];
  const text = execFileSync('python3', command, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  console.log(text);
  const [, figures = ''] = /^youtube\s+desktop\s+n=\s*\d+\s+(.*)$/m.exec(text) ?? [];
  return Object.fromEntries(
    figures.split(' ').map((pair) => [pair.split('=')[0] ?? '', Number(pair.split('=')[1])]),
  );
};

let rows: Row[] = [];
let results: Results = {};
let scores: Record<string, number> = {};

beforeAll(() => {
  rows = savedPages('youtube');
  results = Object.fromEntries(rows.map((row) => [row.path, readRow(row, htmlOf(row))]));
  scores = scoreOf(results);
});

test('every page of the manifest gets the verdict of its label', () => {
  const wrong = rows.filter(({ path, verdict }) => results[path]?.verdict !== verdict);

  expect(wrong.map(({ path }) => path)).toEqual([]);
});

// Two labels give a Short in the ranking its address as a Short, eleven give it the address of a video, as
// the reader does.
test.each([
  ['organic_f1', 0.985],
  ['order', 0.985],
  ['titles', 0.98],
  ['positions', 1],
  ['verdict', 1],
])('the score of %s is at least %d', (name, least) => {
  expect(scores[name]).toBeGreaterThanOrEqual(least);
});

test('no block of a page is unclaimed, and every page with results names its query', () => {
  for (const [path, { unread_blocks, query, verdict }] of Object.entries(results)) {
    expect(unread_blocks, path).toEqual([]);
    expect(verdict === 'empty' || query !== '', path).toBe(true);
  }
});

/** The saved pages show each of these at least once. */
test.each([
  'video',
  'short',
  'channel',
  'playlist',
  'ad',
  'spelling',
  'related_search',
  'carousel',
  'knowledge_panel',
])('a page shows %s', (type) => {
  expect(Object.values(results).some(({ left }) => left.some((item) => item.type === type))).toBe(true);
});

const rest = (read: ParsedPage) =>
  [...read.left, ...read.right].map(({ type, title, url, position }) => ({ type, title, url, position }));

const isKept = ({ type }: { type: string }): boolean =>
  ['video', 'channel', 'playlist', 'short'].includes(type);

test.each(dataDrifts)('$name: at least 97 % of the results stay', ({ change }) => {
  for (const row of rows) {
    const before = rest(results[row.path] as ParsedPage).filter(isKept);
    const after = rest(readRow(row, change(htmlOf(row), 1))).filter(isKept);
    const kept = before.filter((item) =>
      after.some(({ url, title }) => url === item.url && title === item.title),
    );

    expect(kept.length, row.path).toBeGreaterThanOrEqual(0.97 * before.length);
    expect(after.length, row.path).toBeLessThanOrEqual(before.length);
  }
});

test('no page that is cut off counts as a page with fewer results', () => {
  for (const row of rows) {
    const html = htmlOf(row);
    const videos = results[row.path]?.left.length ?? 0;
    for (let percent = 5; percent < 100; percent += 5) {
      const cut = readRow(row, html.slice(0, Math.floor((html.length * percent) / 100)));
      const counts = cut.verdict === 'results' || cut.verdict === 'empty';
      expect(!counts || cut.left.length === videos, `${row.path} at ${percent} %`).toBe(true);
    }
  }
});

test('every page of results says how to request the next one', () => {
  const silent = rows.filter((row) => {
    if (row.verdict !== 'results') return false;
    const next = reader.open(htmlOf(row)).next?.();
    return next?.client.name !== 'WEB' || !next.client.visitor;
  });

  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('the saved answers to tokens are the second pages of their queries, and no others', () => {
  const answers = rows.flatMap((row) => {
    const data = readData(htmlOf(row));
    return data && !data.contents ? [{ row, page: reader.open(JSON.stringify(data)) }] : [];
  });
  const verdictsOf = (query?: string) =>
    answers.map(({ row: { device, captured }, page }) => {
      const parsed = page.read(device);
      const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
      const url = 'https://www.youtube.com/youtubei/v1/search';
      const fetch = { device, fetchedAt, status: 200, url, token: 'EpMD', query: query ?? parsed.query };
      return [1, 2, 3].map((number) => page.judge(parsed, { ...fetch, page: number }));
    });

  const second = ['unknown_layout', 'results', 'unknown_layout'];
  expect(verdictsOf()).toEqual([second, second, second]);
  expect(new Set(verdictsOf('roast coffee').flat())).toEqual(new Set(['decoy']));
});
