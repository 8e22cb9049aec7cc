/** The parts of dynalite that we use; the package brings no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = { path?: string; createTableMs?: number; updateTableMs?: number; deleteTableMs?: number };
  export default function dynalite(options?: Options): Server;
}

/** Its own database layer, as a whole: the server calls these through this very object. */
declare module 'dynalite/db/index.js' {
  type Item = Record<string, Record<string, unknown>>;
  type Request = { TableName: string; IndexName?: string; ConsistentRead?: boolean; Item?: Item };
  type Index = { IndexName: string };
  type Table = { TableName: string; GlobalSecondaryIndexes?: Index[]; LocalSecondaryIndexes?: Index[] };
  type Operation = { type: 'put'; key: string; value: Item } | { type: 'del'; key: string };
  type Done = (error?: unknown) => void;
  export type Store = {
    db: {
      batch: (operations: Operation[], done: Done) => void;
      del: (key: string) => Promise<void>;
      get: (key: string, done: (error: unknown, value?: Item) => void) => void;
      getSync: (key: string) => Item | undefined;
      values: (range: object) => { close: () => Promise<void> };
      iterator: (range: { gte: string; lt: string }) => AsyncIterable<[string, { TableStatus?: string }]>;
    };
  };
  const layer: {
    addConsumedCapacity: (request: Request, isRead: boolean, item: Item | undefined, other?: Item) => unknown;
    checkConditional: (request: Request, item: Item | undefined) => unknown;
    queryTable: (
      store: Store,
      table: Table,
      request: Request,
      options: unknown,
      isLocal: boolean,
      fetches: boolean,
      startKeys: unknown,
      done: (error: unknown, answer?: { Items?: Item[] }) => void,
    ) => void;
    create: (options: object) => Store;
    createKey: (item: Item, table: Table) => string;
    getIndexActions: (
      indexes: Index[],
      before: Item | undefined,
      after: Item | null,
      table: Table,
    ) => { puts: { index: string; key: string; item: Item }[]; deletes: { index: string; key: string }[] };
    updateIndexes: (
      store: Store,
      table: Table,
      before: Item | undefined,
      after: Item | null,
      done: Done,
    ) => void;
  };
  export default layer;
}
