/** The walker: claiming, widening and numbering, with a table of test components. */

import { expect, test } from 'vitest';
import { hasClass } from '../../../../lib/serp/dom.ts';
import { textOf } from '../../../../lib/serp/lines.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';
import { type Component, type Layout, readBy } from '../../../../lib/serp/walker.ts';

const named = (type: Component['type'], name: string, more: Partial<Component> = {}): Component => ({
  type,
  root: hasClass(name),
  read: (block) => [{ title: textOf(block) }],
  ...more,
});

const layout = (...components: Component[]): Layout => ({
  components,
  ignored: hasClass('ignored'),
  column: hasClass('column'),
  right: hasClass('right'),
});

const read = (html: string, ...components: Component[]) => readBy(layout(...components), parseHtml(html));

const summary = (html: string, ...components: Component[]) => {
  const { left, right } = read(html, ...components);
  return [...left, ...right].map((item) => [item.type, item.position, item.absolute_position, item.title]);
};

test('numbers each type over both sides, and all items within each side', () => {
  const html =
    '<p class="a">1</p><p class="b">2</p><p class="a">3</p><div class="right"><p class="a">4</p></div>';

  expect(summary(html, named('organic', 'a'), named('ad', 'b'))).toEqual([
    ['organic', '1', 1, '1'],
    ['ad', '1', 2, '2'],
    ['organic', '2', 3, '3'],
    ['organic', '3', 1, '4'],
  ]);
});

test('no component claims an element inside a claimed block', () => {
  const html = '<div class="a">out<p class="b">in</p></div><p class="b">beside</p>';

  expect(summary(html, named('ad', 'b'), named('organic', 'a')).map(([, , , title]) => title)).toEqual([
    'out in',
    'beside',
  ]);
});

test('if a component reads nothing, the walker tries the next component', () => {
  const html = '<p class="a b">x</p>';

  expect(summary(html, named('ad', 'a', { read: () => [] }), named('organic', 'b'))).toEqual([
    ['organic', '1', 1, 'x'],
  ]);
});

test('a component of one side does not match on the other', () => {
  const html = '<p class="a">left</p><div class="right"><p class="a">right</p></div>';

  expect(summary(html, named('organic', 'a', { side: 'left' }))).toEqual([['organic', '1', 1, 'left']]);
  expect(summary(html, named('organic', 'a', { side: 'right' }))).toEqual([['organic', '1', 1, 'right']]);
});

test('the walker skips the content of ignored elements', () => {
  expect(summary('<div class="ignored"><p class="a">x</p></div>', named('organic', 'a'))).toEqual([]);
});

test('a block around its root ends before another block, and at the column', () => {
  const html =
    '<div class="column">head<div><p class="a">1</p>one</div><div><div><p class="a">2</p></div>two</div></div>';

  expect(summary(html, named('organic', 'a', { reach: 'around' })).map(([, , , title]) => title)).toEqual([
    '1 one',
    '2 two',
  ]);
});

test('a section is the smallest box around its heading with content, and has the position of its heading', () => {
  const component = named('video', 'head', {
    reach: 'section',
    read: (block) => (textOf(block).includes('card') ? [{ title: textOf(block) }] : []),
  });
  const html = `<div class="column"><div><div><b class="head">H</b></div><i>card</i></div><p class="a">1</p></div>`;

  expect(summary(html, named('organic', 'a'), component).map(([type, , , title]) => [type, title])).toEqual([
    ['video', 'H card'],
    ['organic', '1'],
  ]);
});

test('a section does not include a claimed block beside it', () => {
  const component = named('video', 'head', {
    reach: 'section',
    read: (block) => (textOf(block).includes('1') ? [{}] : []),
  });
  const html = '<div class="column"><div><b class="head">H</b><p class="a">1</p></div></div>';

  expect(summary(html, named('organic', 'a'), component).map(([type]) => type)).toEqual(['organic']);
});
