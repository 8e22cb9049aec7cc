/**
 * Recorded answers of autocomplete and of Google Trends, in a folder next to the project: each is read whole,
 * and no part of one is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../lib/net/charset.ts';
import type { Read } from '../../lib/provider/contract.ts';
import { explore, interest, relatedQueries } from '../../lib/provider/google-trends.ts';
import { readSuggestions } from '../../lib/provider/read-suggestions.ts';

const root = join(process.cwd(), '../shared/keyword');
if (!existsSync(root)) throw new Error(`The recorded answers are not in ${root}`);

type Recorded = { file: string; body: string };

/** The charset of the samples whose headers were not recorded is in their names. */
const typeOf = (file: string): string =>
  /latin1/.test(file) ? 'text/javascript; charset=ISO-8859-1' : 'application/json; charset=UTF-8';

const recorded = (folder: string): Recorded[] =>
  readdirSync(join(root, folder))
    .filter((name) => !name.endsWith('.headers.json'))
    .map((name) => ({
      file: `${folder}/${name}`,
      body: decodeText(readFileSync(join(root, folder, name)), typeOf(name)),
    }));

const suggested = ['google_suggest', 'bing_suggest', 'yahoo_suggest'].flatMap(recorded);
const trends = recorded('google_trends');

const answer = (body: string, status = 200) => ({ status, headers: {}, body });

/** Each tenth of an answer, as if the connection had ended there. */
const parts = (body: string): string[] =>
  Array.from({ length: 9 }, (_, n) =>
    body.trimEnd().slice(0, Math.floor((body.trimEnd().length * (n + 1)) / 10)),
  );

describe.each(suggested.filter(({ file }) => !/invalid/.test(file)))('$file', ({ file, body }) => {
  const result = readSuggestions(answer(body));

  test('is a list of plain texts', () => {
    expect(result.ok).toBe(true);
    const value = result.ok ? result.value : [];
    for (const text of value) {
      expect(text).toMatch(/\S/);
      expect(text).not.toMatch(/<\/?b>|&(?:amp|#39|quot);|\\u|[\p{Cc}\p{Co}\ufffd]/u);
    }
    expect(value.length > 0).toBe(!/0-suggests|no-results|empty/.test(file));
    expect(value.length).toBeLessThanOrEqual(20);
  });

  test('is malformed if it is cut anywhere', () => {
    for (const part of parts(body)) expect(readSuggestions(answer(part)).ok).toBe(false);
  });
});

test.each(suggested.filter(({ file }) => /invalid/.test(file)))('$file is no list', ({ body }) => {
  expect(readSuggestions(answer(body, 400)).ok).toBe(false);
  expect(readSuggestions(answer(body)).ok).toBe(false);
});

const readers: [RegExp, (body: string) => Read<unknown>][] = [
  [/\/explore__/, (body) => explore.read(answer(body))],
  [/\/multi(?:line|range)__/, (body) => interest.read(answer(body))],
  [/\/relatedsearches(?:__related_queries|_empty)/, (body) => relatedQueries.read(answer(body))],
];

const readable = trends.flatMap(({ file, body }) => {
  const [, read] = readers.find(([pattern]) => pattern.test(file)) ?? [];
  return read ? [{ file, body, read }] : [];
});

test('there are answers of each kind', () => {
  expect(suggested.length).toBeGreaterThan(20);
  expect(readers.every(([pattern]) => readable.some(({ file }) => pattern.test(file)))).toBe(true);
});

describe.each(readable)('$file', ({ body, read }) => {
  test('is read', () => {
    expect(read(body)).toMatchObject({ ok: true });
  });

  test('is malformed if it is cut anywhere', () => {
    for (const part of parts(body)) expect(read(part).ok).toBe(false);
  });
});

describe('widgets of explore', () => {
  test.each(readable.filter(({ file }) => file.includes('/explore__')))(
    '$file: the request is sent back as it came',
    ({ body }) => {
      const result = explore.read(answer(body));
      const value = result.ok ? result.value : undefined;

      for (const widget of Object.values(value ?? {})) {
        expect(body).toContain(`"request":${widget.request}`);
        expect(body).toContain(`"token":"${widget.token}"`);
      }
    },
  );
});

test.each(trends.filter(({ file }) => !readable.some((each) => each.file === file)))(
  '$file is the answer of another interface, and no trend of a keyword',
  ({ body }) => {
    for (const [, read] of readers) expect(read(body).ok).toBe(false);
  },
);
