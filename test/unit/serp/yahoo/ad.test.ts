/** Ads of Yahoo whose links lead to their targets, as in a saved copy. */
import { expect, test } from 'vitest';
import { parseHtml } from '../../../../lib/serp/page.ts';
import { readPage } from '../../../../lib/serp/yahoo/reader.ts';

const item = (classes: string, name: string) =>
  `<li><div class="dd ${classes}"><h3><a href="https://${name}.example/">The ${name}</a></h3><div><span>${name}.example</span></div>
   <p>Some more words about it.</p></div></li>`;

test('the class of an ad shows that it is no web result', () => {
  const html = `<ol>${item('ads AdTop', 'shop')}</ol><ol>${item('algo', 'kiln')}${item('', 'clay')}</ol>`;

  expect(readPage(parseHtml(html)).left.map(({ type, title }) => [type, title])).toEqual([
    ['ad', 'The shop'],
    ['organic', 'The kiln'],
    ['organic', 'The clay'],
  ]);
});
