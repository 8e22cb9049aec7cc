/** Which items beside the results of a list may be results that were not read. */
import { expect, test } from 'vitest';
import { find, findAll, isLink, isNamed } from '../../../../lib/serp/dom.ts';
import { textOf } from '../../../../lib/serp/lines.ts';
import { countSimilar } from '../../../../lib/serp/list/lost-results.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const result =
  '<li class="box"><h2><a href="https://clay.example/">Clay</a></h2><cite>clay.example</cite></li>';

const countIn = (others: string): number => {
  const { root } = parseHtml(`<ol>${result}${others}</ol>`);
  return countSimilar({
    items: findAll(root, isNamed('li')),
    isResult: (item) => find(item, isNamed('h2')) !== undefined,
    urlsIn: (item) => findAll(item, isLink).map(({ attribs }) => attribs.href ?? ''),
    showsAddress: (item) => find(item, isNamed('cite')) !== undefined && /\.\w/.test(textOf(item)),
  });
};

const ton = '<h3><a href="https://ton.example/">Ton</a></h3>';
const itemOf = (html: string, marks = 'class="box"') => `<li ${marks}>${html}</li>`;
const address = '<div><cite>ton.example</cite></div>';

test.each([
  ['a result without its heading', 1, itemOf(`${ton}${address}`)],
  ['a result without its link', 1, itemOf(`<b>Ton</b>${address}`)],
  ['a text without a link and an address', 0, itemOf('<b>Ton</b>')],
  ['an item with another class', 0, itemOf(`${ton}${address}`, 'class="more"')],
  ['an item of another list', 0, `</ol><ol>${itemOf(`${ton}${address}`)}`],
  ['a card that leads to two sites', 0, itemOf(`${ton}<a href="https://lehm.example/">L</a>${address}`)],
  ['a link that shows the address of another site', 0, itemOf(`${ton}<div>lehm.example</div>`)],
])('beside a result, %s makes %i lost results', (_, count, html) => {
  expect(countIn(html)).toBe(count);
});

test('several lost results are counted one by one', () => {
  expect(countIn('<li class="box"><b>A</b><cite>a.example</cite></li>'.repeat(3))).toBe(3);
});
