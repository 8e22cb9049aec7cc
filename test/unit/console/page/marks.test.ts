// @vitest-environment jsdom
/** Which items of a stored page become boxes, and which labels can be seen. */
import { expect, test, vi } from 'vitest';
import { boxBlocks } from '../../../../lib/console/blocks.ts';
import { labelBlocks } from '../../../../lib/console/mark-labels.ts';

const pageOf = (html: string): Document => {
  const target = document.implementation.createHTMLDocument('');
  target.body.innerHTML = html;
  return target;
};

test.each([
  ['<a><p>a paragraph</p></a>', true],
  ['<a style="display:inline-block"><p>a card</p></a>', false],
  ['<a>x<p style="display:none">hidden</p></a>', false],
  ['<a>x<p style="position:absolute">in another place</p></a>', false],
])('the item %s becomes a box: %s', (html, isBox) => {
  const target = pageOf(html);
  boxBlocks(target, [target.querySelector('a')]);

  expect(target.querySelector('[data-box]') !== null).toBe(isBox);
});

test.each([
  ['block', true],
  ['inline', false],
  ['contents', false],
])('an element around an item with display: %s cuts off its label: %s', (display, isCut) => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
    },
  );
  const target = pageOf(`<div style="display:${display};overflow-x:hidden"><p>One</p></div>`);
  const rects = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  rects.mockImplementation(function (this: Element) {
    return new DOMRect(0, 0, this.localName === 'div' ? 0 : 9, 9);
  });
  labelBlocks(target, [target.querySelector('p')], ['1'], () => {});
  rects.mockRestore();
  vi.unstubAllGlobals();

  const [label] = target.querySelector('mark-labels')?.shadowRoot?.querySelectorAll('button') ?? [];
  expect(label?.hidden).toBe(isCut);
});
