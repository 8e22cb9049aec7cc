/** What a Bing page says about itself: the number of results and the pages that follow. */
import { expect, test } from 'vitest';
import { hasNext, ownNumberOf, totalResultsOf } from '../../../../lib/serp/bing/page-facts.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const link = (number: number | string, first: number) =>
  `<li><a href="/search?q=tea&amp;first=${first}">${number}</a></li>`;
const own = (number: number | string) => `<li><a>${number}</a></li>`;
const pager = (...entries: string[]) => `<ol><li><nav><ul>${entries.join('')}</ul></nav></li></ol>`;
const count = (text: string) => `<main><div><span>${text}</span></div><ol><li><h2>x</h2></li></ol></main>`;

test.each([
  ['a first page', pager(own(1), link(2, 11), link('Next', 11)), true],
  ['a page in the middle', pager(link('Vorige', 1), link(1, 1), own(2), link(3, 21)), true],
  ['the last page', pager(link('Vorige', 1), link(1, 1), own(2)), false],
  ['pages of unequal length', pager(own(1), link(2, 5), link(3, 15)), true],
  ['numbers of another script', pager(own('۱'), link('۲', 11)), true],
  ['a row without its own number', pager(link(1, 1), link(2, 11)), true],
  ['no row', '<p>tea</p>', true],
  ['no row, and as many results as there are', count('10 resultados'), false],
  ['no row, and more results than are shown', count('About 1,100 results'), true],
  ['no row, and two numbers', count('11-20 of 32 results'), true],
])('%s: a later page %s', (_, html, expected) => {
  expect(hasNext(parseHtml(html), 10)).toBe(expected);
});

test.each([
  ['the number without a link', pager(link(1, 1), own(2), link(3, 21)), 2],
  ['a number of another script', pager(own('۱'), link('۲', 11)), 1],
  ['a number of a script that is not read', pager(own('߁'), link('߂', 11)), null],
  ['no row', '<p>tea</p>', null],
])('own number: %s', (_, html, expected) => {
  expect(ownNumberOf(parseHtml(html))).toBe(expected);
});

test.each([
  ['its class', '<span class="sb_count">约 545,000 个结果</span>', '约 545,000 个结果'],
  ['its place above the list', count('Sobre 37.700 resultados'), 'Sobre 37.700 resultados'],
  ['no number above the list', count('Open links in new tab'), ''],
  ['a number below the list', '<ol><li>x</li></ol><span>12 people</span>', ''],
])('the number of results: %s', (_, html, expected) => {
  expect(totalResultsOf(parseHtml(html))).toBe(expected);
});
