/** Bodies unpacked, and what is refused. */
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptEncoding, unpackBody } from '../../../lib/net/content-coding.ts';

// Hardly compressible, so that there are many places to cut.
const noise = Array.from({ length: 600 }, (_, n) => ((n * 2654435761) >>> 0).toString(36)).join(' ');
const page = Buffer.from(`<html><p>${noise}</p></html>`);
const cap = 100_000;

const packers: [coding: string, pack: (bytes: Buffer) => Buffer][] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
];

describe.each(packers)('%s', (coding, pack) => {
  const packed = pack(page);

  test('is unpacked', async () => {
    expect(await unpackBody(packed, coding.toUpperCase(), cap)).toEqual(page);
  });

  test('cut anywhere is no page', async () => {
    const cuts = Array.from({ length: 50 }, (_, n) => Math.ceil(((n + 1) * (packed.length - 1)) / 50));
    for (const cut of cuts) {
      await expect(unpackBody(packed.subarray(0, cut), coding, cap)).rejects.toThrow('cut or broken');
    }
  });

  test('that unpacks beyond the cap is cut off', async () => {
    const bomb = pack(Buffer.alloc(8 * 1024 * 1024));
    await expect(unpackBody(bomb, coding, cap)).rejects.toThrow('too large');
  });

  test('exactly at the cap is a page', async () => {
    expect(await unpackBody(packed, coding, page.length)).toEqual(page);
    await expect(unpackBody(packed, coding, page.length - 1)).rejects.toThrow('too large');
  });

  test('around an empty body is empty', async () => {
    expect(await unpackBody(Buffer.alloc(0), coding, cap)).toHaveLength(0);
  });
});

test('takes off two codings, the last first', async () => {
  const packed = zlib.brotliCompressSync(zlib.gzipSync(page));
  expect(await unpackBody(packed, 'gzip, br', cap)).toEqual(page);
});

test.each([
  ['compress', 'unknown way'],
  ['gzip, aes128', 'unknown way'],
  ['toString', 'unknown way'],
  ['gzip, gzip, gzip', 'too many ways'],
])('refuses %j', async (coding, reason) => {
  await expect(unpackBody(page, coding, cap)).rejects.toThrow(reason);
});

test.each(['', 'identity'])('leaves a body of coding %j as it is', async (coding) => {
  expect(await unpackBody(page, coding, cap)).toEqual(page);
});

test('every coding that is asked for is understood', async () => {
  const known = packers.map(([coding]) => coding);
  for (const coding of acceptEncoding.split(', ')) expect(known).toContain(coding);
});
