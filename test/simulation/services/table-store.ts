/** The store below dynalite's actions: tables and indexes in memory, which answer in the call itself. */
import layer, { type Layer, type Store, type Table } from 'dynalite/db/index.js';
import type { Wire, WireItem } from '../../../infra/local/stores/wire-values.ts';
import { rememberKeys } from './remembered-keys.ts';
import { newSorted, type Sorted } from './sorted.ts';

export type StoreOptions = {
  /**
   * Milliseconds until an index shows a write; 0 if at once. Called for each write to a table with indexes.
   */
  indexDelay: (table: string) => number;
  /** Runs something after a delay. */
  later: (milliseconds: number, run: () => void) => void;
  /** Called at each write, before it is visible. */
  onWrite?: ((table: string, before: WireItem | undefined, after: WireItem | undefined) => void) | undefined;
  /** Called when a partition of a table or of an index has changed. */
  onChange?: ((partition: string) => void) | undefined;
  /** Called for each query. `next`: what a query that finds nothing would find first if its range went on. */
  onQuery?: ((partition: string, isFound: boolean, next?: string) => void) | undefined;
};

type Definition = Table & { TimeToLiveSpecification?: { AttributeName: string; Enabled?: boolean } };

type Request = {
  TableName: string;
  IndexName?: string;
  Limit?: number;
  Select?: string;
  _filter?: { expression: unknown };
  _projection?: { paths: unknown };
  KeyConditions?: Record<string, { AttributeValueList: Wire[] }>;
};
type Filters = {
  matchesExprFilter: (item: WireItem, expression: unknown) => boolean;
  mapPaths: (paths: unknown, item: WireItem) => WireItem;
  itemSize: (item: WireItem, compress: boolean, addsMeta: boolean, rangeKey?: string) => number;
  createIndexKey: (item: WireItem, table: Table, keys: unknown) => string;
};

const filters = layer as unknown as Filters;
const maxPageBytes = 1024 * 1024;

type Index = NonNullable<Table['GlobalSecondaryIndexes']>[number] & {
  Projection: { NonKeyAttributes?: string[] };
};

/** A change of an index. `item`: undefined if it does not show the item any more. */
type Change = { index: string; key: string; item: WireItem | undefined };

type Contents = Map<string, Sorted<WireItem>>;

/** The stores of worlds. dynalite's functions for its own stores stay as they are. */
const ours = new WeakMap<object, { contents: Contents; onQuery: StoreOptions['onQuery'] }>();

/** The name of a partition of a table or of an index. */
export const partitionName = (content: string, key: string): string => `${content} ${key}`;

/** A key attribute as text. */
const textOf = (value: Wire | undefined): string => String(Object.values(value ?? {})[0]);

export const keySchemaOf = (table: Table, index: string | undefined): Table['KeySchema'] =>
  index === undefined
    ? table.KeySchema
    : (table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index)?.KeySchema ?? []);

/** The sort key of the first item of the partition above the range of a query. */
const sortKeyAbove = (
  content: Sorted<WireItem> | undefined,
  table: Table,
  { IndexName, KeyConditions = {} }: Request,
  { lt, lte }: { lt?: string; lte?: string },
): string | undefined => {
  const [partition, sort] = keySchemaOf(table, IndexName);
  const above = content?.values(lte === undefined ? { gte: lt ?? '' } : { gt: lte }).next().value;
  if (!above || !partition || !sort) return undefined;
  const asked = KeyConditions[partition.AttributeName]?.AttributeValueList[0];
  return textOf(above[partition.AttributeName]) === textOf(asked)
    ? textOf(above[sort.AttributeName])
    : undefined;
};

/** What an index shows of an item, and under which key; undefined if the item is not in it. */
const shownBy = (
  table: Table,
  index: Index,
  item: WireItem | undefined,
): Omit<Change, 'index'> | undefined => {
  const names = index.KeySchema.map(({ AttributeName }) => AttributeName);
  if (!item || names.some((name) => item[name] === undefined)) return undefined;
  const key = layer.createIndexKey(item, table, index.KeySchema);
  if (index.Projection.ProjectionType === 'ALL') return { key, item };
  const shown = [...names, ...table.KeySchema.map(({ AttributeName }) => AttributeName)].concat(
    index.Projection.NonKeyAttributes ?? [],
  );
  return { key, item: Object.fromEntries(shown.map((name) => [name, item[name]])) as WireItem };
};

/** What a write changes in an index. An item that it shows as before is no change, as on AWS. */
const changesOf = (table: Table, index: Index, before?: WireItem, after?: WireItem): Change[] => {
  const old = shownBy(table, index, before);
  const shown = shownBy(table, index, after);
  const { IndexName } = index;
  const removal = old && old.key !== shown?.key ? [{ index: IndexName, key: old.key, item: undefined }] : [];
  if (!shown || (old && JSON.stringify(old) === JSON.stringify(shown))) return removal;
  return [...removal, { index: IndexName, ...shown }];
};

/** What dynalite's `queryTable` does, on values that are there at once. */
const walk = (
  { contents, onQuery }: { contents: Contents; onQuery: StoreOptions['onQuery'] },
  table: Table,
  request: Request,
  range: object,
  keyNames: string[],
) => {
  const name = request.IndexName ? `${request.TableName}/${request.IndexName}` : request.TableName;
  const rangeKey = table.KeySchema[1]?.AttributeName;
  const limit = request.Limit ?? Number.POSITIVE_INFINITY;
  const read: WireItem[] = [];
  let size = 0;
  for (const item of contents.get(name)?.values(range) ?? []) {
    if (read.length >= limit || size >= maxPageBytes) break;
    read.push(item);
    size += filters.itemSize(item, true, true, rangeKey);
  }
  const [partition] = keySchemaOf(table, request.IndexName);
  const asked = request.KeyConditions?.[partition?.AttributeName ?? '']?.AttributeValueList[0];
  if (asked) {
    const next = read.length > 0 ? undefined : sortKeyAbove(contents.get(name), table, request, range);
    onQuery?.(partitionName(name, textOf(asked)), read.length > 0, next);
  }
  const last = read.at(-1);
  const isCut = (read.length >= limit || size >= maxPageBytes) && last;
  const { _filter, _projection } = request;
  const matching = _filter
    ? read.filter((item) => filters.matchesExprFilter(item, _filter.expression))
    : read;
  const Items = _projection ? matching.map((item) => filters.mapPaths(_projection.paths, item)) : matching;
  return {
    ScannedCount: read.length,
    Count: Items.length,
    ...(request.Select !== 'COUNT' && { Items }),
    ...(isCut && { LastEvaluatedKey: Object.fromEntries(keyNames.map((key) => [key, last[key]])) }),
  };
};

const { queryTable } = layer;
const answerAtOnce: Layer['queryTable'] = (store, table, request, range, ...rest) => {
  const own = ours.get(store);
  if (!own) return queryTable(store, table, request, range, ...rest);
  const [, , keyNames, done] = rest;
  done(null, walk(own, table, request as Request, range as object, keyNames as string[]) as object);
};

const { updateIndexes } = layer;
const indexAtOnce: Layer['updateIndexes'] = (store, table, before, after, done) => {
  const update = updaters.get(store);
  if (!update) return updateIndexes(store, table, before, after, done);
  update(table, before as WireItem | undefined, after as WireItem | null);
  done();
};
const updaters = new WeakMap<object, (table: Table, before?: WireItem, after?: WireItem | null) => void>();

/** Lets dynalite's actions use the stores of worlds. Others are not affected. */
const connect = (): void => {
  if (layer.queryTable === answerAtOnce) return;
  rememberKeys(layer);
  layer.queryTable = answerAtOnce;
  layer.updateIndexes = indexAtOnce;
};

/** Made once: an error notes its stack, which takes longer than a call. */
const notFound = Object.assign(new Error('not found'), { name: 'NotFoundError' });

const release = (done: unknown) => done;

export const newStore = (
  definitions: readonly Definition[],
  { indexDelay, later, onWrite, onChange, onQuery }: StoreOptions,
) => {
  connect();
  const contents: Contents = new Map();
  const tables = new Map(definitions.map((table) => [table.TableName, table]));
  for (const table of definitions) {
    const add = (index?: string) => {
      const partition = keySchemaOf(table, index)[0]?.AttributeName ?? '';
      const name = index === undefined ? table.TableName : `${table.TableName}/${index}`;
      contents.set(
        name,
        newSorted(
          (item) => textOf(item[partition]),
          (key) => onChange?.(partitionName(name, key)),
        ),
      );
    };
    add();
    for (const { IndexName } of table.GlobalSecondaryIndexes ?? []) add(IndexName);
  }
  const contentOf = (name: string): Sorted<WireItem> => {
    const content = contents.get(name);
    if (!content) throw new Error(`There is no table ${name}`);
    return content;
  };

  /** Writes of each index that are not visible yet, in their order. */
  const lagging = new Map<string, (() => void)[]>();
  const update = (table: Table, before: WireItem | undefined, after: WireItem | null = null) => {
    const indexes = table.GlobalSecondaryIndexes ?? [];
    if (indexes.length === 0) return;
    const changes = indexes.flatMap((index) => changesOf(table, index, before, after ?? undefined));
    if (changes.length === 0) return;
    const apply = () => {
      for (const { index, key, item } of changes) {
        const content = contentOf(`${table.TableName}/${index}`);
        if (item) content.put(key, item);
        else content.remove(key);
      }
    };
    const delay = indexDelay(table.TableName);
    const waiting = lagging.get(table.TableName) ?? [];
    lagging.set(table.TableName, waiting);
    if (delay === 0 && waiting.length === 0) return apply();
    // The writes of a table become visible in their order, whatever the delay of each.
    waiting.push(apply);
    later(delay, () => waiting.shift()?.());
  };

  const store = {
    options: { maxItemSize: 409_600 },
    getTable: (name: string, ...rest: unknown[]) => {
      const done = rest.at(-1) as (error: unknown, table?: Table) => void;
      const table = tables.get(name);
      if (table) return done(null, table);
      const body = { __type: '#ResourceNotFoundException', message: 'Requested resource not found' };
      done(Object.assign(new Error(body.message), { statusCode: 400, body }));
    },
    getItemDb: (name: string) => {
      const content = contentOf(name);
      return {
        lock: (_key: string, run: (done: typeof release) => void) => run(release),
        get: (key: string, done: (error: unknown, item?: WireItem) => void) => {
          const item = content.get(key);
          if (item) done(null, item);
          else done(notFound);
        },
        put: (key: string, item: WireItem, done: (error: unknown) => void) => {
          onWrite?.(name, content.get(key), item);
          content.put(key, item);
          done(null);
        },
        del: (key: string, done: (error: unknown) => void) => {
          onWrite?.(name, content.get(key), undefined);
          content.remove(key);
          done(null);
        },
      };
    },
  } as unknown as Store;
  ours.set(store, { contents, onQuery });
  updaters.set(store, update);
  const timesToLive = definitions.flatMap(({ TableName, TimeToLiveSpecification }) =>
    TimeToLiveSpecification?.Enabled ? [[TableName, TimeToLiveSpecification.AttributeName] as const] : [],
  );
  return { store, contents, timesToLive };
};
