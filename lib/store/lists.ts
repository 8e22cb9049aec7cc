/**
 * Lists of a user's tasks, newest first. The rows themselves are ordered by id in each partition, so most
 * lists need no index. The failed tasks have the sparse index `failed`, and the tasks without a final state
 * are in the index `unfinished`. A list costs no write of a task that succeeds.
 */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TaskStatus } from '../model/task-status.ts';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { resource } from '../runtime/env.ts';
import { LaterReleaseError, leaveOut } from '../runtime/later-release.ts';
import { type FailedStatus, failedPartitions, rowPartitions } from './partitions.ts';
import { taskRowOf } from './task-item.ts';
import type { RowOf, TaskKind, TaskRow } from './task-row.ts';
import { readRows } from './tasks.ts';
import { readUnfinished } from './unfinished.ts';

const table = resource('TASKS_TABLE');

/**
 * Items of the first query of a partition: a page of 25 tasks is in two or three of each. Later queries ask
 * for twice as many.
 */
const firstLimit = 4;
const maxLimit = 1000;

/** Rows that are read together after their keys were found in an index. */
const rowsRead = 25;

/**
 * Items that a list reads at most, about 10 MB. If few of them match, the page is shorter. Without a limit, a
 * list of a user with a million other tasks a day would read all of them.
 */
const readLimit = 10_000;

type Item = Record<string, unknown> & { id: number };

/** Which tasks are listed. `api`: searches of one version; both versions if it is undefined. */
export type TaskFilter = {
  kind: TaskKind;
  status?: TaskStatus | undefined;
  api?: 'v1' | 'v2' | undefined;
  /** Only tasks with these ids. They are read by their keys. */
  ids?: readonly number[] | undefined;
};

/**
 * The range of ids, both ends excluded, and how many more items may be read. `stoppedAt`: the id at which the
 * limit ended the list.
 */
type Range = { after: number; before: number; left: number; stoppedAt?: number };

const filterExpression = ({ kind, status, api }: TaskFilter) => ({
  text: [
    '#kind = :kind',
    ...(status ? ['#status = :status'] : []),
    ...(api ? [api === 'v1' ? 'api = :api' : 'attribute_not_exists(api)'] : []),
  ].join(' AND '),
  names: { '#kind': 'kind', ...(status && { '#status': 'status' }) },
  values: {
    ':kind': kind,
    ...(status && { ':status': status }),
    ...(api === 'v1' && { ':api': api }),
  },
});

/** The items of partitions in a range, as one list ordered by id, newest first. */
async function* newestFirst(
  partitions: readonly string[],
  range: Range,
  key: Pick<QueryCommandInput, 'IndexName'> & { name: 'partition' | 'failed' },
  filter?: ReturnType<typeof filterExpression>,
): AsyncGenerator<Item> {
  const heads = partitions.map((partition) => ({
    partition,
    items: [] as Item[],
    before: range.before,
    // A range without ids is not a valid condition of a query.
    isDone: range.before <= range.after + 1,
    limit: firstLimit,
  }));
  const { name, ...index } = key;
  const fill = async (head: (typeof heads)[number]): Promise<void> => {
    const query = new QueryCommand({
      TableName: table,
      ...index,
      KeyConditionExpression: '#partition = :partition AND id BETWEEN :first AND :last',
      ...(filter && { FilterExpression: filter.text }),
      ExpressionAttributeNames: { '#partition': name, ...filter?.names },
      ExpressionAttributeValues: {
        ':partition': head.partition,
        ':first': range.after + 1,
        ':last': head.before - 1,
        ...filter?.values,
      },
      ScanIndexForward: false,
      Limit: head.limit,
    });
    const { Items = [], LastEvaluatedKey, ScannedCount = 0 } = await dynamo.send(query);
    range.left -= ScannedCount;
    head.items = Items as Item[];
    head.before = LastEvaluatedKey?.id;
    head.isDone = LastEvaluatedKey === undefined || head.before <= range.after + 1;
    head.limit = Math.min(maxLimit, head.limit * 2);
  };
  for (;;) {
    // The next item is known only when each partition shows its first one.
    const unknown = () => heads.filter(({ items, isDone }) => items.length === 0 && !isDone);
    while (unknown().length > 0 && range.left > 0) await Promise.all(unknown().map(fill));
    const next = heads.reduce((a, b) => ((b.items[0]?.id ?? -1) > (a.items[0]?.id ?? -1) ? b : a));
    const readTo = Math.max(-1, ...unknown().map(({ before }) => before));
    const item = next.items.shift();
    if (readTo > (item?.id ?? -1)) {
      range.stoppedAt = readTo;
      return;
    }
    if (!item) return;
    yield item;
  }
}

/** Leaves a task of a later release out of the list, and names it if the list is of its kind. */
const leaveOutOf = (kind: TaskKind, error: unknown): void => {
  if (!(error instanceof LaterReleaseError) || error.kind === kind) leaveOut(error);
};

/** The rows of keys, in the order of the keys. Reads 25 with one request. */
async function* rowsOf(keys: AsyncIterable<TaskKey>, kind: TaskKind, now: number): AsyncGenerator<TaskRow> {
  const read = async (some: TaskKey[]): Promise<TaskRow[]> =>
    (await readRows(some, now)).flatMap((settled) => {
      if (settled.status === 'rejected') {
        leaveOutOf(kind, settled.reason);
        return [];
      }
      return settled.value && settled.value.kind !== 'batch' && settled.value.kind !== 'alert'
        ? settled.value
        : [];
    });
  const waiting: TaskKey[] = [];
  for await (const key of keys) {
    waiting.push(key);
    if (waiting.length === rowsRead) yield* await read(waiting.splice(0));
  }
  yield* await read(waiting);
}

async function* allRows(
  userId: number,
  filter: TaskFilter,
  range: Range,
  now: number,
): AsyncGenerator<TaskRow> {
  const key = { IndexName: undefined, name: 'partition' } as const;
  for await (const item of newestFirst(rowPartitions(userId), range, key, filterExpression(filter))) {
    // Every task lives for a day, so all older ones have expired too.
    if (Number(item.ttl) <= now) return;
    try {
      const row = taskRowOf(item);
      if (row) yield row;
    } catch (error) {
      leaveOutOf(filter.kind, error);
    }
  }
}

async function* failedKeys(userId: number, status: FailedStatus, range: Range): AsyncGenerator<TaskKey> {
  const items = newestFirst(failedPartitions(userId, status), range, {
    IndexName: 'failed',
    name: 'failed',
  });
  for await (const { id } of items) yield { user_id: userId, id };
}

/** Reads the index of unfinished work of all users: it is short, and an entry has less than 100 bytes. */
async function* unfinishedKeys(userId: number, { after, before }: Range): AsyncGenerator<TaskKey> {
  // A task whose due time changes meanwhile moves in the index, and may be read twice.
  const found = new Set<number>();
  for await (const ids of readUnfinished(userId, maxLimit)) {
    for (const id of ids) if (id > after && id < before) found.add(id);
  }
  yield* [...found].toSorted((a, b) => b - a).map((id) => ({ user_id: userId, id }));
}

async function* keysOf(
  userId: number,
  ids: readonly number[],
  { after, before }: Range,
): AsyncGenerator<TaskKey> {
  const inRange = ids.filter((id) => id > after && id < before);
  yield* inRange.toSorted((a, b) => b - a).map((id) => ({ user_id: userId, id }));
}

const candidates = (
  userId: number,
  filter: TaskFilter,
  range: Range,
  now: number,
): AsyncIterable<TaskRow> => {
  const { kind, status, ids } = filter;
  if (ids) return rowsOf(keysOf(userId, ids, range), kind, now);
  if (status === undefined || status === 'success') return allRows(userId, filter, range, now);
  if (status === 'error' || status === 'dead_letter')
    return rowsOf(failedKeys(userId, status, range), kind, now);
  return rowsOf(unfinishedKeys(userId, range), kind, now);
};

const isListed = ({ kind, status, api }: TaskFilter, row: TaskRow): boolean =>
  row.kind === kind &&
  (status === undefined || row.status === status) &&
  (api === undefined || (row.kind === 'serp' && (row.api ?? 'v2') === api));

/**
 * Returns the newest tasks of a user and a kind (searches by default) that pass the filter, at most `limit`,
 * with ids between `after` and `before`. `next`: the id below which the list continues; null at its end. A
 * page may be shorter, or empty, although the list continues: then few of the tasks that were read pass the
 * filter. A task that changes its status while a client pages through the list may be missed, but no task
 * appears twice.
 */
export const listRows = async <Kind extends TaskKind = 'serp'>(
  userId: number,
  {
    after = 0,
    before = Number.MAX_SAFE_INTEGER,
    limit,
    left = readLimit,
    kind = 'serp' as Kind,
    ...asked
  }: Omit<TaskFilter, 'kind'> & {
    kind?: Kind;
    after?: number;
    before?: number;
    limit: number;
    left?: number;
  },
  now = clock(),
): Promise<{ rows: RowOf<Kind>[]; next: number | null }> => {
  const filter: TaskFilter = { kind, ...asked };
  const isOfKind = (row: TaskRow): row is RowOf<Kind> => isListed(filter, row);
  const rows: RowOf<Kind>[] = [];
  // No task is ever in this state (Reading 1).
  if (filter.status === 'completed') return { rows, next: null };
  const range: Range = { after, before, left };
  for await (const row of candidates(userId, filter, range, now)) {
    // The indexes have tasks of both versions, and may lag behind the table.
    if (!isOfKind(row)) continue;
    if (rows.length === limit) return { rows, next: rows.at(-1)?.id ?? null };
    rows.push(row);
  }
  return { rows, next: range.stoppedAt ?? null };
};
