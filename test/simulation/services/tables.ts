/**
 * DynamoDB in this process and this thread. dynalite's own code reads and evaluates the requests (keys,
 * conditions, updates, filters, projections); only its store and the walk through a query are ours.
 */

import deleteItem from 'dynalite/actions/deleteItem.js';
import getItem from 'dynalite/actions/getItem.js';
import putItem from 'dynalite/actions/putItem.js';
import query from 'dynalite/actions/query.js';
import scan from 'dynalite/actions/scan.js';
import updateItem from 'dynalite/actions/updateItem.js';
import type { Store, Table } from 'dynalite/db/index.js';
import batchGetValidation from 'dynalite/validations/batchGetItem.js';
import deleteValidation from 'dynalite/validations/deleteItem.js';
import getValidation from 'dynalite/validations/getItem.js';
import putValidation from 'dynalite/validations/putItem.js';
import queryValidation from 'dynalite/validations/query.js';
import scanValidation from 'dynalite/validations/scan.js';
import updateValidation from 'dynalite/validations/updateItem.js';
import {
  itemFromWire,
  itemToWire,
  type Wire,
  type WireItem,
} from '../../../infra/local/stores/wire-values.ts';
import { AwsFault } from '../code/sdk.ts';
import { newParser } from './parsed-expressions.ts';
import { type LateReads, newStaleReads } from './stale-reads.ts';
import { keySchemaOf, newStore, partitionName, type StoreOptions } from './table-store.ts';

const parsed = newParser();

type Input = Record<string, unknown>;
type Request = Record<string, unknown>;
type Answer = Record<string, unknown>;
type Action = (
  store: Store,
  request: object,
  done: (error: unknown, answer?: { Items?: unknown[] }) => void,
) => void;
type Validation = { custom: (request: object, store?: unknown) => string | undefined };

const actions: Record<string, [Action, Validation]> = {
  Get: [getItem, getValidation],
  Put: [putItem, putValidation],
  Update: [updateItem, updateValidation],
  Delete: [deleteItem, deleteValidation],
  Query: [query, queryValidation],
  Scan: [scan, scanValidation],
};

const invalid = (message: string) => new AwsFault('ValidationException', message);

const faultOf = (error: unknown): Error => {
  const { body, statusCode } = error as { body?: { __type: string; message?: string }; statusCode?: number };
  if (!body) return error instanceof Error ? error : new Error(String(error));
  return new AwsFault(body.__type.replace(/.*#/, ''), body.message ?? '', statusCode);
};

/** Fields that hold an item or a map of values. */
const items = ['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues'];

const requestOf = (input: Input): Request => {
  const request: Request = {};
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined) request[name] = items.includes(name) ? itemToWire(value as object) : value;
  }
  return request;
};

const answerOf = ({ Item, Attributes, Items, LastEvaluatedKey, ...rest }: Answer): Answer => ({
  ...rest,
  ...(Item !== undefined && { Item: itemFromWire(Item as WireItem) }),
  ...(Attributes !== undefined && { Attributes: itemFromWire(Attributes as WireItem) }),
  ...(Items !== undefined && { Items: (Items as WireItem[]).map(itemFromWire) }),
  ...(LastEvaluatedKey !== undefined && { LastEvaluatedKey: itemFromWire(LastEvaluatedKey as WireItem) }),
});

type Values = Record<string, unknown>;

/** What decides whether a query is valid, besides its values; undefined if it is of a rarer kind. */
const formOf = (input: Input): string | undefined => {
  const { TableName, IndexName, KeyConditionExpression, FilterExpression, ProjectionExpression } = input;
  if (input.ExclusiveStartKey !== undefined || input.Select !== undefined) return undefined;
  let form = `${TableName} ${IndexName} ${input.ConsistentRead} ${KeyConditionExpression}`;
  if (FilterExpression !== undefined || ProjectionExpression !== undefined)
    form += `\n${FilterExpression}\n${ProjectionExpression}`;
  const names = input.ExpressionAttributeNames as Record<string, string> | undefined;
  for (const name in names) form += `\n${name}=${names[name]}`;
  const values = input.ExpressionAttributeValues as Values | undefined;
  for (const name in values) form += `\n${name}:${typeof values[name]}`;
  return form;
};

export type Tables = {
  /** Makes a call, such as `Update`, with the input of the document client. @throws AwsFault */
  call: (operation: string, input: Input) => Answer;
  /** The item of a table with a key; undefined if there is none. */
  find: (table: string, key: object) => Record<string, unknown> | undefined;
  /** All items of a table, in the order of their keys: as DynamoDB writes them, and as values. */
  wire: (table: string) => WireItem[];
  all: (table: string) => Record<string, unknown>[];
  /**
   * Deletes the items that have expired at a time (Unix seconds), if `isGone` says so of their keys. Returns
   * their number.
   */
  expire: (now: number, isGone: (table: string, key: WireItem, ttl: number) => boolean) => number;
  count: (table: string) => number;
  /** The attributes of an item that are its key. */
  keyOf: (table: string, item: WireItem) => WireItem;
};

type TablesOptions = StoreOptions & {
  /** Absent: reads that are not consistent are up to date. */
  late?: LateReads | undefined;
  /** Whether a batch leaves an item of a table out. Absent: none does. */
  isUnprocessed?: (table: string) => boolean;
};

export const newTables = (definitions: readonly Table[], options: TablesOptions): Tables => {
  const tables = new Map(definitions.map((table) => [table.TableName, table]));
  const keyOf = (table: string, item: WireItem): WireItem => {
    const key: WireItem = {};
    for (const { AttributeName } of tables.get(table)?.KeySchema ?? [])
      key[AttributeName] = item[AttributeName] as Wire;
    return key;
  };
  const { isUnprocessed = () => false } = options;
  const stale = options.late && newStaleReads(keyOf, options.late);
  const { store, contents, timesToLive } = newStore(definitions, {
    ...options,
    onWrite: (...write) => {
      stale?.written(...write);
      options.onWrite?.(...write);
    },
  });
  /** The variables of expressions with the partition, of queries that were valid. */
  const partitions = new Map<string, string>();

  /** Acts with a request in the form of the wire. */
  const act = (operation: string, request: Request, isValidated = false): Answer => {
    const known = actions[operation];
    if (!known) throw new Error(`The simulated tables have no ${operation}`);
    const [action, validation] = known;
    const message = isValidated ? undefined : parsed(operation, request, validation, store);
    if (message) throw invalid(message);
    let result: { error?: unknown; answer?: Answer } | undefined;
    action(store, request, (error, answer) => {
      result = error ? { error } : { answer: { ...answer } };
    });
    if (!result) throw new Error(`dynalite did not answer ${operation} at once`);
    if (result.error) throw faultOf(result.error);
    return result.answer ?? {};
  };

  /** The item of a request for one. */
  const get = (request: Request): WireItem | undefined => {
    const { Item } = act('Get', request);
    if (!stale || Item === undefined || request.ConsistentRead === true) return Item as WireItem | undefined;
    return stale.shown(String(request.TableName), [Item as WireItem])[0];
  };

  const batchGet = ({ RequestItems }: Input): Answer => {
    const tables = Object.entries(RequestItems as Record<string, { Keys: object[] }>);
    const requests = Object.fromEntries(
      tables.map(([name, { Keys, ...rest }]) => [name, { ...rest, Keys: Keys.map(itemToWire) }]),
    );
    const message = batchGetValidation.custom({ RequestItems: requests });
    if (message) throw invalid(message);
    const unprocessed: Record<string, { Keys: object[] }> = {};
    const responses = Object.entries(requests).map(([TableName, { Keys, ...rest }]) => [
      TableName,
      Keys.flatMap((Key) => {
        if (isUnprocessed(TableName)) {
          unprocessed[TableName] ??= { ...rest, Keys: [] };
          unprocessed[TableName].Keys.push(itemFromWire(Key));
          return [];
        }
        const Item = get({ TableName, Key, ...rest });
        return Item === undefined ? [] : [itemFromWire(Item)];
      }),
    ]);
    return { Responses: Object.fromEntries(responses), UnprocessedKeys: unprocessed };
  };

  const batchWrite = ({ RequestItems }: Input): Answer => {
    type Write = { PutRequest?: { Item: object }; DeleteRequest?: { Key: object } };
    const tables = Object.entries(RequestItems as Record<string, Write[]>);
    if (tables.reduce((sum, [, writes]) => sum + writes.length, 0) > 25)
      throw invalid('Too many items requested for the BatchWriteItem call');
    const unprocessed: Record<string, Write[]> = {};
    for (const [TableName, writes] of tables) {
      for (const write of writes) {
        if (isUnprocessed(TableName)) {
          unprocessed[TableName] = [...(unprocessed[TableName] ?? []), write];
          continue;
        }
        const { PutRequest, DeleteRequest } = write;
        if (PutRequest) act('Put', { TableName, Item: itemToWire(PutRequest.Item) });
        if (DeleteRequest) act('Delete', { TableName, Key: itemToWire(DeleteRequest.Key) });
      }
    }
    return { UnprocessedItems: unprocessed };
  };

  /**
   * Most queries of a world ask a partition of an index that has nothing: these are answered without
   * dynalite, if it has once carried out a query with the same expressions.
   */
  const query = (input: Input): Answer => {
    const form = formOf(input);
    const values = input.ExpressionAttributeValues as Values | undefined;
    const { TableName, IndexName } = input as { TableName: string; IndexName?: string };
    const name = IndexName === undefined ? TableName : `${TableName}/${IndexName}`;
    const variable = form && partitions.get(form);
    if (variable !== undefined && !contents.get(name)?.has(String(values?.[variable]))) {
      options.onQuery?.(partitionName(name, String(values?.[variable])), false);
      return { ScannedCount: 0, Count: 0, Items: [] };
    }
    const request = requestOf(input);
    const found = act('Query', request);
    const mayBeLate = IndexName === undefined && input.ConsistentRead !== true && found.Items !== undefined;
    if (stale && mayBeLate) found.Items = stale.shown(TableName, found.Items as WireItem[]);
    const answer = answerOf(found);
    if (form && variable === undefined) {
      const table = tables.get(TableName);
      const [key] = table ? keySchemaOf(table, IndexName) : [];
      const conditions = request.KeyConditions as Record<string, { AttributeValueList: Wire[] }>;
      const asked = Object.values(conditions[key?.AttributeName ?? '']?.AttributeValueList[0] ?? {})[0];
      const [found, second] = Object.keys(values ?? {}).filter((it) => String(values?.[it]) === asked);
      if (found !== undefined && second === undefined) partitions.set(form, found);
    }
    return answer;
  };

  return {
    keyOf,
    call: (operation, input) => {
      if (operation === 'Query') return query(input);
      if (operation === 'BatchGet') return batchGet(input);
      if (operation === 'BatchWrite') return batchWrite(input);
      const request = requestOf(input);
      if (operation !== 'Get') return answerOf(act(operation, request));
      const Item = get(request);
      return Item === undefined ? {} : { Item: itemFromWire(Item) };
    },
    find: (TableName, key) => {
      const { Item } = act('Get', { TableName, Key: itemToWire(key) });
      return Item === undefined ? undefined : itemFromWire(Item as WireItem);
    },
    wire: (table) => [...(contents.get(table)?.values({}) ?? [])],
    all: (table) => [...(contents.get(table)?.values({}) ?? [])].map(itemFromWire),
    expire: (now, isGone) => {
      let expired = 0;
      for (const [TableName, attribute] of timesToLive) {
        const over = [...(contents.get(TableName)?.values({}) ?? [])].filter((item) => {
          const ttl = Number(item[attribute]?.N ?? Number.POSITIVE_INFINITY);
          return ttl < now && isGone(TableName, keyOf(TableName, item), ttl);
        });
        for (const item of over) act('Delete', { TableName, Key: keyOf(TableName, item) });
        expired += over.length;
      }
      return expired;
    },
    count: (table) => contents.get(table)?.size() ?? 0,
  };
};
