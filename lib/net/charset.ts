/** From the bytes of a page to its text, as a browser would read it. */

const boms: [label: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

/** How far into the page a `<meta>` is looked for; browsers look at 1,024 bytes, pages put scripts ahead of it. */
const metaWindow = 4096;

const labelByBom = (bytes: Uint8Array): string | undefined =>
  boms.find(([, bom]) => bom.every((byte, index) => bytes[index] === byte))?.[0];

const labelByHeader = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1];

const labelByMeta = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, metaWindow))
    .toString('latin1')
    .replace(/<!--.*?-->/gs, '');
  const label = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1];
  // A page whose meta could be read byte by byte is not UTF-16, whatever it says.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
};

const decoderOf = (label: string | undefined) => {
  try {
    return label ? new TextDecoder(label) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Pages that say nothing are UTF-8, or else from the time before. */
const guess = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(bytes);
    throw error;
  }
};

/** Byte order mark, header, `<meta>`, in this order; a label that nobody knows counts as none. */
export const decodeText = (bytes: Uint8Array, contentType: string): string => {
  const decoder =
    decoderOf(labelByBom(bytes)) ?? decoderOf(labelByHeader(contentType)) ?? decoderOf(labelByMeta(bytes));
  return decoder ? decoder.decode(bytes) : guess(bytes);
};
