/** Protobuf messages in the engine's parameters and tokens: which page, which query, which time. */

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];

const wire = { varint: 0, bytes: 2 };

export const numberField = (field: number, value: number): Buffer =>
  Buffer.from([...varint((field << 3) | wire.varint), ...varint(value)]);

export const bytesField = (field: number, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint((field << 3) | wire.bytes), ...varint(bytes.length)]), bytes]);
};

/** The field of `sp` with the number of results before the page. */
const offsetField = 9;

export const offsetParameter = (offset: number): string =>
  numberField(offsetField, offset).toString('base64');

/** The offset in `sp`; 0 if it has none. */
export const readOffset = (sp: string): number => {
  const [tag, ...digits] = Buffer.from(sp, 'base64');
  if (tag !== ((offsetField << 3) | wire.varint)) return 0;
  return digits.reduce((sum, digit, i) => sum + (digit & 0x7f) * 2 ** (7 * i), 0);
};
