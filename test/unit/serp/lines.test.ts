import { expect, test } from 'vitest';
import { firstSignOf, textOf } from '../../../lib/serp/lines.ts';
import { parseHtml } from '../../../lib/serp/page.ts';

test.each([
  ['', ''],
  ['tea', 't'],
  [' \n <p> </p><b>\u200b\u2060 5 €</b>', '5'],
  ['<p></p>\u00a0<i><b>🍵 tea</b></i>', '🍵'],
  ['<script>a</script><style>b</style><svg><text>c</text></svg><p>d</p>', 'd'],
  ['<p style="display: none">a</p><p role="dialog">b</p><p style="color:red">c</p>', 'c'],
  ['<p style="DISPLAY : NONE">a</p><p style="--display: none">b</p>', 'b'],
  ['<noscript>a</noscript><template><p>b</p></template>', ''],
  ['<br>&nbsp;<br>', ''],
  ['<p>\u200d</p><p>\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645</p>', '\u0645'],
])('the first sign of %j is that of its text', (html, sign) => {
  const { root } = parseHtml(html);

  expect(firstSignOf(root)).toBe(sign);
  expect([...textOf(root)][0] ?? '').toBe(sign);
});

test.each([
  ['a line', '______tea', ''],
  ['a line before another', '______tea<p>milk</p>', 'm'],
  ['a line in parts', '<p>___<b></b>___tea</p>', ''],
  ['two lines', '<p>___</p><p>___tea</p>', 't'],
])('a sign after more blanks than a line may have is no text: %s', (_, html, sign) => {
  const { root } = parseHtml(html.replaceAll('_', ' '.repeat(3000)));

  expect(firstSignOf(root)).toBe(sign);
  expect([...textOf(root)][0] ?? '').toBe(sign);
});
