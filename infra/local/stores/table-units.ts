/**
 * Counts the read and write units, and the stored bytes, that DynamoDB would bill, by table and index, while
 * dynalite works.
 */
import { isDeepStrictEqual } from 'node:util';
import layer, { type Layer } from 'dynalite/db/index.js';
import type { Units } from '../../cost/counts.ts';
import { type Item, itemSize, readUnits, writeUnits } from '../../cost/item-size.ts';
import { openProbe } from './dynalite-probe.ts';
import { libraryPatch } from './library-patch.ts';

/** Bytes that AWS adds to each stored item. */
const storedOverhead = 100;

/** By how many bytes a write lets the table grow; 0 if it does not. */
const growth = (before: Item | null | undefined, after: Item | null | undefined): number => {
  const size = (item: Item | null | undefined) => (item ? itemSize(item) + storedOverhead : 0);
  return Math.max(0, size(after) - size(before));
};

/**
 * What the work on the probe costs: two puts of which the second moves the index key, a refused put, a read
 * and a query.
 */
const probeUnits: Units = {
  'write Probe': 3,
  'write Probe/by-shelf': 3,
  'read Probe': 0.5,
  'read Probe/by-shelf': 0.5,
  'stored Probe': 111,
};

/**
 * Counts units from now on, in the object that it returns. `partitionKeys` has the key attribute of each
 * table and index (`Tasks/unfinished`) whose partitions are counted one by one: `write Tasks 7#3`. Throws if
 * dynalite does not call the functions that count. Upstream replacement: none in 4.0.0. It would be that
 * dynalite answers `ConsumedCapacity` with the units of each index.
 */
export const countUnits = async (
  target: Layer = layer,
  partitionKeys: Record<string, string> = {},
): Promise<Units> => {
  const { failure, requireFunctions } = libraryPatch('dynalite', 'count read and write units');
  requireFunctions(target, [
    'addConsumedCapacity',
    'checkConditional',
    'updateIndexes',
    'queryTable',
    'getIndexActions',
  ]);
  let units: Units = {};
  const add = (what: string, count: number) => {
    if (count > 0) units[what] = (units[what] ?? 0) + count;
  };

  /** The table or index, and the partition if its partitions are counted. */
  const nameOf = (store: string, key: Item | undefined): string => {
    const partition = key?.[partitionKeys[store] ?? ''];
    return partition ? `${store} ${Object.values(partition)[0]}` : store;
  };

  const { addConsumedCapacity, checkConditional, updateIndexes, queryTable } = target;
  target.addConsumedCapacity = (request, isRead, item, other) => {
    const name = nameOf(request.TableName, request.Key ?? request.Item);
    if (isRead) add(`read ${name}`, readUnits(item ? itemSize(item) : 0, request.ConsistentRead === true));
    else add(`write ${name}`, writeUnits(item, other));
    return addConsumedCapacity(request, isRead, item, other);
  };
  target.checkConditional = (request, item) => {
    const refusal = checkConditional(request, item);
    // AWS bills a write that its condition refuses like one that succeeds.
    const name = nameOf(request.TableName, request.Key ?? request.Item);
    if (refusal) add(`write ${name}`, writeUnits(item, request.Item));
    return refusal;
  };
  target.updateIndexes = (store, table, before, after, done) => {
    add(`stored ${table.TableName}`, growth(before, after));
    for (const index of table.GlobalSecondaryIndexes ?? []) {
      const entryOf = (row: Item | null | undefined) =>
        row ? target.getIndexActions([index], undefined, row, table).puts[0] : undefined;
      const [old, made] = [entryOf(before), entryOf(after)];
      const name = (entry: Item | undefined) =>
        `write ${nameOf(`${table.TableName}/${index.IndexName}`, entry)}`;
      if (old && old.key === made?.key) {
        // An entry that stays as it is costs nothing.
        const isSame = JSON.stringify(old.item) === JSON.stringify(made.item);
        if (!isSame) add(name(old.item), writeUnits(old.item, made.item));
      } else {
        // A new key is two writes, which may be in different partitions.
        if (old) add(name(old.item), writeUnits(old.item));
        if (made) add(name(made.item), writeUnits(made.item));
      }
    }
    updateIndexes(store, table, before, after, done);
  };
  target.queryTable = (store, table, request, options, isLocal, fetches, startKeys, done) =>
    queryTable(store, table, request, options, isLocal, fetches, startKeys, (error, answer) => {
      const bytes = (answer?.Items ?? []).reduce((total, item) => total + itemSize(item), 0);
      const name = request.IndexName ? `${request.TableName}/${request.IndexName}` : request.TableName;
      const key = Object.fromEntries(
        Object.entries(request.KeyConditions ?? {}).map(
          ([
            attribute,
            {
              AttributeValueList: [value = {}],
            },
          ]) => [attribute, value],
        ),
      );
      add(`read ${nameOf(name, key)}`, readUnits(bytes, request.ConsistentRead === true));
      done(error, answer);
    });

  const probe = await openProbe();
  await probe.put('old');
  await probe.put('new');
  await probe.putRefused().catch(() => undefined);
  await probe.get();
  await probe.countEntries('new');
  if (!isDeepStrictEqual(units, probeUnits)) throw failure(`the probe counts ${JSON.stringify(units)}`);
  units = {};
  return units;
};
