/**
 * Real pages that this test tampers with: none passes for what it is not, and no untouched page is refused.
 */
import { expect, test } from 'vitest';
import { googleEngine } from '../tampering/engines.ts';
import { webPack } from '../tampering/packs.ts';
import { testPack } from '../tampering/test-pack.ts';
import { htmlOf, readRow, savedPages } from './saved-pages.ts';
import { savedPairs } from './tampered-pages.ts';

testPack(googleEngine, savedPairs(googleEngine), webPack);

test.each(['bing', 'yahoo'])('no page of %s is a success', (engine) => {
  const pages = savedPages(engine);
  const accepted = pages.filter((row) => ['results', 'empty'].includes(readRow(row, htmlOf(row)).verdict));

  expect(pages.length).toBeGreaterThan(0);
  expect(accepted.map(({ path }) => path)).toEqual([]);
});
