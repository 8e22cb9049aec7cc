/** Terms of related searches that a list page shows in several blocks. */
import { expect, test } from 'vitest';
import { findAll, hasClass, hasId, isInside } from '../../../../lib/serp/dom.ts';
import { textOf } from '../../../../lib/serp/lines.ts';
import { relatedSearchesBy } from '../../../../lib/serp/list/related-search.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const read = relatedSearchesBy({
  itemsOf: ({ root }) => findAll(root, hasClass('item')),
  isRelated: hasClass('related'),
  termsIn: (item) => findAll(item, hasClass('term')).map((term) => textOf(term)),
  isRight: (item) => isInside(item, hasId('right')),
});

const block = (...terms: string[]): string =>
  `<div class="item related">${terms.map((term) => `<b class="term">${term}</b>`).join('')}</div>`;

const termsOf = (html: string) => {
  const page = parseHtml(html);
  return findAll(page.root, hasClass('related')).map((item) => read(item, page));
};

test('a term that two blocks have is read in the first one', () => {
  expect(termsOf(`${block('cups', 'bowls')}${block('bowls', 'plates')}`)).toEqual([
    [{ items: ['cups', 'bowls'] }],
    [{ items: ['plates'] }],
  ]);
});

test('a term of both columns is read in the main column, also if the right one comes first', () => {
  expect(termsOf(`<div id=right>${block('cups', 'jugs')}</div><div>${block('cups', 'bowls')}</div>`)).toEqual(
    [[{ items: ['jugs'] }], [{ items: ['cups', 'bowls'] }]],
  );
});

test('a block without a new term gives no item, nor does a block of something else', () => {
  expect(termsOf(`${block('cups')}${block('cups')}${block()}`)).toEqual([[{ items: ['cups'] }], [], []]);

  const page = parseHtml('<div class="item">cups</div>');
  expect(findAll(page.root, hasClass('item')).flatMap((item) => read(item, page))).toEqual([]);
});
