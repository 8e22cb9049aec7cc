/** The parts of dynalite that the embedded stack uses. The package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = { path?: string; createTableMs?: number; updateTableMs?: number; deleteTableMs?: number };
  export default function dynalite(options?: Options): Server;
}

/** dynalite's database layer. Its actions call these functions as members of this object. */
declare module 'dynalite/db/index.js' {
  import type { Readable } from 'node:stream';

  type Item = Record<string, Record<string, unknown>>;
  type Request = {
    TableName: string;
    IndexName?: string;
    ConsistentRead?: boolean;
    Item?: Item;
    Key?: Item;
    KeyConditions?: Record<string, { AttributeValueList: Record<string, unknown>[] }>;
  };
  type Key = { AttributeName: string; KeyType: 'HASH' | 'RANGE' };
  type Index = { IndexName: string; KeySchema: Key[]; Projection: { ProjectionType: string } };
  export type Table = {
    TableName: string;
    TableStatus: string;
    KeySchema: Key[];
    AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
    GlobalSecondaryIndexes?: Index[];
    LocalSecondaryIndexes?: Index[];
  };
  type Operation = { type: 'put'; key: string; value: Item } | { type: 'del'; key: string };
  type Done = (error?: unknown) => void;
  export type Store = {
    db: {
      open: () => Promise<void>;
      /** `_original` closes the database only. The wrapper also marks it as closed for good. */
      close: { _original: () => Promise<void> };
      put: (key: string, value: Item, done: Done) => void;
      batch: (operations: Operation[], done: Done) => void;
      del: (key: string, done?: Done) => Promise<void>;
      get: (key: string, done: (error: unknown, value?: Item) => void) => void;
      getSync: (key: string) => Item | undefined;
      keys: () => AsyncIterable<string>;
      values: (range: object) => { close: () => Promise<void> };
      iterator: (range: { gte: string; lt: string }) => AsyncIterable<[string, { TableStatus?: string }]>;
    };
    tableDb: {
      get: (name: string, done: (error: unknown, table?: Table) => void) => void;
      put: (name: string, table: Table, done: Done) => void;
      del: (name: string, done: Done) => void;
    };
    getItemDb: (tableName: string) => { createValueStream: (range: object) => Readable };
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
    createKey: (item: Item, table: Table, keySchema?: Key[]) => string;
    createIndexKey: (item: Item, table: Table, keySchema: Key[]) => string;
    hashPrefix: (key: string, type: string) => string;
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
  export type Layer = typeof layer;
  export default layer;
}

declare module 'dynalite/db/conditionParser.js' {
  /** A value as DynamoDB writes it: its type, and the value. */
  export type Value = Record<string, unknown>;
  /** The names and values of a request, and those that no expression of it has used yet. */
  export type Context = {
    attrNames?: Record<string, string>;
    attrVals?: Record<string, Value>;
    unusedAttrNames: Record<string, unknown>;
    unusedAttrVals: Record<string, unknown>;
    compare: (comparison: 'GT', a: Value | undefined, b: Value | undefined) => boolean;
  };
  const parser: {
    /** Returns the parsed condition, or why it is not valid. Throws if its syntax is not valid. */
    parse: (text: string, options: { context: Context }) => unknown;
  };
  export type ConditionParser = typeof parser;
  export default parser;
}

declare module 'dynalite/validations/index.js' {
  type Check = (...input: unknown[]) => unknown;
  const validations: {
    checkTypes: Check;
    checkValidations: Check;
  };
  export type Validations = typeof validations;
  export default validations;
}

declare module 'dynalite/actions/*.js' {
  import type { Store } from 'dynalite/db/index.js';

  /** What the server calls for a request that is valid. */
  export default function action(
    store: Store,
    request: object,
    done: (error: unknown, answer?: { Items?: unknown[] }) => void,
  ): void;
}
