/** Limits that protect the parser against pages that are made to keep it busy. */
import { expect, test } from 'vitest';
import { parseHtml } from '../../../lib/serp/page.ts';

test.each([
  ['deep', '<div>'.repeat(501)],
  ['long', '<b></b>'.repeat(100_001)],
])('a page that is too %s gives an empty tree', (_, html) => {
  const page = parseHtml(html);

  expect(page.root.children).toEqual([]);
  expect(page.html).toBe(html);
});

test.each([
  ['of the maximum depth', '<div>'.repeat(500)],
  ['of the maximum length', '<b></b>'.repeat(100_000)],
  ['that is cut off', '<div><a href="/x'],
])('a page %s gives a tree of its elements', (_, html) => {
  expect(parseHtml(html).root.children.length).toBeGreaterThan(0);
});
