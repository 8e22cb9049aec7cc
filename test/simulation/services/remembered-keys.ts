/**
 * Keeps the keys that dynalite makes of the attributes of items: it hashes each, and worlds have few
 * different ones.
 */
import type { Layer, Table } from 'dynalite/db/index.js';

type Item = Parameters<Layer['createKey']>[0];
type Schema = Table['KeySchema'];

const mostKeys = 200_000;

const kept = new Map<string, string>();

const remembered = (name: string, make: () => string): string => {
  const known = kept.get(name);
  if (known !== undefined) return known;
  if (kept.size >= mostKeys) kept.clear();
  const made = make();
  kept.set(name, made);
  return made;
};

/** The values of the attributes of a key. Types are not in it: the table has one for each name. */
const valuesOf = (item: Item, schema: Schema): string => {
  let values = '';
  for (const { AttributeName } of schema) {
    const value = item[AttributeName];
    for (const type in value) values += `\n${AttributeName}=${value[type]}`;
  }
  return values;
};

/** Lets dynalite's actions use kept keys. */
export const rememberKeys = (layer: Layer): void => {
  const { createKey, createIndexKey, hashPrefix } = layer;
  layer.createKey = (item, table, schema = table.KeySchema) =>
    remembered(`${table.TableName}${valuesOf(item, schema)}`, () => createKey(item, table, schema));
  layer.createIndexKey = (item, table, schema) =>
    remembered(`${table.TableName} index${valuesOf(item, schema)}${valuesOf(item, table.KeySchema)}`, () =>
      createIndexKey(item, table, schema),
    );
  layer.hashPrefix = (key, type) => remembered(`prefix ${type} ${key}`, () => hashPrefix(key, type));
};
