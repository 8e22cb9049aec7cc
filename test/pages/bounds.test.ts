/**
 * Real pages in which an element is repeated a thousand times: the work of reading them is bounded, and grows
 * as the page does.
 */
import { describe, expect, test } from 'vitest';
import { maxSteps } from '../../lib/serp/google/reader.ts';
import { costOf, faultsOf } from '../corpus/repeated.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

const rows = savedPages();

describe.each(rows)('$path', (row) => {
  const html = htmlOf(row);

  test('needs at most two thirds of the steps, on any device', () => {
    for (const device of ['desktop', 'mobile'] as const) {
      expect(costOf(html, device).read).toBeLessThan((2 / 3) * maxSteps);
    }
  });

  test('with an element repeated a thousand times', () => {
    expect([1, 2].flatMap((seed) => faultsOf(html, row.device, seed))).toEqual([]);
  });
});
