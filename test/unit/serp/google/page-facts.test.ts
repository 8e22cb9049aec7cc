/** What a page says of itself. */
import { expect, test } from 'vitest';
import { hasNext, queryOf, totalResultsOf } from '../../../../lib/serp/google/page-facts.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const links = (...starts: number[]): string =>
  starts.map((start) => `<a href="/search?q=lanterns&amp;start=${start}&amp;sa=N">${start}</a>`).join('');

test.each([
  ['no links to pages', '', false],
  ['the first of three', links(10, 20), true],
  ['the second of three', links(0, 10, 20).replace(/<a[^>]*start=10.*?<\/a>/, ''), true],
  ['the last of three', links(0, 10), false],
  ['the only other page is before', links(0), false],
  ['a lone link to more', links(10), true],
  ['a lone link to more, on the second page', links(20), true],
  ['absolute links', links(10).replace('/search', 'https://www.google.fr/search'), true],
  ['a start of another site', '<a href="https://craft.example/search?start=10">2</a>', false],
])('%s', (_, html, expected) => {
  expect(hasNext(parseHtml(html))).toBe(expected);
});

test.each([
  ['<textarea name="q">paper lanterns</textarea>', 'paper lanterns'],
  ['<input name="q" value="paper &amp; lanterns">', 'paper & lanterns'],
  ['<input name="btn" value="Search">', ''],
])('the query of %s', (html, query) => {
  expect(queryOf(parseHtml(html))).toBe(query);
});

test('the line on results is given as it stands, a space where there are several', () => {
  const page = parseHtml(
    '<div id="result-stats">About 12,300\n results<nobr> (0.3 seconds)&nbsp;</nobr></div>',
  );

  expect(totalResultsOf(page)).toBe('About 12,300 results (0.3 seconds)');
});
