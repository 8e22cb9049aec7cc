import { expect, test } from 'vitest';
import { bandLines, bandOf, bandRange, positionAt } from '../../../lib/console/lazy/bands.ts';

test.each([
  [1, 0],
  [2, 0.5],
  [3, 1],
  [6.5, 1.5],
  [10, 2],
  [20, 3],
  [50, 4],
  [75, 4.5],
  [100, 5],
  [101, 5.5],
  [1000, 5.5],
])('position %d is drawn at %d bands from the top', (position, place) => {
  expect(bandOf(position)).toBe(place);
});

test('a worse position is never drawn above a better one', () => {
  const places = Array.from({ length: 101 }, (_, n) => bandOf(n + 1));

  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(101);
});

test.each([
  ['the first place', [1], [1, 3, 10]],
  ['2 to 9', [2, 9], [1, 3, 10]],
  ['11 to 19', [11, 19], [10, 20, 50]],
  ['100', [100], [20, 50, 100]],
  ['not ranked', [101], [20, 50, 100, 101]],
  ['4 to not ranked', [4, 101], [3, 10, 20, 50, 100, 101]],
])('the scale of %s has the lines of its bands, two bands at least', (_, positions, lines) => {
  const places = positions.map(bandOf);
  const [from, to] = bandRange(Math.min(...places), Math.max(...places));

  expect(bandLines(from, to).map(positionAt)).toEqual(lines);
  for (const place of places) expect(place >= from && place <= to).toBe(true);
});

test('a chart without a position has a scale', () => {
  expect(bandLines(...bandRange(null, null)).map(positionAt)).toEqual([1, 3, 10]);
});
