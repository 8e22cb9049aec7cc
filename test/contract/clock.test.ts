/**
 * All of the service reads the clock of the machine in one file, so that its time can be replaced. The
 * console runs in a browser.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const clockFile = 'lib/runtime/clock.ts';

const files = ['lib', 'functions']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('lib/console/'));

/** What reads the clock: `Date` without a time, and every clock of Node. */
const readsClock =
  /\bDate\.now\b|\bnew Date(?:\(\s*\)|(?!\s*\())|(?<!new )\bDate\(|\bperformance\.(?:now|timeOrigin)\b|\bprocess\.(?:hrtime|uptime)\b/;

const readersOf = (texts: Record<string, string>): string[] =>
  Object.keys(texts).filter((file) => readsClock.test(texts[file] ?? ''));

test(`no file but ${clockFile} reads the clock of the machine`, () => {
  const texts = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

  expect(readersOf(texts)).toEqual([clockFile]);
});

test.each([
  'Date.now()',
  'now = Date.now',
  'new Date()',
  'new Date',
  'Date()',
  'performance.now()',
  'process.hrtime.bigint()',
])('%s reads it', (text) => {
  expect(readersOf({ file: text })).toEqual(['file']);
});

test.each(['new Date(now * 1000)', 'Date.parse(text)', 'Date.UTC(2026, 0)', 'isDate(text)'])(
  '%s does not',
  (text) => {
    expect(readersOf({ file: text })).toEqual([]);
  },
);
