/** The chart of a keyword: what it shows, in which order, and that nothing in it can run. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { type ChartInput, chartOf } from '../../../../lib/reporting/report/chart.ts';
import { anyCharacter } from '../../../any-character.ts';

const day = 86_400;
const input = (positions: readonly (number | null)[], changes: Partial<ChartInput> = {}): ChartInput => ({
  keyword: 'coffee grinder',
  domain: 'example.com',
  points: positions.map((position, n) => ({ at: n * day, position })),
  from: 0,
  to: 30 * day,
  ...changes,
});

const numbersIn = (svg: string, pattern: RegExp): number[] =>
  [...svg.matchAll(pattern)].map(([, number]) => Number(number));

/** The height of each crawl in the picture; smaller is higher. */
const heightsOf = (svg: string): number[] => numbersIn(svg, /<circle [^>]*cy="([\d.]+)"/g);

const linesOf = (svg: string): number => svg.match(/<polyline/g)?.length ?? 0;
const gapsOf = (svg: string): number => svg.match(/: no position<\/title>/g)?.length ?? 0;

test('a better position is higher, and position 1 is at the top', () => {
  const [first = 0, second = 0, third = 0] = heightsOf(chartOf(input([1, 5, 100])));

  expect(first).toBeLessThan(second);
  expect(second).toBeLessThan(third);
  expect(heightsOf(chartOf(input([1])))).toEqual([first]);
});

test('a crawl that did not find the domain is below the axis, and looks different', () => {
  const svg = chartOf(input([10, 1000]));
  const [ranked = 0, out = 0] = heightsOf(svg);

  expect(out).toBeGreaterThan(ranked);
  expect(svg).toContain('&#62; 10');
  expect(svg.match(/<circle fill="#fff"/g)).toHaveLength(1);
});

test('a gap is a hole in the line and a mark, not a position', () => {
  const svg = chartOf(input([3, 4, null, 5, 6, null, null, 7]));

  expect(heightsOf(svg)).toHaveLength(5);
  expect(linesOf(svg)).toBe(2);
  expect(gapsOf(svg)).toBe(3);
});

test('the axis fits the positions', () => {
  const marksOf = (positions: number[]) =>
    numbersIn(chartOf(input(positions)), /text-anchor="end">(\d+)<\/text>/g);

  expect(marksOf([2, 9])).toEqual([1, 4, 7, 10]);
  expect(marksOf([2, 11])).toEqual([1, 5, 10, 15, 20]);
  expect(marksOf([30])).toEqual([1, 10, 20, 30, 40, 50]);
  expect(marksOf([88])).toEqual([1, 20, 40, 60, 80, 100]);
});

test('a position at the end of an axis is on that axis, and one beyond 100 is below it', () => {
  const rowsOf = (positions: number[]) =>
    [...chartOf(input(positions)).matchAll(/text-anchor="end">([^<]*)<\/text>/g)].map(([, text]) => text);

  expect(rowsOf([10]).slice(0, -1)).toEqual(['1', '4', '7', '10']);
  expect(rowsOf([100]).slice(0, -1)).toEqual(['1', '20', '40', '60', '80', '100']);
  expect(rowsOf([100, 101]).slice(0, -1)).toEqual(['1', '20', '40', '60', '80', '100', '&#62; 100']);
});

test('all parts are at their places, as in chart.svg', () => {
  const svg = chartOf(input([1, 10, null, 4, 101], { to: 4 * day }));

  expect(svg).toBe(readFileSync(new URL('chart.svg', import.meta.url), 'utf8'));
});

test('a chart begins at the left and ends at the right, whenever its range is', () => {
  const points = [10, 11, 12].map((n) => ({ at: n * day, position: 3 }));
  const svg = chartOf(input([], { points, from: 10 * day, to: 12 * day }));

  expect(numbersIn(svg, /<circle [^>]*cx="([\d.]+)"/g)).toEqual([48, 376, 704]);
});

test('a crawl between gaps is a dot without a line', () => {
  const svg = chartOf(input([null, 3, null]));

  expect(heightsOf(svg)).toHaveLength(1);
  expect(linesOf(svg)).toBe(0);
});

test('a chart of one moment has a place for it', () => {
  expect(chartOf(input([3], { from: 0, to: 0 }))).toContain('cx="48"');
});

test('a long keyword and a long domain are shortened, by whole characters', () => {
  const shownOf = (changes: Partial<ChartInput>) =>
    [...chartOf(input([3], changes)).matchAll(/<text (?:font|x="48" y="45")[^>]*>([^<]*)</g)].map(
      ([, text]) => text,
    );

  expect(shownOf({ keyword: '😀'.repeat(60), domain: 'd'.repeat(80) })).toEqual([
    '😀'.repeat(60),
    'd'.repeat(80),
  ]);
  expect(shownOf({ keyword: '😀'.repeat(61), domain: 'd'.repeat(81) })).toEqual([
    `${'😀'.repeat(59)}…`,
    `${'d'.repeat(79)}…`,
  ]);
});

describe('for screen readers', () => {
  const descriptionOf = (positions: readonly (number | null)[]): string =>
    String(new XMLParser().parse(chartOf(input(positions))).svg.desc);

  test('the image has a title', () => {
    const svg = chartOf(input([3]));

    expect(svg).toContain('role="img" aria-labelledby="title description"');
    expect(svg).toContain('<title id="title">Positions of example.com for “coffee grinder”</title>');
  });

  test.each([
    [
      [8, 3, null, 5],
      'From 1970-01-01 to 1970-01-31: 3 positions, the first is 8, the last is 5, the best is 3. 1 crawl failed.',
    ],
    [
      [8, 1000],
      'From 1970-01-01 to 1970-01-31: 2 positions, the first is 8, the last is lower than 10, the best is 8.',
    ],
    [[10], 'From 1970-01-01 to 1970-01-31: 1 position, the first is 10, the last is 10, the best is 10.'],
    [[], 'From 1970-01-01 to 1970-01-31 there are no positions.'],
    [[null, null], 'From 1970-01-01 to 1970-01-31 there are no positions. 2 crawls failed.'],
  ])('%j is described', (positions, text) => {
    expect(descriptionOf(positions)).toBe(text);
  });
});

test('characters that XML does not allow are left out', () => {
  expect(chartOf(input([3], { keyword: 'a\u0000b\uFFFEc' }))).toContain('for “abc”');
});

test('text of a keyword cannot leave its element', () => {
  const hostile = '"><script>alert(1)</script><image href="//x"/>&lt;\u0000\uFFFE]]>';
  const svg = chartOf(input([3], { keyword: hostile, domain: hostile }));

  expect(XMLValidator.validate(svg)).toBe(true);
  const tags = (svg.match(/<[^>]*>/g) ?? []).join('');
  expect(tags).not.toMatch(/\bscript|image|href|\bon\w+=|style|url\(/i);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
  expect(svg).not.toMatch(/[\u0000-\u0008\uFFFE]/);
});

test('any text and any positions give well-formed XML of the same few elements', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.option(fc.integer({ min: 1, max: 1000 })), { maxLength: 12 }),
      (keyword, positions) => {
        const svg = chartOf(input(positions, { keyword, domain: keyword }));

        expect(XMLValidator.validate(svg)).toBe(true);
        expect(svg.isWellFormed()).toBe(true);
        const elements = [...svg.matchAll(/<(\w+)/g)].map(([, name]) => name);
        expect(new Set(elements).difference(new Set(allowed))).toEqual(new Set());
      },
    ),
    { numRuns: 40 },
  );
});
const allowed = ['svg', 'title', 'desc', 'rect', 'g', 'text', 'line', 'polyline', 'circle', 'path'];
