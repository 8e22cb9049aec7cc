/**
 * The work of reading a Bing page grows as the page does, and a page that needs too much of it is no result.
 */

import { expect, test } from 'vitest';
import { readPage } from '../../../../lib/serp/bing/reader.ts';
import { judgePage } from '../../../../lib/serp/bing/verdict.ts';
import { maxSteps } from '../../../../lib/serp/list/reader.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';
import { stepsUsed } from '../../../../lib/serp/steps.ts';

const pageOf = (items: string) =>
  parseHtml(
    `<html><body><form action="/search"><input name="q" value="kiln"></form><ol id="b_results">${items}</ol></body></html>`,
  );

const stepsFor = (items: string): number => {
  readPage(pageOf(items));
  return stepsUsed();
};

const link = '<a href="https://a.example/">A kiln</a>';
const title = `<h2>${link}</h2>`;
const result = `<li class="b_algo">${title}<cite>https://a.example</cite><p>A kiln for pots.</p></li>`;

test.each<[string, (times: number) => string]>([
  ['results', (times) => result.repeat(times)],
  [
    'titles in one item',
    (times) => `<li class="b_algo">${title.repeat(times)}<cite>https://a.example</cite></li>`,
  ],
  ['links in one item', (times) => `<li class="b_algo">${title}${link.repeat(times)}</li>`],
  [
    'cards in one item',
    (times) => `<li class="b_ans"><h2>Kilns</h2>${`<div>${link}</div>`.repeat(times)}</li>`,
  ],
  [
    'terms',
    (times) =>
      `<li class="b_ans"><h2>Related</h2><ul>${'<li><a href="/search?q=a">a</a></li>'.repeat(times)}</ul></li>`,
  ],
  [
    'questions',
    (times) =>
      `<li class="b_ans">${'<div data-query="Why?"><div role="button">Why?</div></div>'.repeat(times)}</li>`,
  ],
])('the steps grow as the number of %s does', (_, items) => {
  expect(stepsFor(items(1000))).toBeLessThan(5 * stepsFor(items(250)));
});

test('a page that needs too many steps is no result', () => {
  // 24,953 elements: more are not parsed at all.
  const page = pageOf(result.repeat(4990));
  const parsed = readPage(page);

  expect(stepsUsed()).toBeLessThan(1.2 * maxSteps);
  expect(parsed).toMatchObject({ unread: true, left: [], right: [] });
  const fetch = { query: 'kiln', device: 'desktop' as const, fetchedAt: 0, status: 200, url: '' };
  expect(judgePage(page, parsed, fetch)).toBe('unknown_layout');
});
