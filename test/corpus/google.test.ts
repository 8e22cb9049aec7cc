/** Small test pages, one for each component and rule. A person has checked the expected result of each (`golden.json`). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage } from '../../lib/model/result.ts';
import { desktop, mobile } from '../../lib/serp/google/components.ts';
import { readPage } from '../../lib/serp/google/reader.ts';
import { parseHtml } from '../../lib/serp/page.ts';

const root = join(import.meta.dirname, 'google');
const devices: Device[] = ['desktop', 'mobile'];

const cases = devices.flatMap((device) =>
  readdirSync(join(root, device)).map((name) => ({
    name: `${device}/${name}`,
    device,
    html: readFileSync(join(root, device, name, 'page.html'), 'utf8'),
  })),
);

const read = (html: string, device: Device) => readPage(parseHtml(html), device);

/** Checks the rules that hold for the result of any page. */
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
    expect(item.title !== '' || (item.items?.length ?? 0) > 0 || item.type === 'image', item.type).toBe(true);
    if (item.type === 'organic' || item.type === 'ad') expect(item.domain).toBeTypeOf('string');
  }
};

test.each(cases)('$name gives its golden result', ({ name, html, device }) => {
  const golden: unknown = JSON.parse(readFileSync(join(root, name, 'golden.json'), 'utf8'));

  expect(read(html, device)).toEqual(golden);
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

/** Pages as a broken connection or a broken server sends them. */
const broken: [string, (html: string) => string[]][] = [
  ['cut', (html) => Array.from({ length: 40 }, (_, n) => html.slice(0, (html.length * n) / 40))],
  ['without end tags', (html) => [html.replace(/<\/\w[^>]*>/g, '')]],
  ['without quotes', (html) => [html.replaceAll('"', '')]],
  ['without attributes', (html) => [html.replace(/<(\w+)[^>]*>/g, '<$1>')]],
  ['in the wrong order', (html) => [html.split('\n').reverse().join('\n')]],
  ['with invalid addresses', (html) => [html.replace(/href="[^"]*"/g, 'href="https://%zz[::"')]],
  ['with an address that cannot be decoded', (html) => [html.replace(/href="[^"]*"/g, 'href="/url?q=%E0%A4%A"')]],
];

test.each(cases.flatMap((one) => broken.map(([how, breakPage]) => ({ ...one, how, breakPage }))))(
  'reads $name $how without an exception',
  ({ html, device, breakPage }) => {
    for (const variant of breakPage(html)) expectWellFormed(read(variant, device));
  },
);

test('reads a page that is too deep for recursion without an exception', () => {
  const html = cases.map((one) => one.html).join('\n');

  expectWellFormed(read('<div>'.repeat(30_000) + html, 'desktop'));
});

test('does not change the tree: a second reading gives the same result', () => {
  const page = parseHtml(cases.map(({ html }) => html).join('\n'));
  const first = readPage(page, 'desktop');

  expect(readPage(page, 'desktop')).toEqual(first);
});
