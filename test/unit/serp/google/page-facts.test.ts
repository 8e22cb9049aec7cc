/** Facts that a page states about itself. */
import { expect, test } from 'vitest';
import { hasNext, queryOf, totalResultsOf } from '../../../../lib/serp/google/page-facts.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const links = (...starts: number[]): string =>
  starts.map((start) => `<a href="/search?q=lanterns&amp;start=${start}&amp;sa=N">${start}</a>`).join('');

const column = (inside: string): string => `<div id="center_col"><div id="botstuff">${inside}</div></div>`;
const row = (numbers: string): string =>
  column(`<div role="navigation"><table><tr>${numbers}</tr></table></div>`);
const box = '<form action="/search"><textarea name="q">lanterns</textarea></form>';

test.each([
  ['there are no links to pages', '', true],
  ['the row of page numbers is empty', row(''), false],
  ['another row is empty', '<div role="navigation"><table><tr></tr></table></div>', true],
  ['the row of page numbers is filled', row(links(10)), true],
  [
    'a script adds the links',
    `${row('')}<script>f('/search?q\\x3dlanterns\\x26start\\x3d10')</script>`,
    true,
  ],
  [
    'a script adds the links as JSON',
    `${row('')}<script>["/search?q\\u003dl\\u0026start\\u003d20"]</script>`,
    true,
  ],
  ['a script names an earlier page', `${links(0, 10)}<script>f('\\x26start\\x3d10')</script>`, false],
  [
    'a link to more results has no number',
    `${box}${row('')}${column('<a href="/search?q=lanterns&amp;aomd=1">…</a>')}`,
    true,
  ],
  [
    'a link to another tab has no number',
    `${box}${row('')}${column('<a href="/search?q=lanterns&amp;udm=2">…</a>')}`,
    false,
  ],
  [
    'a link to another search has no number',
    `${box}${row('')}${column('<a href="/search?q=lamps&amp;aomd=1">…</a>')}`,
    false,
  ],
  ['the page is the first of three', links(10, 20), true],
  ['the page is the second of three', links(0, 10, 20).replace(/<a[^>]*start=10.*?<\/a>/, ''), true],
  ['the page is the last of three', links(0, 10), false],
  ['the only other page is an earlier one', links(0), false],
  ['there is a single link to more results', links(10), true],
  [
    'a link to a filter repeats the start of the request',
    `${links(10)}<a href="/search?q=lanterns&amp;start=0&amp;tbs=li:1">…</a>`,
    true,
  ],
  ['there is a single link to more results, on the second page', links(20), true],
  ['the links are absolute', links(10).replace('/search', 'https://www.google.fr/search'), true],
  [
    'the only start is in a link to another site',
    `${row('')}<a href="https://craft.example/search?start=10">2</a>`,
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
