/**
 * The file of a stored page: its HTML as gzip (RFC 1952). The targets of the page's hidden links are in the
 * extra field of the header, which browsers and decompressors skip, so they cost no request of their own and
 * expire with the page.
 *
 * A file of several pages is the files of these pages one after another, behind an empty member whose extra
 * field has their numbers and lengths. Each page can be read, or found to be broken, without the others.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, gunzip, gzip, inflateRaw } from 'node:zlib';
import * as v from 'valibot';
import { layouts } from './layouts.ts';

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

/** Puts our subfield into the header of a file that has none. */
const withField = (file: Buffer, content: Buffer): Buffer => {
  const header = Buffer.from(file.subarray(0, headerBytes));
  header.writeUInt8(header.readUInt8(flagsAt) | hasExtraField, flagsAt);
  const field = [lengthOf(content.length + 4), subfield, lengthOf(content.length), content];
  return Buffer.concat([header, ...field, file.subarray(headerBytes)]);
};

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

type Target = [link: string, target: string];

const packTargets = (targets: readonly Target[]): Promise<Buffer> =>
  promisify(deflateRaw)(
    JSON.stringify(Object.fromEntries(targets.map(([link, target]) => [digestOf(link), target]))),
  );

/** As many targets as fit into the header of a file, from the first one on. `packed`: absent if none does. */
const packFitting = async (targets: Targets): Promise<{ kept: Target[]; packed?: Buffer }> => {
  const all = Object.entries(targets);
  let fitting: { kept: Target[]; packed?: Buffer } = { kept: [] };
  let tooMany = all.length + 1;
  for (let tried = all.length; tooMany - fitting.kept.length > 1; ) {
    const kept = all.slice(0, tried);
    const packed = await packTargets(kept);
    if (packed.length <= mostBytes) fitting = { kept, packed };
    else tooMany = tried;
    tried = Math.floor((fitting.kept.length + tooMany) / 2);
  }
  return fitting;
};

/**
 * Packs a page, as UTF-8, with the targets of its links. More targets than fit into the header are left out.
 */
export const packPage = async (html: string, targets: Targets = {}): Promise<Buffer> => {
  const page = await promisify(gzip)(html);
  const { packed } = await packFitting(targets);
  return packed ? withField(page, packed) : page;
};

/** The content of our subfield, or undefined if the file has none. */
const readField = (file: Buffer): Buffer | undefined => {
  if (!(file.readUInt8(flagsAt) & hasExtraField)) return undefined;
  const begin = headerBytes + 6;
  return file.subarray(begin, begin + file.readUInt16LE(begin - 2));
};

/** The headers with which S3 stores the file of a page, or of several. */
export const pageHeaders = {
  ContentType: 'text/html; charset=utf-8',
  ContentEncoding: 'gzip',
  // Untrusted HTML: it is a download, so that its scripts never run on the bucket's origin.
  ContentDisposition: 'attachment; filename="page.html"',
  Metadata: { version: String(layouts['stored page'].rowVersion) },
} as const;

/** Unpacks the file of a page. Rejects if it is not gzip. */
export const unpackPage = async (bytes: Uint8Array): Promise<StoredPage> => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const html = (await promisify(gunzip)(file)).toString('utf8');
  const field = readField(file);
  if (!field) return { html };
  const targets: Targets = JSON.parse((await promisify(inflateRaw)(field)).toString('utf8'));
  return { html, find: (link) => targets[digestOf(link)] };
};

/** A page as `unpackPage` returns it from the file that `packPage` makes. */
export const pageWith = async (html: string, targets: Targets = {}): Promise<StoredPage> => {
  const { kept } = await packFitting(targets);
  const known = new Map(kept);
  return known.size === 0 ? { html } : { html, find: (link) => known.get(link) };
};

/** Bytes of an empty member without its extra field. */
const emptyBytes = 20;

const Sizes = v.array(v.tuple([v.number(), v.number()]));

/** Packs the files of several pages, by their numbers, into one. */
export const joinPages = async (files: ReadonlyMap<number, Buffer>): Promise<Buffer> => {
  const sizes: v.InferOutput<typeof Sizes> = [...files].map(([page, file]) => [page, file.length]);
  const head = withField(await promisify(gzip)(''), Buffer.from(JSON.stringify(sizes)));
  return Buffer.concat([head, ...files.values()]);
};

/** The file of one page in a file of several; undefined if it does not contain the page. */
export const pageIn = (bytes: Uint8Array, number: number): Uint8Array | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = readField(file);
  if (!field) throw new Error('The file of several pages does not begin with their numbers');
  let begin = emptyBytes + 2 + 4 + field.length;
  for (const [page, length] of v.parse(Sizes, JSON.parse(field.toString('utf8')))) {
    if (page === number) return file.subarray(begin, begin + length);
    begin += length;
  }
  return undefined;
};
