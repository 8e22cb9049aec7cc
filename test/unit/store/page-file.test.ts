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

  test('keeps the first targets if not all of them fit', async () => {
    const random = (n: number) =>
      Array.from({ length: 200 }, (_, at) => Math.imul(n * 200 + at + 1, 0x9e3779b1).toString(36)).join('');
    const long = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`link${n}`, random(n)]));
    const { html: read, find } = await unpackPage(await packPage(html, long));

    expect(read).toBe(html);
    expect(find?.('link0')).toBe(long.link0);
    expect(find?.('link99')).toBeUndefined();
  });
});

describe('a page in memory', () => {
  test('is the page that its file gives', async () => {
    const unpacked = await unpackPage(await packPage(html, targets));
    const { html: same, find } = pageWith(html, targets);

    expect(same).toBe(html);
    const links = [...Object.keys(targets), 'https://www.google.com/goto?url=another', 'constructor'];
    expect(links.map((link) => find?.(link))).toEqual(links.map((link) => unpacked.find?.(link)));
  });

  test.each([[{}], [undefined]])('has no targets if there are none: %j', async (none) => {
    expect(pageWith(html, none)).toEqual({ html });
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
