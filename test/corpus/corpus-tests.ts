/**
 * The tests of small invented pages of an engine: one for each component and rule. A person has checked what
 * is read (`golden.json`).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ParsedPage } from '../../lib/model/parsed-page.ts';
import { type Page, parseHtml } from '../../lib/serp/page.ts';
import type { Layout } from '../../lib/serp/walker.ts';
import { openDeepPage } from './deep-tree.ts';

type CorpusEngine = {
  /** The folder of the pages. */
  engine: 'bing' | 'yahoo';
  layout: Layout;
  readPage: (page: Page) => ParsedPage;
  /** A link of the engine's redirects whose target cannot be decoded. */
  brokenRedirect: string;
};

export const testCorpus = ({ engine, layout, readPage, brokenRedirect }: CorpusEngine): void => {
  const root = join(import.meta.dirname, engine);

  const cases = ['desktop', 'mobile'].flatMap((device) =>
    readdirSync(join(root, device)).map((name) => ({
      name: `${device}/${name}`,
      html: readFileSync(join(root, device, name, 'page.html'), 'utf8'),
    })),
  );

  const read = (html: string): ParsedPage => readPage(parseHtml(html));

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
      const mayBeUntitled = item.type === 'image' || item.type === 'ai_overview';
      expect(item.title !== '' || (item.items?.length ?? 0) > 0 || mayBeUntitled, item.type).toBe(true);
      if (item.type === 'organic' || item.type === 'ad') expect(item.domain).toBeTypeOf('string');
    }
  };

  const goldenOf = (name: string): unknown => JSON.parse(readFileSync(join(root, name, 'golden.json'), 'utf8'));

  test.each(cases)('$name gives its golden', ({ name, html }) => {
    expect(read(html)).toEqual(goldenOf(name));
  });

  test.each(cases)('$name has a note', ({ name }) => {
    expect(readFileSync(join(root, name, 'note.md'), 'utf8').trim().length).toBeGreaterThan(20);
  });

  test.each(cases)('$name is well-formed', ({ html }) => expectWellFormed(read(html)));

  const types = [...new Set(layout.components.map(({ type }) => type))];

  test('at least twelve types of results are read', () => {
    expect(types.length).toBeGreaterThanOrEqual(12);
  });

  test.each(types)('component %s has a case in which it is read', (type) => {
    expect(existsSync(join(root, 'desktop', type, 'golden.json'))).toBe(true);
    const { left, right } = read(readFileSync(join(root, 'desktop', type, 'page.html'), 'utf8'));

    expect([...left, ...right].map((item) => item.type)).toContain(type);
  });

  const organicOf = ({ left }: ParsedPage) =>
    left.filter(({ type }) => type === 'organic').map(({ title, url }) => ({ title, url }));

  let seed = 1;
  const anyName = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return `x${seed.toString(36)}`;
  };

  /** Changes of the markup that a new release of the page may bring. */
  const drifts: [string, (html: string) => string][] = [
    ['with other classes', (html) => html.replace(/ class="[^"]*"/g, () => ` class="${anyName()}"`)],
    ['with other ids', (html) => html.replace(/ id="[^"]*"/g, () => ` id="${anyName()}"`)],
    ['with other data attributes', (html) => html.replace(/ data-[\w-]+=/g, () => ` data-${anyName()}=`)],
    [
      'with one more box around each item',
      (html) => html.replace(/<li\b/g, '<div>$&').replaceAll('</li>', '</li></div>'),
    ],
    [
      'with one more box in each item',
      (html) => html.replace(/<li\b[^>]*>/g, '$&<div>').replaceAll('</li>', '</div></li>'),
    ],
  ];

  test.each(cases.flatMap((one) => drifts.map(([how, change]) => ({ ...one, how, change }))))(
    '$name $how gives the same web results',
    ({ html, change }) => {
      expect(organicOf(read(change(html)))).toEqual(organicOf(read(html)));
    },
  );

  /** Pages as a broken connection or a broken server delivers them. */
  const broken: [string, (html: string) => string[]][] = [
    ['cut off', (html) => Array.from({ length: 40 }, (_, n) => html.slice(0, (html.length * n) / 40))],
    ['without end tags', (html) => [html.replace(/<\/\w[^>]*>/g, '')]],
    ['without quotes', (html) => [html.replaceAll('"', '')]],
    ['without attributes', (html) => [html.replace(/<(\w+)[^>]*>/g, '<$1>')]],
    ['in the wrong order', (html) => [html.split('\n').reverse().join('\n')]],
    ['with invalid URLs', (html) => [html.replace(/href="[^"]*"/g, 'href="https://%zz[::"')]],
    [
      'with a redirect that cannot be decoded',
      (html) => [html.replace(/href="[^"]*"/g, `href="${brokenRedirect}"`)],
    ],
  ];

  test.each(cases.flatMap((one) => broken.map(([how, breaks]) => ({ ...one, how, breaks }))))(
    '$name $how is read without an error',
    ({ html, breaks }) => {
      for (const variant of breaks(html)) expectWellFormed(read(variant));
    },
  );

  test.each(cases)('$name in a very deep tree gives its golden', ({ name, html }) => {
    expect(readPage(openDeepPage(html))).toEqual(goldenOf(name));
  });

  test('reading does not change the tree: a second reading gives the same', () => {
    const page = parseHtml(cases.map(({ html }) => html).join('\n'));
    const first = readPage(page);

    expect(readPage(page)).toEqual(first);
  });

  test('pages that are all parsed before the first one is read give the same', () => {
    const pages = cases.map(({ html }) => parseHtml(html));

    expect(pages.map((page) => readPage(page))).toEqual(cases.map(({ name }) => goldenOf(name)));
  });
};
