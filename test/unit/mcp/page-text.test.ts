/** The readable text of a page. */
import { expect, test } from 'vitest';
import { pageLines as read } from '../../../lib/mcp/page-text.ts';
import { limits } from '../../../lib/serp/page-limits.ts';

const pageLines = (html: string) => read(html).lines;

test('reads headings, items and paragraphs, and neither scripts nor styles', () => {
  const html = `<!doctype html><html><head><title>T</title><style>b{}</style></head><body>
    <script>var a = "<p>no</p>";</script><h1>A  <b>title</b></h1>
    <div>One <a href="/x">link</a><br>and a line &amp; more</div>
    <ul><li>first</li><li><div>second</div></li></ul><noscript>no</noscript><p></p>end</body></html>`;

  expect(pageLines(html)).toEqual([
    '# A title',
    'One link',
    'and a line & more',
    '- first',
    '- second',
    'end',
  ]);
});

test('breaks long lines between words, and a long word anywhere', () => {
  const lines = pageLines(`<p>${'word '.repeat(300)}</p><p>${'x'.repeat(1000)}</p>`);

  expect(lines.every((line) => line.length <= 400)).toBe(true);
  expect(lines.slice(0, 4).join(' ')).toBe('word '.repeat(300).trim());
  expect(lines.slice(4).join('')).toBe('x'.repeat(1000));
});

test('leaves out a line that repeats the one before', () => {
  expect(pageLines('<p>a</p><p>a</p><p>b</p><p>a</p>')).toEqual(['a', 'b', 'a']);
});

test('keeps a paragraph that begins with the whole line before it', () => {
  const line = 'x'.repeat(400);

  expect(pageLines(`<p>${line}</p><p>${line} and more</p>`)).toEqual([line, line, 'and more']);
});

test('reads a page whose elements are not closed', () => {
  expect(pageLines('<svg><p>hidden</svg>shown<script>never')).toEqual(['shown']);
});

test('ends at a page that is nested too deep or too large', () => {
  expect(read(`<p>first</p>${'<div>'.repeat(200_000)}deep`)).toEqual({ lines: ['first'], isWhole: false });
  const { lines, isWhole } = read('<p>a</p><p>b</p>'.repeat(100_000));
  expect([lines.length, isWhole]).toEqual([limits.elements, false]);
  expect(read('<p>a</p>').isWhole).toBe(true);
});
