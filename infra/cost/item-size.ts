/** The size of a DynamoDB item as AWS bills it, and the read and write units for that size. Pure. */

/** A value in the format of the DynamoDB API: `{ S: 'text' }`. */
type Attribute = Record<string, unknown>;
export type Item = Record<string, Attribute>;

const text = (value: unknown): number => Buffer.byteLength(String(value));

/** One byte for each two significant digits, one for the exponent, and one for a minus sign. */
const number = (value: unknown): number => {
  const mantissa = String(value).toLowerCase().split('e')[0] ?? '';
  const digits = mantissa.replace(/[-+.]/g, '').replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (mantissa.startsWith('-') ? 1 : 0);
};

const binary = (value: unknown): number => Buffer.from(String(value), 'base64').byteLength;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isMap = (value: unknown): value is Item => typeof value === 'object' && value !== null;

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);

const sizes: Record<string, (value: unknown) => number> = {
  S: text,
  N: number,
  B: binary,
  SS: (value) => sum(list(value).map(text)),
  NS: (value) => sum(list(value).map(number)),
  BS: (value) => sum(list(value).map(binary)),
  BOOL: () => 1,
  NULL: () => 1,
  // Three bytes for the list or map itself, and one for each of its elements.
  L: (value) => 3 + sum(list(value).map((each) => 1 + (isMap(each) ? attributeSize(each) : 0))),
  M: (value) => 3 + (isMap(value) ? itemSize(value) + Object.keys(value).length : 0),
};

const attributeSize = (attribute: Attribute): number =>
  sum(Object.entries(attribute).map(([type, value]) => sizes[type]?.(value) ?? 0));

/** Bytes of an item: the names and the values of its attributes. */
export const itemSize = (item: Item): number =>
  sum(Object.entries(item).map(([name, attribute]) => text(name) + attributeSize(attribute)));

/**
 * Write units: one for each KB, or part of it, of the larger item before and after the write. At least one.
 */
export const writeUnits = (...items: (Item | null | undefined)[]): number =>
  Math.max(1, ...items.map((item) => (item ? Math.ceil(itemSize(item) / 1024) : 0)));

/**
 * Read units: one for each 4 KB, or part of it, and at least one. Half of that if the read is not strongly
 * consistent.
 */
export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) / (isConsistent ? 1 : 2);
