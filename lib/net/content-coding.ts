/** Decompresses a response body within a size limit, and detects a truncated stream. */
import zlib from 'node:zlib';
import { NetworkError } from './network-error.ts';

type Unpack = (packed: Uint8Array, maxBytes: number) => Promise<Uint8Array>;

/** What Node's decompressors return with `info`. `bytesWritten`: how much of the input they have read. */
type Unpacked = { buffer: Buffer; engine: { bytesWritten: number } };

type Decompress = (
  packed: Uint8Array,
  options: { maxOutputLength: number; info: true },
  callback: (error: Error | null, unpacked: unknown) => void,
) => void;

const decompressOnce = (decompress: Decompress, packed: Uint8Array, maxOutputLength: number) =>
  new Promise<Unpacked>((resolve, reject) => {
    decompress(packed, { maxOutputLength, info: true }, (error, unpacked) =>
      error ? reject(error) : resolve(unpacked as Unpacked),
    );
  });

/** The service makes a decompressor for each frame: thousands of empty frames would hold the function. */
const maxFrames = 100;

/**
 * Decompresses a body of up to `frames` streams, one after the other. Node ignores what follows the end of
 * the first one, except with gzip: a page of two would be cut.
 */
const unpacker =
  (decompress: Decompress, frames = 1): Unpack =>
  async (packed, maxBytes) => {
    const parts: Buffer[] = [];
    let [rest, bytes] = [packed, 0];
    while (rest.length > 0) {
      if (parts.length === frames) throw new Error('Data follows the end of the stream');
      // Not 0, which Node refuses: an empty frame may follow a page of exactly the limit.
      const { buffer, engine } = await decompressOnce(decompress, rest, Math.max(1, maxBytes - bytes));
      bytes += buffer.length;
      if (bytes > maxBytes) throw new NetworkError('the page is too large');
      parts.push(buffer);
      rest = rest.subarray(engine.bytesWritten);
    }
    return Buffer.concat(parts);
  };

const inflate = unpacker(zlib.inflate);
const inflateRaw = unpacker(zlib.inflateRaw);
const gunzip = unpacker(zlib.gunzip);

/** `deflate` means the zlib format, but some servers send a raw deflate stream. */
const hasZlibHeader = (packed: Uint8Array): boolean => {
  const [method = 0, flags = 0] = packed;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
};

const unpackers = new Map<string, Unpack>([
  ['identity', async (packed) => packed],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (packed, maxBytes) => (hasZlibHeader(packed) ? inflate : inflateRaw)(packed, maxBytes)],
  ['br', unpacker(zlib.brotliDecompress)],
  // RFC 8878, section 3: the content of all frames belongs together, and frames to skip have none.
  ['zstd', unpacker(zlib.zstdDecompress, maxFrames)],
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
      unpacked = await unpack(unpacked, maxBytes);
    } catch (error) {
      if (error instanceof NetworkError) throw error;
      throw new NetworkError(
        isTooLarge(error) ? 'the page is too large' : 'the compressed page is cut or broken',
        { cause: error },
      );
    }
  }
  return unpacked;
};
