/** Decodes the bytes of a page to text, as a browser would. */

const boms: [label: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

/**
 * How many bytes are searched for a `<meta>`. Browsers search 1,024, but some pages have scripts before it.
 */
const metaSearchBytes = 4096;

const labelByBom = (bytes: Uint8Array): string | undefined =>
  boms.find(([, bom]) => bom.every((byte, index) => bytes[index] === byte))?.[0];

const labelByHeader = (contentType: string): string | undefined =>
  /;\s*charset\s*=[\s"']*([^\s"';]+)/i.exec(contentType)?.[1];

/** A text without its comments. A comment without an end extends to the end of the text. */
const withoutComments = (html: string): string => {
  const [first = '', ...others] = html.split('<!--');
  return first + others.map((part) => part.split('-->').slice(1).join('-->')).join('');
};

const inMeta = /^[^>]*?charset\s*=[\s"']*([^\s"'/>;]+)/i;

const labelByMeta = (bytes: Uint8Array): string | undefined => {
  const head = withoutComments(Buffer.from(bytes.subarray(0, metaSearchBytes)).toString('latin1'));
  const [, ...metas] = head.split(/<meta\s/i);
  const label = metas.map((meta) => inMeta.exec(meta)?.[1]).find((found) => found !== undefined);
  // A page whose `<meta>` is readable as single bytes is not UTF-16, whatever the label says.
  return label && /^utf-16/i.test(label) ? 'utf-8' : label;
};

const decoderOf = (label: string | undefined, fatal: boolean) => {
  try {
    return label ? new TextDecoder(label, { fatal }) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** A page without a known label is UTF-8 if its bytes are valid UTF-8, else windows-1252. */
const decodeUnlabelled = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(bytes);
    throw error;
  }
};

/**
 * Uses the label of the byte order mark, the header or the `<meta>`, in this order. Unknown labels are
 * ignored. `fatal`: throws a TypeError if the bytes are not text in the charset of the label; browsers
 * replace such bytes.
 */
export const decodeText = (bytes: Uint8Array, contentType: string, fatal = false): string => {
  const labels = [labelByBom(bytes), labelByHeader(contentType), labelByMeta(bytes)];
  const decoder = labels.map((label) => decoderOf(label, fatal)).find((each) => each !== undefined);
  return decoder ? decoder.decode(bytes) : decodeUnlabelled(bytes);
};
