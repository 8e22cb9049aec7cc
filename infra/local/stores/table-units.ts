/** Counts the read and write units, and the stored bytes, that DynamoDB would bill, by table and index, while dynalite works. */
import { isDeepStrictEqual } from 'node:util';
import layer, { type Layer } from 'dynalite/db/index.js';
import type { Units } from '../../cost/counts.ts';
import { type Item, itemSize, readUnits, writeUnits } from '../../cost/item-size.ts';
import { openProbe } from './dynalite-probe.ts';
import { libraryPatch } from './library-patch.ts';

/** The units of an index when a row changes: none if the entry stays as it is, two writes if the key of the entry changes. */
export const indexUnits = (before: Item | undefined, after: Item | undefined, isSameKey: boolean): number => {
  if (before && after && isSameKey) {
    return JSON.stringify(before) === JSON.stringify(after) ? 0 : writeUnits(before, after);
  }
  return (before ? writeUnits(before) : 0) + (after ? writeUnits(after) : 0);
};

/** Bytes that AWS adds to each stored item. */
const storedOverhead = 100;

/** By how many bytes a write lets the table grow; 0 if it does not. */
const growth = (before: Item | null | undefined, after: Item | null | undefined): number => {
  const size = (item: Item | null | undefined) => (item ? itemSize(item) + storedOverhead : 0);
  return Math.max(0, size(after) - size(before));
};

/** What the work on the probe costs: two puts of which the second moves the index key, a refused put, a read and a query. */
const probeUnits: Units = {
  'write Probe': 3,
  'write Probe/by-shelf': 3,
  'read Probe': 0.5,
  'read Probe/by-shelf': 0.5,
  'stored Probe': 111,
};

/**
 * Counts units from now on, in the object that it returns. Throws if dynalite does not call the functions that count.
 * Upstream replacement: none in 4.0.0. It would be that dynalite answers `ConsumedCapacity` with the units of each index.
 */
export const countUnits = async (target: Layer = layer): Promise<Units> => {
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

  const { addConsumedCapacity, checkConditional, updateIndexes, queryTable } = target;
  target.addConsumedCapacity = (request, isRead, item, other) => {
    if (isRead) {
      add(`read ${request.TableName}`, readUnits(item ? itemSize(item) : 0, request.ConsistentRead === true));
    } else {
      add(`write ${request.TableName}`, writeUnits(item, other));
    }
    return addConsumedCapacity(request, isRead, item, other);
  };
  target.checkConditional = (request, item) => {
    const refusal = checkConditional(request, item);
    // AWS bills a write that its condition refuses like one that succeeds.
    if (refusal) add(`write ${request.TableName}`, writeUnits(item, request.Item));
    return refusal;
  };
  target.updateIndexes = (store, table, before, after, done) => {
    add(`stored ${table.TableName}`, growth(before, after));
    for (const index of table.GlobalSecondaryIndexes ?? []) {
      const entryOf = (row: Item | null | undefined) =>
        row ? target.getIndexActions([index], undefined, row, table).puts[0] : undefined;
      const [old, made] = [entryOf(before), entryOf(after)];
      add(
        `write ${table.TableName}/${index.IndexName}`,
        indexUnits(old?.item, made?.item, old?.key === made?.key),
      );
    }
    updateIndexes(store, table, before, after, done);
  };
  target.queryTable = (store, table, request, options, isLocal, fetches, startKeys, done) =>
    queryTable(store, table, request, options, isLocal, fetches, startKeys, (error, answer) => {
      const bytes = (answer?.Items ?? []).reduce((total, item) => total + itemSize(item), 0);
      const name = request.IndexName ? `${request.TableName}/${request.IndexName}` : request.TableName;
      add(`read ${name}`, readUnits(bytes, request.ConsistentRead === true));
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
