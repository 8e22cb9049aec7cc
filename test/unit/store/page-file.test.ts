import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { joinPages, packPage, pageIn, pageWith, unpackPage } from '../../../lib/store/page-file.ts';

const html = '<!doctype html><p>grüner Tee ☕ 茶</p>';
const targets = Object.fromEntries(
  Array.from({ length: 100 }, (_, n) => [
    `https://www.google.com/goto?url=${'x'.repeat(n)}${n}`,
    `https://site-${n}.example/tea?n=${n}#ü`,
  ]),
);

/** Does not become much shorter when it is packed. */
const random = (n: number): string =>
  Array.from({ length: 200 }, (_, at) => Math.imul(n * 200 + at + 1, 0x9e3779b1).toString(36)).join('');

/** More than fit into a file. */
const long = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`link${n}`, random(n)]));

describe('a page with targets', () => {
  test('gives the target of each link, and none of another link', async () => {
    const { html: read, find } = await unpackPage(await packPage(html, targets));

    expect(read).toBe(html);
    expect(Object.keys(targets).map((link) => find?.(link))).toEqual(Object.values(targets));
    expect(find?.('https://www.google.com/goto?url=another')).toBeUndefined();
  });

  test('is plain gzip to every other reader', async () => {
    expect(gunzipSync(await packPage(html, targets)).toString('utf8')).toBe(html);
  });

  test('keeps the first targets, as many as fit', async () => {
    const { html: read, find } = await unpackPage(await packPage(html, long));

    expect(read).toBe(html);
    const kept = Object.keys(long).findIndex((link) => find?.(link) === undefined);
    expect(kept).toBeGreaterThan(50);
    const targetsOf = (links: string[]) => links.map((link) => find?.(link));
    expect(targetsOf(Object.keys(long).slice(0, kept))).toEqual(Object.values(long).slice(0, kept));
    expect(targetsOf(Object.keys(long).slice(kept)).filter(Boolean)).toEqual([]);
    const more = Object.fromEntries(Object.entries(long).slice(0, kept + 1));
    expect((await unpackPage(await packPage(html, more))).find?.(`link${kept}`)).toBeUndefined();
  });

  test('has none if the first one does not fit', async () => {
    const tooLong = { link: Object.values(long).join('') };
    expect(await unpackPage(await packPage(html, tooLong))).toEqual({ html });
    expect(await pageWith(html, tooLong)).toEqual({ html });
  });
});

describe('a page in memory', () => {
  test.each([
    ['all fit', targets],
    ['not all fit', long],
  ])('is the page that its file gives, if of its targets %s', async (_, given) => {
    const unpacked = await unpackPage(await packPage(html, given));
    const { html: same, find } = await pageWith(html, given);

    expect(same).toBe(html);
    const links = [...Object.keys(given), 'https://www.google.com/goto?url=another', 'constructor'];
    expect(links.map((link) => find?.(link))).toEqual(links.map((link) => unpacked.find?.(link)));
  });

  test.each([[{}], [undefined]])('has no targets if there are none: %j', async (none) => {
    expect(await pageWith(html, none)).toEqual({ html });
    expect(await unpackPage(await packPage(html, none))).toEqual({ html });
  });
});

test('a page without targets has no extra field', async () => {
  const file = await packPage(html);

  expect(file.readUInt8(3)).toBe(0);
  expect(await unpackPage(file)).toEqual({ html });
});

test('rejects a file that is not gzip', async () => {
  await expect(unpackPage(Buffer.from('<p>plain</p>'))).rejects.toThrow('incorrect header check');
});

describe('a file of several pages', () => {
  test('has each page with its targets, and none of another number', async () => {
    const file = await joinPages(
      new Map([
        [2, await packPage(html, targets)],
        [10, await packPage('<p>the tenth</p>')],
      ]),
    );

    const second = await unpackPage(pageIn(file, 2) ?? Buffer.alloc(0));
    expect(second.html).toBe(html);
    expect(Object.keys(targets).map((link) => second.find?.(link))).toEqual(Object.values(targets));
    expect(await unpackPage(pageIn(file, 10) ?? Buffer.alloc(0))).toEqual({ html: '<p>the tenth</p>' });
    expect(pageIn(file, 3)).toBeUndefined();
    // To every other reader it is gzip, with one page after another.
    expect(gunzipSync(file).toString('utf8')).toBe(`${html}<p>the tenth</p>`);
  });

  test('is not the file of one page', async () => {
    const file = await packPage(html);

    expect(() => pageIn(file, 2)).toThrow('does not begin with their numbers');
  });
});
