/** Reads the saved pages of real engines that lie beside the project, and holds the reader and the verdicts to what people saw on them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../../lib/model/result.ts';
import { readGooglePage } from '../../lib/serp/google/read.ts';
import { judgeGooglePage } from '../../lib/serp/google/verdict.ts';
import { openPage } from '../../lib/serp/page.ts';

const root = join(process.cwd(), '../shared/serps');

type Row = { path: string; device: Device; verdict: string; query: string; captured: string };

/** The pages of Google in the manifest; a device that nobody knows is read as desktop. */
const rowsOf = (manifest: string): Row[] => {
  const [head = '', ...lines] = manifest.trim().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((value, index) => [names[index], value])))
    .filter((row) => row.engine === 'google')
    .map(({ path = '', device, verdict = '', query = '', captured = '' }) => ({
      path,
      device: device === 'mobile' ? 'mobile' : 'desktop',
      verdict,
      query,
      captured,
    }));
};

/** Most pages are UTF-8; a few were saved in the old Western encoding without saying so. */
const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

const readRow = ({ path, device, query, captured }: Row): ParsedPage & { verdict: Verdict } => {
  const page = openPage(decode(readFileSync(join(root, path))));
  const parsed = readGooglePage(page, device);
  const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
  const verdict = judgeGooglePage(page, parsed, { query, device, fetchedAt, status: 200, url: '' });
  return { verdict, ...parsed };
};

/** `key=0.987` of the score's rows, by device. */
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

let rows: Row[] = [];
let results: Record<string, ParsedPage & { verdict: Verdict }> = {};
let report = '';

beforeAll(() => {
  if (!existsSync(join(root, 'MANIFEST.tsv'))) {
    throw new Error(`no saved pages at ${root}: this test needs them and cannot be run without`);
  }
  rows = rowsOf(readFileSync(join(root, 'MANIFEST.tsv'), 'utf8'));
  results = Object.fromEntries(rows.map((row) => [row.path, readRow(row)]));
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
  report = execFileSync(
    'python3',
    [join(root, 'score.py'), join(folder, 'results.json'), '--engines', 'google'],
    {
      encoding: 'utf8',
    },
  );
  rmSync(folder, { recursive: true });
  console.log(report);
});

test('every page of the manifest gets its verdict', () => {
  const wrong = rows
    .filter(({ path, verdict }) => results[path]?.verdict !== verdict)
    .map(({ path }) => path);

  expect(wrong).toEqual([]);
});

test('organic results and their order are right on nearly every page', () => {
  const overall = /organic F1 ([\d.]+).*order ([\d.]+)/.exec(report);

  expect(Number(overall?.[1])).toBeGreaterThanOrEqual(0.95);
  expect(Number(overall?.[2])).toBeGreaterThanOrEqual(0.95);
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
  '$kind are right on most $device pages',
  ({ device, kind }) => {
    expect(figuresOf(report)[device]?.[kind]).toBeGreaterThanOrEqual(0.8);
  },
);

test('positions count without gaps on every page', () => {
  for (const { left } of Object.values(results)) {
    const organic = left.filter((item) => item.type === 'organic').map((item) => item.position);
    expect(organic).toEqual(organic.map((_, index) => String(index + 1)));
  }
});
