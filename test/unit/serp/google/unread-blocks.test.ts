/** Blocks that no component reads, on invented pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reader } from '../../../../lib/serp/google/reader.ts';

const corpus = join(import.meta.dirname, '../../../corpus/google/desktop');

const page = (name: string): string => readFileSync(join(corpus, name, 'page.html'), 'utf8');

const read = (html: string) => reader.open(html).read('desktop');

const withBlock = (block: string): string =>
  page('organic').replace('<div id="rso">', `<div id="rso">${block}`);

test.each([
  [
    'ads',
    '<div><h1>Sponsored</h1><a href="https://lamp.example/"><div role="heading" aria-level="3">Lamps</div></a></div>',
  ],
  [
    'ads',
    '<div><h2>Anzeigen</h2><a href="https://lamp.example/"><img alt="">Lampen</a> <a href="/search?q=x">Mehr</a></div>',
  ],
  [
    'overview',
    `<div><h2>AI Overview</h2><p>${'Lanterns are made of paper and light. '.repeat(5)}</p>
     <a href="https://a.example/">One</a><a href="https://b.example/">Two</a></div>`,
  ],
  [
    'overview',
    `<div><h2>AI Overview</h2><p>${'提灯は竹の骨組みに薄い紙を貼って作られ、折りたたんで持ち運べます。'.repeat(2)}</p>
     <a href="https://a.example/">One</a><a href="https://b.example/">Two</a></div>`,
  ],
])('a block that looks like %s is named', (look, block) => {
  const { unread_blocks } = read(withBlock(block));

  expect(unread_blocks).toMatchObject([{ looks_like: look }]);
});

test('a block of another kind has its heading only', () => {
  const { unread_blocks } = read(
    withBlock('<div><h2>Nutrition</h2><a href="/search?q=paper">Paper: 2 g</a></div>'),
  );

  expect(unread_blocks).toEqual([{ heading: 'Nutrition' }]);
});

test('navigation, dialogs, footers and empty blocks are left out', () => {
  const { unread_blocks } = read(
    withBlock(`<div role="navigation"><a href="/search?q=a&start=10">2</a></div>
      <div role="dialog"><a href="https://a.example/">Feedback</a></div>
      <div style="display:none"><a href="https://b.example/">Hidden</a></div>
      <div><a href="https://c.example/"></a></div><footer><a href="https://d.example/">Help</a></footer>`),
  );

  expect(unread_blocks).toEqual([]);
});

test.each([
  '<map><area href="/maps/place/a" data-ved="b"></map>',
  '<div href="/maps/place/a">Map</div>',
  '<button data-url="/maps/place/a">Map</button>',
])('a block of places has a link to the map: %s', (link) => {
  const block = `<div>${link}<a href="/search?q=a">More places</a><p>4.5 (20)</p><p>12 Lamp Street</p></div>`;

  expect(read(withBlock(block)).unread_blocks).toMatchObject([{ looks_like: 'places' }]);
});

test('ads that have lost their marks are read or named', () => {
  const { left, unread_blocks } = read(page('ad').replace(/ data-[\w-]+(?:="[^"]*")?/g, ''));
  const isTold = unread_blocks.some(({ looks_like }) => looks_like === 'ads');

  expect(isTold || left.some(({ type }) => type === 'ad')).toBe(true);
});
