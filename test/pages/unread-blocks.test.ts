/** The blocks of saved pages that are not read: few, and those that matter are named if a page changes. */
import { expect, test } from 'vitest';
import type { UnreadBlock } from '../../lib/model/result.ts';
import { drifts } from '../tampering/drifts.ts';
import { htmlOf, type Row, readRow, savedPages } from './saved-pages.ts';

const rows = savedPages().filter(({ verdict }) => verdict === 'results');

const looks = {
  ad: 'ads',
  local_pack: 'places',
  people_also_ask: 'questions',
} satisfies Record<string, UnreadBlock['looks_like']>;

test('at most one page in seven has a block that is not read', () => {
  const withBlocks = rows.filter((row) => readRow(row, htmlOf(row)).unread_blocks.length > 0);

  expect(withBlocks.length).toBeLessThanOrEqual(rows.length * 0.15);
});

const drift = drifts.find(({ name }) => name === 'other data and js attributes');

/** The kinds that a page with other data attributes has lost without a word. */
const lostOn = (row: Row): string[] => {
  const html = htmlOf(row);
  const before = readRow(row, html);
  const after = readRow(row, drift?.change(html, 1) ?? '');
  const has = ({ left }: typeof before, type: string) => left.some((item) => item.type === type);
  return Object.entries(looks)
    .filter(([type]) => has(before, type) && !has(after, type))
    .filter(([, look]) => !after.unread_blocks.some(({ looks_like }) => looks_like === look))
    .map(([type]) => `${type}: ${row.path}`);
};

test('ads, places and questions that are lost with their data attributes are named', () => {
  expect(drift).toBeDefined();
  expect(rows.flatMap(lostOn)).toEqual([]);
});
