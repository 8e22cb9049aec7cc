/** Counts the read and write units that DynamoDB would bill, table by table and index by index, as dynalite does its work. */
import layer from 'dynalite/db/index.js';
import type { Units } from '../../cost/counts.ts';
import { type Item, itemSize, readUnits, writeUnits } from '../../cost/item-size.ts';

/** What an index costs when a row changes: nothing where its entry stays as it is, two writes where the entry's key moves. */
export const indexUnits = (before: Item | undefined, after: Item | undefined, isSameKey: boolean): number => {
  if (before && after && isSameKey) {
    return JSON.stringify(before) === JSON.stringify(after) ? 0 : writeUnits(before, after);
  }
  return (before ? writeUnits(before) : 0) + (after ? writeUnits(after) : 0);
};

/** Counts from here on; what is answered grows with every request. */
export const countUnits = (): Units => {
  const units: Units = {};
  const add = (what: string, count: number) => {
    if (count > 0) units[what] = (units[what] ?? 0) + count;
  };

  const { addConsumedCapacity, checkConditional, updateIndexes, queryTable } = layer;
  layer.addConsumedCapacity = (request, isRead, item, other) => {
    if (isRead) {
      add(`read ${request.TableName}`, readUnits(item ? itemSize(item) : 0, request.ConsistentRead === true));
    } else {
      add(`write ${request.TableName}`, writeUnits(item, other));
    }
    return addConsumedCapacity(request, isRead, item, other);
  };
  layer.checkConditional = (request, item) => {
    const refusal = checkConditional(request, item);
    // A write that its condition forbids is billed like one that was made.
    if (refusal) add(`write ${request.TableName}`, writeUnits(item, request.Item));
    return refusal;
  };
  layer.updateIndexes = (store, table, before, after, done) => {
    for (const index of table.GlobalSecondaryIndexes ?? []) {
      const entryOf = (row: Item | null | undefined) =>
        row ? layer.getIndexActions([index], undefined, row, table).puts[0] : undefined;
      const [old, made] = [entryOf(before), entryOf(after)];
      add(
        `write ${table.TableName}/${index.IndexName}`,
        indexUnits(old?.item, made?.item, old?.key === made?.key),
      );
    }
    updateIndexes(store, table, before, after, done);
  };
  layer.queryTable = (store, table, request, options, isLocal, fetches, startKeys, done) =>
    queryTable(store, table, request, options, isLocal, fetches, startKeys, (error, answer) => {
      const bytes = (answer?.Items ?? []).reduce((total, item) => total + itemSize(item), 0);
      const name = request.IndexName ? `${request.TableName}/${request.IndexName}` : request.TableName;
      add(`read ${name}`, readUnits(bytes, request.ConsistentRead === true));
      done(error, answer);
    });
  return units;
};
