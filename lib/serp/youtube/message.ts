/** Protobuf messages in the engine's parameters and tokens: which page, which filter, which query. */

/** The fields of a message by number. A repeated field keeps its first value. */
export type Message = Map<number, number | Buffer>;

const wire = { varint: 0, bytes: 2 };

/** Numbers beyond 2^53 lose their last digits. No field that is read here has such a number. */
const readVarint = (bytes: Buffer, from: number): { value: number; next: number } | null => {
  let value = 0;
  for (let at = from; at < bytes.length && at < from + 10; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, next: at + 1 };
  }
  return null;
};

/** The fields up to the first one of another wire type, or up to the first error. */
export const readMessage = (bytes: Buffer): Message => {
  const fields: Message = new Map();
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    const first = tag && readVarint(bytes, tag.next);
    if (!first) return fields;
    const [field, type] = [Math.floor(tag.value / 8), tag.value % 8];
    const isBytes = type === wire.bytes;
    const end = isBytes ? first.next + first.value : first.next;
    if ((!isBytes && type !== wire.varint) || end > bytes.length) return fields;
    if (!fields.has(field)) fields.set(field, isBytes ? bytes.subarray(first.next, end) : first.value);
    at = end;
  }
  return fields;
};

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads base64 or base64url, percent-encoded up to twice, as the engine writes it in URLs. */
export const decodeMessage = (text: string): Message =>
  readMessage(Buffer.from(percentDecoded(percentDecoded(text)), 'base64'));

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];

/** A message with one number, in base64. */
export const encodeNumber = (field: number, value: number): string =>
  Buffer.from([...varint((field << 3) | wire.varint), ...varint(value)]).toString('base64');

export const numberIn = (message: Message, field: number): number | undefined => {
  const value = message.get(field);
  return typeof value === 'number' ? value : undefined;
};

export const bytesIn = (message: Message, field: number): Buffer | undefined => {
  const value = message.get(field);
  return typeof value === 'object' ? value : undefined;
};

/** The fields of the parameter `sp` of a search, which is also a part of the tokens for further pages. */
export const searchFields = { filter: 2, offset: 9 };
