/**
 * The file of a stored page: its HTML as gzip (RFC 1952). The targets of the page's hidden links are in the
 * extra field of the header, which browsers and decompressors skip, so they cost no request of their own and
 * expire with the page.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, gunzip, gzip, inflateRaw } from 'node:zlib';

export type Targets = Readonly<Record<string, string>>;

export type StoredPage = {
  html: string;
  /** Gives the target of a hidden link, or undefined if it is unknown. Absent if no target is stored. */
  find?: (link: string) => string | undefined;
};

/** The fixed part of a header. zlib writes no optional part. */
const headerBytes = 10;
const flagsAt = 3;
const hasExtraField = 4;

/** The id of our subfield of the extra field: two letters. */
const subfield = Buffer.from('lt');

/** The extra field has at most 65,535 bytes, 4 of which begin the subfield. */
const mostBytes = 65_531;

/**
 * Links do not compress, so their digests are stored. 48 bits are enough: at most a hundred links of a page
 * are looked up.
 */
const digestOf = (link: string): string => createHash('sha256').update(link).digest('base64url').slice(0, 8);

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(bytes);
  return length;
};

/**
 * Packs a page, as UTF-8, with the targets of its links. More targets than fit into the header are left out.
 */
export const packPage = async (html: string, targets: Targets = {}): Promise<Buffer> => {
  const page = await promisify(gzip)(html);
  const digested = Object.entries(targets).map(([link, target]) => [digestOf(link), target] as const);
  if (digested.length === 0) return page;
  const packed = await promisify(deflateRaw)(JSON.stringify(Object.fromEntries(digested)));
  if (packed.length > mostBytes)
    return packPage(html, Object.fromEntries(Object.entries(targets).slice(0, -1)));
  const header = Buffer.from(page.subarray(0, headerBytes));
  header.writeUInt8(header.readUInt8(flagsAt) | hasExtraField, flagsAt);
  const field = [lengthOf(packed.length + 4), subfield, lengthOf(packed.length), packed];
  return Buffer.concat([header, ...field, page.subarray(headerBytes)]);
};

/** The content of our subfield, or undefined if the file has none. */
const readField = (file: Buffer): Buffer | undefined => {
  if (!(file.readUInt8(flagsAt) & hasExtraField)) return undefined;
  const begin = headerBytes + 6;
  return file.subarray(begin, begin + file.readUInt16LE(begin - 2));
};

/** Unpacks the file of a page. Rejects if it is not gzip. */
export const unpackPage = async (bytes: Uint8Array): Promise<StoredPage> => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const html = (await promisify(gunzip)(file)).toString('utf8');
  const field = readField(file);
  if (!field) return { html };
  const targets: Targets = JSON.parse((await promisify(inflateRaw)(field)).toString('utf8'));
  return { html, find: (link) => targets[digestOf(link)] };
};
