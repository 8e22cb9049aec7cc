/** Decompression of response bodies, and its refusals. */
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptEncoding, unpackBody } from '../../../lib/net/content-coding.ts';

// Compresses badly, so that there are many places to cut.
const noise = Array.from({ length: 600 }, (_, n) => ((n * 2654435761) >>> 0).toString(36)).join(' ');
const page = Buffer.from(`<html><p>${noise}</p></html>`);
const maxBytes = 100_000;

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

  test('is decompressed', async () => {
    expect(await unpackBody(packed, coding.toUpperCase(), maxBytes)).toEqual(page);
  });

  test('is refused if it is cut anywhere', async () => {
    const cuts = Array.from({ length: 50 }, (_, n) => Math.ceil(((n + 1) * (packed.length - 1)) / 50));
    for (const cut of cuts) {
      await expect(unpackBody(packed.subarray(0, cut), coding, maxBytes)).rejects.toThrow('cut or broken');
    }
  });

  test('is refused if it decompresses to more than the limit', async () => {
    const bomb = pack(Buffer.alloc(8 * 1024 * 1024));
    await expect(unpackBody(bomb, coding, maxBytes)).rejects.toThrow('too large');
  });

  test('is accepted at exactly the limit', async () => {
    expect(await unpackBody(packed, coding, page.length)).toEqual(page);
    await expect(unpackBody(packed, coding, page.length - 1)).rejects.toThrow('too large');
  });

  test('gives an empty body for an empty body', async () => {
    expect(await unpackBody(Buffer.alloc(0), coding, maxBytes)).toHaveLength(0);
  });
});

describe('a body of several streams', () => {
  const halves = [page.subarray(0, 2000), page.subarray(2000)];
  const skipped = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), Buffer.from('left')]);

  test.each<[string, string, Buffer[]]>([
    ['members of gzip', 'gzip', halves.map((half) => zlib.gzipSync(half))],
    ['frames of zstd', 'zstd', halves.map((half) => zlib.zstdCompressSync(half))],
    ['a frame to skip', 'zstd', [skipped, zlib.zstdCompressSync(page)]],
    ['a frame to skip at the end', 'zstd', [zlib.zstdCompressSync(page), skipped]],
    ['an empty frame', 'zstd', [zlib.zstdCompressSync(''), zlib.zstdCompressSync(page)]],
  ])('of %s is the whole page', async (_, coding, streams) => {
    expect(await unpackBody(Buffer.concat(streams), coding, page.length)).toEqual(page);
    await expect(unpackBody(Buffer.concat(streams), coding, page.length - 1)).rejects.toThrow('too large');
  });

  test('of frames is refused if the last one is cut', async () => {
    const packed = Buffer.concat(halves.map((half) => zlib.zstdCompressSync(half)));
    await expect(unpackBody(packed.subarray(0, -1), 'zstd', maxBytes)).rejects.toThrow('cut or broken');
  });

  test('of a thousand frames is refused', async () => {
    const packed = Buffer.concat(Array.from({ length: 1000 }, () => skipped));
    await expect(unpackBody(packed, 'zstd', maxBytes)).rejects.toThrow('cut or broken');
  });

  test.each(packers)('%s is refused if something else follows its end', async (coding, pack) => {
    const packed = Buffer.concat([pack(page), Buffer.from('more')]);
    await expect(unpackBody(packed, coding, maxBytes)).rejects.toThrow('cut or broken');
  });

  test.each([
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
  ] as const)('of %s is refused: the format has one', async (coding, pack) => {
    const packed = Buffer.concat(halves.map((half) => pack(half)));
    await expect(unpackBody(packed, coding, maxBytes)).rejects.toThrow('cut or broken');
  });
});

/** A stored block of a raw deflate stream. `first`: its first byte, with bits that decoders ignore. */
const storedBlock = (first: number, text: string): Buffer => {
  const head = Buffer.from([first, text.length, 0, ~text.length & 255, 255]);
  return Buffer.concat([head, Buffer.from(text)]);
};

test.each<[string, Buffer, string]>([
  // 0x0117 can be divided by 31, as the first two bytes of the zlib format can.
  ['by its method', storedBlock(0x01, 'a'.repeat(23)), 'a'.repeat(23)],
  // The low half of 0x08 is the method of the zlib format.
  ['by its check', Buffer.concat([storedBlock(0x08, 'ab'), storedBlock(0x01, 'c')]), 'abc'],
])('distinguishes a raw deflate stream from the zlib format %s', async (_, packed, text) => {
  expect(String(await unpackBody(packed, 'deflate', maxBytes))).toBe(text);
});

test('keeps the error of the decompressor as the cause', async () => {
  await expect(unpackBody(page, 'gzip', maxBytes)).rejects.toMatchObject({
    cause: expect.objectContaining({ code: 'Z_DATA_ERROR' }),
  });
});

test('decodes two codings, the last one first', async () => {
  const packed = zlib.brotliCompressSync(zlib.gzipSync(page));
  expect(await unpackBody(packed, 'gzip, br', maxBytes)).toEqual(page);
});

test.each([
  ['compress', 'unknown way'],
  ['gzip, aes128', 'unknown way'],
  ['toString', 'unknown way'],
  ['constructor', 'unknown way'],
  ['gzip, gzip, gzip', 'too many ways'],
])('refuses %j', async (coding, reason) => {
  await expect(unpackBody(page, coding, maxBytes)).rejects.toThrow(reason);
});

test.each(['', 'identity'])('returns a body with the coding %j unchanged', async (coding) => {
  expect(await unpackBody(page, coding, maxBytes)).toEqual(page);
});

test('supports every coding of accept-encoding', async () => {
  const known = packers.map(([coding]) => coding);
  for (const coding of acceptEncoding.split(', ')) expect(known).toContain(coding);
});
