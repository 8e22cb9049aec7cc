/**
 * A table of dynalite in memory, to check at start that patches of dynalite take effect. It never touches the
 * folder of the tables.
 */
import getItem from 'dynalite/actions/getItem.js';
import putItem from 'dynalite/actions/putItem.js';
import query from 'dynalite/actions/query.js';
import layer, { type Store, type Table } from 'dynalite/db/index.js';

const TableName = 'Probe';
const IndexName = 'by-shelf';

export const probeTable: Table = {
  TableName,
  TableStatus: 'ACTIVE',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'shelf', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName,
      KeySchema: [{ AttributeName: 'shelf', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};

const run = (action: typeof putItem, store: Store, request: object) =>
  new Promise<{ Items?: unknown[] }>((resolve, reject) => {
    action(store, { TableName, ...request }, (error, answer = {}) =>
      error ? reject(error) : resolve(answer),
    );
  });

export type Probe = {
  store: Store;
  /** Writes the table's only row, with this value of its index key. */
  put: (shelf: string) => Promise<unknown>;
  /** Tries a write whose condition is false; rejects. */
  putRefused: () => Promise<unknown>;
  get: () => Promise<unknown>;
  /** The number of index entries with this value. */
  countEntries: (shelf: string) => Promise<number>;
};

/** Makes the store, and in it this table, through the same functions that the server of dynalite uses. */
export const openProbe = async (table: Table = probeTable): Promise<Probe> => {
  const store = layer.create({});
  await new Promise<void>((resolve, reject) => {
    store.tableDb.put(TableName, table, (error) => (error ? reject(error) : resolve()));
  });
  const id = { S: '1' };
  return {
    store,
    put: (shelf) => run(putItem, store, { Item: { id, shelf: { S: shelf } } }),
    putRefused: () => run(putItem, store, { Item: { id }, Expected: { id: { Exists: false } } }),
    get: () => run(getItem, store, { Key: { id } }),
    countEntries: async (shelf) => {
      const condition = { ComparisonOperator: 'EQ', AttributeValueList: [{ S: shelf }] };
      const { Items = [] } = await run(query, store, { IndexName, KeyConditions: { shelf: condition } });
      return Items.length;
    },
  };
};
