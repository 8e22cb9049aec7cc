/** The links of a web result to other pages of its site. */
import type { Element } from 'domhandler';
import { expect, test } from 'vitest';
import { findAll, isNamed } from '../../../../lib/serp/dom.ts';
import { sitelinksIn, withoutDate } from '../../../../lib/serp/list/organic.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const url = 'https://clay.example/cups';

const sitelinksOf = (html: string) =>
  sitelinksIn(findAll(parseHtml(html).root, isNamed('a')), {
    url,
    targetOf: ({ attribs: { href = '' } }: Element) => ({ url: href, url_resolution: 'direct' }),
    isOwn: ({ attribs }) => attribs.class === 'title',
  });

test.each([
  ['another page of the site', 'https://clay.example/bowls', true],
  ['another page of the site, with a fragment', 'https://clay.example/bowls#blue', true],
  ['the page of the result', url, false],
  ['a part of the page of the result', `${url}#blue`, false],
  ['another site', 'https://ton.example/cups', false],
])('a link to %s is a link to the site: %s', (_, href, isSitelink) => {
  const found = sitelinksOf(`<a class=title href="${url}">Cups</a><a href="${href}">Blue</a>`);

  expect(found).toEqual(isSitelink ? [{ title: 'Blue', url: href }] : []);
});

test('a page of the site is linked once, by its first link with a text', () => {
  const bowls = 'https://clay.example/bowls';

  expect(
    sitelinksOf(`<a href="${bowls}"></a><a href="${bowls}">Bowls</a><a href="${bowls}">More</a>`),
  ).toEqual([{ title: 'Bowls', url: bowls }]);
});

test.each([
  ['Jul 12, 2025 · A text.', 'Jul 12, 2025'],
  ['3天前 · A text.', '3天前'],
  ['3日前 · A text.', '3日前'],
  ['3 日前 · A text.', '3 日前'],
  ['٣ أيام · A text.', '٣ أيام'],
  ['12· A text.', ''],
  ['Top 3 ways to make a cup of clay · A text.', ''],
  ['Since yesterday · A text.', ''],
])('the date of %s is %s', (text, date) => {
  expect(withoutDate(text)).toEqual({ snippet: date === '' ? text : 'A text.', date });
});
