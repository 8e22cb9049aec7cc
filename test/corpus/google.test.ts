/**
 * Small invented pages, one for each component and rule. A person has checked what is read from each of them
 * (`golden.json`).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getElementsByTagName } from 'domutils';
import { expect, test } from 'vitest';
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage } from '../../lib/model/parsed-page.ts';
import { desktop, mobile } from '../../lib/serp/google/components.ts';
import { markPage, readPage } from '../../lib/serp/google/reader.ts';
import { type Page, parseHtml } from '../../lib/serp/page.ts';
import { bury, openDeepPage } from './deep-tree.ts';

const root = join(import.meta.dirname, 'google');
const devices: Device[] = ['desktop', 'mobile'];

const cases = devices.flatMap((device) =>
  readdirSync(join(root, device)).map((name) => ({
    name: `${device}/${name}`,
    device,
    html: readFileSync(join(root, device, name, 'page.html'), 'utf8'),
  })),
);

const readTree = (page: Page, device: Device) => {
  markPage(page);
  return readPage(page, device);
};
const read = (html: string, device: Device) => readTree(parseHtml(html), device);

/** The rules that every parsed page meets. */
const expectWellFormed = (parsed: ParsedPage): void => {
  const all = [...parsed.left, ...parsed.right];
  for (const side of [parsed.left, parsed.right]) {
    expect(side.map((item) => item.absolute_position)).toEqual(side.map((_, index) => index + 1));
  }
  for (const [type, items] of Map.groupBy(all, (item) => item.type)) {
    const positions = items.map((item) => item.position);
    expect(positions, type).toEqual(items.map((_, index) => String(index + 1)));
  }
  for (const item of all) {
    expect(item.url === '' || URL.canParse(item.url), item.url).toBe(true);
    expect(item.url).not.toContain(':~:');
    expect(item.url === '' || item.url_resolution !== undefined, item.title).toBe(true);
    const isUntitled = item.type === 'image' || (item.items ?? item.options ?? []).length > 0;
    expect(item.title !== '' || isUntitled, item.type).toBe(true);
    if (item.type === 'organic' || item.type === 'ad') expect(item.domain).toBeTypeOf('string');
  }
};

const goldenOf = (name: string): unknown => JSON.parse(readFileSync(join(root, name, 'golden.json'), 'utf8'));

test.each(cases)('$name gives its golden', ({ name, html, device }) => {
  expect(read(html, device)).toEqual(goldenOf(name));
});

test.each(cases)('$name has a note', ({ name }) => {
  expect(readFileSync(join(root, name, 'note.md'), 'utf8').trim().length).toBeGreaterThan(20);
});

test.each(cases)('$name is well-formed', ({ html, device }) => expectWellFormed(read(html, device)));

const types = [...new Set([...desktop.components, ...mobile.components].map(({ type }) => type))];

test.each(types)('component %s has a case', (type) => {
  expect(existsSync(join(root, 'desktop', type, 'golden.json'))).toBe(true);
});

test.each(types)('component %s is read in its case', (type) => {
  const html = readFileSync(join(root, 'desktop', type, 'page.html'), 'utf8');
  const { left, right } = read(html, 'desktop');

  expect([...left, ...right].map((item) => item.type)).toContain(type);
});

/** Pages as a broken connection or a broken server delivers them. */
const broken: [string, (html: string) => string[]][] = [
  ['cut off', (html) => Array.from({ length: 40 }, (_, n) => html.slice(0, (html.length * n) / 40))],
  ['without end tags', (html) => [html.replace(/<\/\w[^>]*>/g, '')]],
  ['without quotes', (html) => [html.replaceAll('"', '')]],
  ['without attributes', (html) => [html.replace(/<(\w+)[^>]*>/g, '<$1>')]],
  ['in the wrong order', (html) => [html.split('\n').reverse().join('\n')]],
  ['with invalid URLs', (html) => [html.replace(/href="[^"]*"/g, 'href="https://%zz[::"')]],
  ['with a URL that cannot be decoded', (html) => [html.replace(/href="[^"]*"/g, 'href="/url?q=%E0%A4%A"')]],
];

test.each(cases.flatMap((one) => broken.map(([how, breaks]) => ({ ...one, how, breaks }))))(
  '$name $how is read without an error',
  ({ html, device, breaks }) => {
    for (const variant of breaks(html)) expectWellFormed(read(variant, device));
  },
);

test.each(cases)('$name in a very deep tree gives its golden', ({ name, html, device }) => {
  expect(readTree(openDeepPage(html), device)).toEqual(goldenOf(name));
});

test.each(['desktop/organic', 'desktop/top_story', 'desktop/video'])(
  '%s with a very deep tree in its titles gives its golden',
  (name) => {
    const html = readFileSync(join(root, name, 'page.html'), 'utf8');
    const page = openDeepPage(html, (root) => {
      const titles = getElementsByTagName('h3', root);
      expect(titles).not.toEqual([]);
      for (const title of titles) bury(title, 'b');
    });

    expect(readTree(page, 'desktop')).toEqual(goldenOf(name));
  },
);

test('reading does not change the tree: a second reading gives the same', () => {
  const page = parseHtml(cases.map(({ html }) => html).join('\n'));
  const first = readTree(page, 'desktop');

  expect(readTree(page, 'desktop')).toEqual(first);
});
