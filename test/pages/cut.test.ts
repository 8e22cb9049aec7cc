/** Real pages, cut off at every percent of their bytes: no cut page counts as a page with fewer results. */
import { expect, test } from 'vitest';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { bytesOf, decode, type Row, readRow, savedPages } from './saved-pages.ts';

const whole = savedPages().filter(({ verdict }) => verdict === 'results');

const organics = ({ left }: ParsedPage): number => left.filter(({ type }) => type === 'organic').length;

/** Whether the verdict stores the page as a result. */
const counts = ({ verdict }: { verdict: Verdict }): boolean => verdict === 'results' || verdict === 'empty';

const cutAt = (bytes: Buffer, percent: number): string =>
  decode(bytes.subarray(0, Math.floor((bytes.length * percent) / 100)));

const mistaken = (row: Row): string[] => {
  const bytes = bytesOf(row);
  const all = organics(readRow(row, decode(bytes)));
  return Array.from({ length: 99 }, (_, n) => n + 1).flatMap((percent) => {
    const cut = readRow(row, cutAt(bytes, percent));
    return counts(cut) && organics(cut) < all
      ? [`${percent} %: ${cut.verdict}, ${organics(cut)} of ${all}`]
      : [];
  });
};

test('there are at least 36 pages to cut', () => {
  expect(whole.length).toBeGreaterThan(35);
});

test.each(whole)('$path', (row) => {
  expect(mistaken(row)).toEqual([]);
});
