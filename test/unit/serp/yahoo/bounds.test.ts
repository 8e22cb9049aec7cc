/**
 * The work of reading a Yahoo page grows as the page does, and a page that needs too much of it is no result.
 */

import { expect, test } from 'vitest';
import { find, isLink } from '../../../../lib/serp/dom.ts';
import { maxSteps } from '../../../../lib/serp/list/reader.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';
import { stepsUsed } from '../../../../lib/serp/steps.ts';
import { searchParameters } from '../../../../lib/serp/yahoo/link.ts';
import { readPage } from '../../../../lib/serp/yahoo/reader.ts';
import { judgePage } from '../../../../lib/serp/yahoo/verdict.ts';

const counted = 'https://r.search.yahoo.com/_ylt=A/RU=https%3a%2f%2fa.example%2f/RK=2';
const ad = 'https://r.search.yahoo.com/cbclk2/A/RU=https%3a%2f%2fa.example%2f/RK=2';
const search = 'https://search.yahoo.com/search?p=a';

const pageOf = (items: string) =>
  parseHtml(`<html><body><input name="p" value="kiln"><div id="web"><ol>${items}</ol></div></body></html>`);

const stepsFor = (items: string): number => {
  readPage(pageOf(items));
  return stepsUsed();
};

const title = `<h3><a href="${counted}">A kiln</a></h3>`;

test.each<[string, (times: number) => string]>([
  ['results', (times) => `<li>${title}<span>a.example</span></li>`.repeat(times)],
  ['titles in one item', (times) => `<li>${title.repeat(times)}</li>`],
  ['addresses in one item', (times) => `<li>${title}${'<span>b.example</span>'.repeat(times)}</li>`],
  ['links in one item', (times) => `<li>${`<a href="${counted}">a</a>`.repeat(times)}</li>`],
  [
    'terms',
    (times) => `<li><table>${`<tr><td><a href="${search}">a</a></td></tr>`.repeat(times)}</table></li>`,
  ],
  ['questions', (times) => `<li>${`<div qidx="1"><p>Why?</p>${title}</div>`.repeat(times)}</li>`],
  ['ads', (times) => `<li><h3><a href="${ad}">A kiln</a></h3></li>`.repeat(times)],
  [
    'ads in one item',
    (times) => `<li>${`<div><h3><a href="${ad}">A kiln</a></h3></div>`.repeat(times)}</li>`,
  ],
  ['bold words', (times) => `<li><div>${'<b>a</b>'.repeat(times)}</div></li>`],
])('the steps grow as the number of %s does', (_, items) => {
  expect(stepsFor(items(1000))).toBeLessThan(5 * stepsFor(items(250)));
});

test('a link that is far longer than those of real pages is no search of the engine', () => {
  const linkOf = (query: string) => find(parseHtml(`<a href="/search?p=${query}">a</a>`).root, isLink);
  const [short, long] = [100, 16_384].map((times) => linkOf('a'.repeat(times)));

  expect(short && searchParameters(short)?.get('p')).toHaveLength(100);
  expect(long && searchParameters(long)).toBeUndefined();
});

test('a page that is made to keep the reader busy is no result', () => {
  const page = pageOf(
    `<li>${title}<span>a.example</span></li>`.repeat(2) +
      `<li>${`<div><h3><a href="${ad}">A kiln</a></h3></div>`.repeat(8200)}</li>`,
  );
  const parsed = readPage(page);
  const steps = stepsUsed();

  expect(parsed).toMatchObject({ unread: true, left: [], right: [] });
  expect(steps).toBeLessThan(1.2 * maxSteps);
  const fetch = { query: 'kiln', device: 'desktop' as const, fetchedAt: 0, status: 200, url: '' };
  expect(judgePage(page, parsed, fetch)).toBe('unknown_layout');
});
