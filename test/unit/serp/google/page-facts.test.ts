/** Facts that a page states about itself. */
import { expect, test } from 'vitest';
import { hasNext, queryOf, totalResultsOf } from '../../../../lib/serp/google/page-facts.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const links = (...starts: number[]): string =>
  starts.map((start) => `<a href="/search?q=lanterns&amp;start=${start}&amp;sa=N">${start}</a>`).join('');

test.each([
  ['there are no links to pages', '', false],
  ['the page is the first of three', links(10, 20), true],
  ['the page is the second of three', links(0, 10, 20).replace(/<a[^>]*start=10.*?<\/a>/, ''), true],
  ['the page is the last of three', links(0, 10), false],
  ['the only other page is an earlier one', links(0), false],
  ['there is a single link to more results', links(10), true],
  ['there is a single link to more results, on the second page', links(20), true],
  ['the links are absolute', links(10).replace('/search', 'https://www.google.fr/search'), true],
  [
    'the only start is in a link to another site',
    '<a href="https://craft.example/search?start=10">2</a>',
    false,
  ],
])('tells whether there is a next page: %s', (_, html, expected) => {
  expect(hasNext(parseHtml(html))).toBe(expected);
});

test.each([
  ['<textarea name="q">paper lanterns</textarea>', 'paper lanterns'],
  ['<input name="q" value="paper &amp; lanterns">', 'paper & lanterns'],
  ['<input name="btn" value="Search">', ''],
])('reads the query from %s', (html, query) => {
  expect(queryOf(parseHtml(html))).toBe(query);
});

test('gives the line with the number of results, with single spaces', () => {
  const page = parseHtml(
    '<div id="result-stats">About 12,300\n results<nobr> (0.3 seconds)&nbsp;</nobr></div>',
  );

  expect(totalResultsOf(page)).toBe('About 12,300 results (0.3 seconds)');
});
