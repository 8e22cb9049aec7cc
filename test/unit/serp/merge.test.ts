/** Merges pages into one result: the numbers, the cut at the depth, the first ten hosts. */
import { expect, test } from 'vitest';
import type { ItemType, ResultItem } from '../../../lib/model/result.ts';
import { mergePages, topTen } from '../../../lib/serp/merge.ts';

/** An item as the parser numbers it: each page starts at 1. */
const item = (type: ItemType, title: string, more: Partial<ResultItem> = {}): ResultItem => ({
  type,
  title,
  position: '1',
  absolute_position: 1,
  url: `https://${title}.example/`,
  breadcrumb: '',
  snippet: '',
  ...more,
});

const organics = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => item('organic', `site-${from + n}`));

const shape = (items: ResultItem[]) =>
  items.map((i) => `${i.absolute_position} ${i.type} ${i.position} ${i.title}`);

test('numbers each type over all pages, and all items of the array with absolute positions', () => {
  const merged = mergePages(
    [
      {
        left: [item('ad', 'x'), item('organic', 'a'), item('organic', 'b')],
        right: [item('knowledge_panel', 'k')],
      },
      { left: [item('organic', 'c'), item('related_search', 'r'), item('ad', 'y')], right: [] },
    ],
    100,
  );

  expect(shape(merged.left)).toEqual([
    '1 ad 1 x',
    '2 organic 1 a',
    '3 organic 2 b',
    '4 organic 3 c',
    '5 related_search 1 r',
    '6 ad 2 y',
  ]);
  expect(shape(merged.right)).toEqual(['1 knowledge_panel 1 k']);
});

test.each([
  [1, [10], 1],
  [5, [10], 5],
  [10, [10], 10],
  [10, [9], 9],
  [10, [12], 10],
  [15, [10, 10], 15],
  [20, [11, 10], 20],
  [20, [8, 9], 17],
  [100, [10, 10, 10], 30],
  [30, [10, 0, 10], 20],
])('depth %i of pages with %j organic results keeps %i', (depth, counts, kept) => {
  const { left } = mergePages(
    counts.map((count) => ({ left: organics(count), right: [] })),
    depth,
  );

  expect(left.map((i) => i.position)).toEqual(Array.from({ length: kept }, (_, n) => String(n + 1)));
});

test('keeps items of other types after the cut', () => {
  const left = [...organics(3), item('related_search', 'r'), item('ad', 'x')];

  expect(shape(mergePages([{ left, right: [item('shopping_ad', 's')] }], 2).left)).toEqual([
    '1 organic 1 site-1',
    '2 organic 2 site-2',
    '3 related_search 1 r',
    '4 ad 1 x',
  ]);
});

test('a type on both sides continues its numbers from left to right', () => {
  const page = { left: [item('shopping_ad', 'l')], right: [item('shopping_ad', 'r')] };

  const merged = mergePages([page, page], 10);

  expect(shape(merged.left)).toEqual(['1 shopping_ad 1 l', '2 shopping_ad 2 l']);
  expect(shape(merged.right)).toEqual(['1 shopping_ad 3 r', '2 shopping_ad 4 r']);
});

test('does not change the pages', () => {
  const pages = [
    { left: organics(2), right: [] },
    { left: organics(2, 3), right: [] },
  ];
  const before = structuredClone(pages);

  mergePages(pages, 3);

  expect(pages).toEqual(before);
});

test('no pages or empty pages give an empty result', () => {
  expect(mergePages([], 10)).toEqual({ left: [], right: [] });
  expect(mergePages([{ left: [], right: [] }], 10)).toEqual({ left: [], right: [] });
});

test.each([
  ['a repeated host counts once', ['a.example', 'b.example', 'a.example'], ['a.example', 'b.example']],
  ['unknown hosts are skipped', ['', 'a.example', ''], ['a.example']],
  ['a subdomain is a separate host', ['a.example', 'en.a.example'], ['a.example', 'en.a.example']],
  ['no results give no hosts', [], []],
  [
    'at most ten hosts',
    Array.from({ length: 12 }, (_, n) => `${n}.example`),
    Array.from({ length: 10 }, (_, n) => `${n}.example`),
  ],
])('the first ten hosts: %s', (_, domains, expected) => {
  const left = domains.map((domain) => item('organic', 't', { domain }));

  expect(topTen({ left, right: [] })).toEqual(expected);
});

test('the first ten hosts come from organic results only', () => {
  const left = [
    item('ad', 't', { domain: 'ad.example' }),
    item('organic', 't', { domain: 'a.example' }),
    item('organic', 't'),
  ];

  expect(topTen({ left, right: [] })).toEqual(['a.example']);
});
