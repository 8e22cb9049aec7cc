/** Pages that are made to keep their reader busy. */
import { expect, test } from 'vitest';
import { parseHtml } from '../../../lib/serp/page.ts';

test.each([
  ['nested', '<div>'.repeat(501)],
  ['endless', '<b></b>'.repeat(100_001)],
])('what is too %s gives an empty tree', (_, html) => {
  const page = parseHtml(html);

  expect(page.root.children).toEqual([]);
  expect(page.html).toBe(html);
});

test.each([
  ['as deep as may be', '<div>'.repeat(500)],
  ['as long as may be', '<b></b>'.repeat(100_000)],
  ['cut', '<div><a href="/x'],
])('a page %s gives the tree of what is there', (_, html) => {
  expect(parseHtml(html).root.children.length).toBeGreaterThan(0);
});
