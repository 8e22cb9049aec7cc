/** Decompresses a response body within a size limit, and detects a truncated stream. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { NetworkError } from './network-error.ts';

type Unpack = (packed: Uint8Array, bounds: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflate = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflate);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflateRaw);
const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip);

/** `deflate` means the zlib format, but some servers send a raw deflate stream. */
const hasZlibHeader = (packed: Uint8Array): boolean => {
  const [method = 0, flags = 0] = packed;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
};

const unpackers = new Map<string, Unpack>([
  ['identity', async (packed) => packed],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (packed, bounds) => (hasZlibHeader(packed) ? inflate : inflateRaw)(packed, bounds)],
  ['br', promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress)],
  ['zstd', promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)],
]);

/** The codings that we accept, for the `accept-encoding` header. */
export const acceptEncoding = 'gzip, deflate, br, zstd';

/** Real servers use at most this many codings. */
const maxCodings = 2;

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Undoes the codings of a `content-encoding` header, the last one first. Throws NetworkError if a coding is
 * unknown or the stream is truncated, broken or too large.
 */
export const unpackBody = async (body: Uint8Array, contentEncoding: string, maxBytes: number) => {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter(Boolean);
  if (codings.length > maxCodings) throw new NetworkError('the page is compressed in too many ways');
  let unpacked = body;
  for (const coding of codings.reverse()) {
    const unpack = unpackers.get(coding);
    if (!unpack) throw new NetworkError('the page is compressed in an unknown way');
    if (unpacked.length === 0) continue;
    try {
      unpacked = await unpack(unpacked, { maxOutputLength: maxBytes });
    } catch (error) {
      throw new NetworkError(
        isTooLarge(error) ? 'the page is too large' : 'the compressed page is cut or broken',
        { cause: error },
      );
    }
  }
  return unpacked;
};
