/** What a Yahoo page says about itself: the number of results and the pages that follow. */
import { expect, test } from 'vitest';
import { parseHtml } from '../../../../lib/serp/page.ts';
import { hasNext, ownNumberOf, queryOf, totalResultsOf } from '../../../../lib/serp/yahoo/page-facts.ts';

const link = (number: number | string, first: number, size = 7) =>
  `<a href="https://search.yahoo.com/search?p=tea&amp;b=${first}&amp;pz=${size}&amp;xargs=0">${number}</a>`;
const own = (number: number | string) => `<strong>${number}</strong>`;
const pager = (...entries: string[]) => `<ol><li><div>${entries.join('')}</div></li></ol>`;
const above = (text: string) => `<ol><li><div><span>${text}</span></div></li></ol>`;

test.each([
  ['a first page', pager(own(1), link(2, 8), link(3, 15), link('Next', 8)), true],
  ['a page in the middle', pager(link('Zurück', 1), link(1, 1), own(2), link(3, 15)), true],
  ['the last page', pager(link('Précédent', 8), link(1, 1), link(2, 8), own(3)), false],
  ['a row with its own number and a link only', pager(own('PAGE 1'), link('Next', 10, 9)), true],
  ['a last row with its own number and a link only', pager(own('PAGE 2'), link('Prev', 1, 9)), false],
  ['a row without its own number', pager(link(2, 8), link(3, 15)), true],
  ['no row', '<p>tea</p>', true],
  ['no row, and as many results as there are', above('7 results'), false],
  ['no row, and more results than are shown', above('Etwa 1.100 Ergebnisse'), true],
  [
    'a term with the first result of the request',
    '<ol><li><td><a href="https://search.yahoo.com/search?p=tea+pot&amp;b=8">tea pot</a></td></li></ol>',
    true,
  ],
])('%s: a later page %s', (_, html, expected) => {
  expect(hasNext(parseHtml(html), 7)).toBe(expected);
});

test.each([
  ['the number without a link', pager(link(1, 1), own(2), link(3, 15)), 2],
  ['a number with a word', pager(own('PAGE 4'), link('Next', 29)), 4],
  ['no number', pager(link(1, 1), link(2, 8)), null],
  ['no row', '<p>tea</p>', null],
])('own number: %s', (_, html, expected) => {
  expect(ownNumberOf(parseHtml(html))).toBe(expected);
});

test.each([
  [
    'in the row of page numbers',
    pager(own(1), link(2, 8), '<span>399,000 results</span>'),
    '399,000 results',
  ],
  ['above the results', above('About 118,000 search results'), 'About 118,000 search results'],
  ['in another language', above('約 545,000 件'), '約 545,000 件'],
  ['not a block with a link', '<ol><li><a href="https://a.example/">12 people</a></li></ol>', ''],
  ['not a block with several lines', '<ol><li><p>12 people</p><p>walk</p></li></ol>', ''],
  ['nowhere', '<p>12 results</p>', ''],
])('the number of results: %s', (_, html, expected) => {
  expect(totalResultsOf(parseHtml(html))).toBe(expected);
});

test.each([
  ['a field', '<form><input name="p" value=" green  tea "></form>', 'green  tea'],
  ['a text area', '<form><textarea name="p">green tea</textarea></form>', 'green tea'],
  ['a hidden field', '<form><input name="p" type="hidden" value="tea"></form>', ''],
  ['no field', '<p>tea</p>', ''],
])('the query in %s', (_, html, expected) => {
  expect(queryOf(parseHtml(html))).toBe(expected);
});
