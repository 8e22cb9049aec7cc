/** A page whose reading does not end is no result, and does not hold the function that reads it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outcomeOf } from '../../../lib/crawl/page-outcome.ts';
import { readInTime } from '../../../lib/crawl/read-in-time.ts';
import { readers } from '../../../lib/serp/reader.ts';
import { readWithin, spend } from '../../../lib/serp/steps.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

/** The usual limit takes seconds. */
let isShort = false;
vi.mock('../../../lib/runtime/processor-limit.ts', async (original) => {
  const real = await original<typeof import('../../../lib/runtime/processor-limit.ts')>();
  return {
    ...real,
    withinProcessorTime: <T>(limitMs: number, run: () => T) =>
      real.withinProcessorTime(isShort ? limitMs / 20 : limitMs, run),
  };
});

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const endless = () =>
  readWithin(10, () => {
    spend(5);
    for (;;);
  });

test('a reading that does not end gives nothing, and its limit of steps ends with it', () => {
  expect(readInTime('first', endless, 1)).toBeUndefined();
  expect(() => spend(1000)).not.toThrow();
  expect(readInTime('second', () => 'read')).toBe('read');
});

test('the same text is not read again, although a browser shows it again and again', () => {
  readInTime('poisoned', endless, 1);
  const read = vi.fn(() => 'read');

  expect(readInTime('poisoned', read)).toBeUndefined();
  expect(read).not.toHaveBeenCalled();
  expect(readInTime('another', read)).toBe('read');
});

test('a page whose reading does not end is of an unknown layout', () => {
  const row = { engine: 'bing', device: 'desktop', keyword: 'garden chairs' } as SerpRow;
  isShort = true;
  vi.spyOn(readers.bing, 'open').mockImplementation(() => endless() as never);

  expect(outcomeOf(row, 1, { ok: true, status: 200, url: '', body: '<html>' })).toMatchObject({
    outcome: 'blocked',
    verdict: 'unknown_layout',
    reason: expect.stringMatching(/^unknown_layout: /),
    body: '<html>',
    hidden: [],
  });
});
