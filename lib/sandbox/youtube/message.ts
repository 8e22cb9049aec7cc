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

/** The fields of a message in which all values are numbers or bytes. */
const fieldsOf = (bytes: Buffer): Map<number, number | Buffer> => {
  const fields = new Map<number, number | Buffer>();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 1; at < bytes.length; shift *= 0x80) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const value = readVarint();
    const isBytes = (tag & 7) === wire.bytes;
    fields.set(tag >> 3, isBytes ? bytes.subarray(at, at + value) : value);
    if (isBytes) at += value;
  }
  return fields;
};

/** The fields of a token: the search, and in it the query and the parameter `sp` of the page. */
const tokenFields = { search: 2, query: 2, parameters: 3 };

/** A token for the page of a search that begins after `offset` results. */
export const pageToken = (query: string, offset: number): string => {
  const search = Buffer.concat([
    bytesField(tokenFields.query, query),
    bytesField(tokenFields.parameters, encodeURIComponent(offsetParameter(offset))),
  ]);
  return encodeURIComponent(bytesField(tokenFields.search, search).toString('base64'));
};

const bytesAt = (fields: Map<number, number | Buffer>, field: number): Buffer => {
  const value = fields.get(field);
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};

/** What a token names; null if it is no token of a page. */
export const readToken = (token: string): { query: string; offset: number } | null => {
  const search = bytesAt(fieldsOf(Buffer.from(decodeURIComponent(token), 'base64')), tokenFields.search);
  const fields = fieldsOf(search);
  const query = bytesAt(fields, tokenFields.query).toString();
  const parameters = bytesAt(fields, tokenFields.parameters).toString();
  const offset = readOffset(decodeURIComponent(parameters));
  return query !== '' && offset > 0 ? { query, offset } : null;
};

const offsetParameter = (offset: number): string => numberField(offsetField, offset).toString('base64');

/** The offset in `sp`; 0 if it has none. */
export const readOffset = (sp: string): number => {
  const [tag, ...digits] = Buffer.from(sp, 'base64');
  if (tag !== ((offsetField << 3) | wire.varint)) return 0;
  return digits.reduce((sum, digit, i) => sum + (digit & 0x7f) * 2 ** (7 * i), 0);
};
