/**
 * Values of DynamoDB as its JSON protocol writes them, from and to those of the document client: numbers are
 * texts, bytes are base64. What the SDK refuses to write is an error here, too.
 */

export type Wire = Record<string, unknown>;
export type WireItem = Record<string, Wire>;

const setOf = (values: Set<unknown>): Wire => {
  const all = [...values];
  if (all.length === 0) throw new TypeError('DynamoDB has no empty set');
  if (all[0] instanceof Uint8Array)
    return { BS: all.map((bytes) => Buffer.from(bytes as Uint8Array).toString('base64')) };
  return typeof all[0] === 'number' ? { NS: all.map(String) } : { SS: all };
};

/** Whether it is an object of no class. Objects of another context have another `Object`. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const toWire = (value: unknown): Wire => {
  if (value === null) return { NULL: true };
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'boolean':
      return { BOOL: value };
    case 'bigint':
      return { N: value.toString() };
    case 'number':
      if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
        throw new TypeError(`The number ${value} cannot be written`);
      return { N: String(value) };
  }
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (value instanceof Set) return setOf(value);
  if (Array.isArray(value)) return { L: value.filter((it) => it !== undefined).map(toWire) };
  if (typeof value === 'object' && isPlain(value)) return { M: itemToWire(value) };
  throw new TypeError(`DynamoDB has no type for ${Object.prototype.toString.call(value)}`);
};

/** Without the fields that are undefined, as the service's client leaves them out. */
export const itemToWire = (item: object): WireItem => {
  const wire: WireItem = {};
  for (const [name, value] of Object.entries(item)) if (value !== undefined) wire[name] = toWire(value);
  return wire;
};

const fromWire = (wire: Wire): unknown => {
  for (const type in wire) {
    const value = wire[type] as never;
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return Number(value);
      case 'NULL':
        return null;
      case 'B':
        return new Uint8Array(Buffer.from(value, 'base64'));
      case 'L':
        return (value as Wire[]).map(fromWire);
      case 'M':
        return itemFromWire(value);
      case 'SS':
        return new Set(value as string[]);
      case 'NS':
        return new Set((value as string[]).map(Number));
      case 'BS':
        return new Set((value as string[]).map((bytes) => new Uint8Array(Buffer.from(bytes, 'base64'))));
    }
  }
  throw new TypeError(`DynamoDB has no value ${JSON.stringify(wire)}`);
};

export const itemFromWire = (wire: WireItem): Record<string, unknown> => {
  const item: Record<string, unknown> = {};
  for (const name in wire) {
    const value = wire[name];
    if (value !== undefined) item[name] = fromWire(value);
  }
  return item;
};
