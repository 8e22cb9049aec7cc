/**
 * Lists of a user's tasks, newest first. The rows themselves are ordered by id in each partition, so most lists need no index. The failed
 * tasks have the sparse index `failed`, and the tasks without a final state are in the index `unfinished`.
 */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TaskStatus } from '../model/task-status.ts';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { resource } from '../runtime/env.ts';
import { type FailedStatus, failedPartitions, rowPartitions } from './partitions.ts';
import { type TaskRow, taskRowOf } from './task-row.ts';
import { readOverdue, readRows } from './tasks.ts';

const table = resource('TASKS_TABLE');

/** Items of the first query of a partition: a page of 25 tasks is in two or three of each. Later queries ask for twice as many. */
const firstLimit = 4;
const maxLimit = 1000;

/** Rows that are read together after their keys were found in an index. */
const rowsRead = 25;

type Item = Record<string, unknown> & { id: number };

/** The items of partitions below an id, as one list ordered by id, newest first. */
async function* newestFirst(
  partitions: readonly string[],
  before: number,
  key: Pick<QueryCommandInput, 'IndexName'> & { name: 'partition' | 'failed' },
): AsyncGenerator<Item> {
  const heads = partitions.map((partition) => ({
    partition,
    items: [] as Item[],
    before,
    isDone: false,
    limit: firstLimit,
  }));
  const { name, ...index } = key;
  const fill = async (head: (typeof heads)[number]): Promise<void> => {
    const query = new QueryCommand({
      TableName: table,
      ...index,
      KeyConditionExpression: '#partition = :partition AND id < :before',
      ExpressionAttributeNames: { '#partition': name },
      ExpressionAttributeValues: { ':partition': head.partition, ':before': head.before },
      ScanIndexForward: false,
      Limit: head.limit,
    });
    const { Items = [], LastEvaluatedKey } = await dynamo.send(query);
    head.items = Items as Item[];
    head.before = LastEvaluatedKey?.id;
    head.isDone = LastEvaluatedKey === undefined;
    head.limit = Math.min(maxLimit, head.limit * 2);
  };
  for (;;) {
    // The next item is known only when each partition shows its first one.
    await Promise.all(heads.filter(({ items, isDone }) => items.length === 0 && !isDone).map(fill));
    const next = heads.reduce((a, b) => ((b.items[0]?.id ?? -1) > (a.items[0]?.id ?? -1) ? b : a));
    const item = next.items.shift();
    if (!item) return;
    yield item;
  }
}

/** The rows of keys, in the order of the keys. Reads 25 with one request. */
async function* rowsOf(keys: AsyncIterable<TaskKey>, now: number): AsyncGenerator<TaskRow> {
  const read = async (some: TaskKey[]): Promise<TaskRow[]> =>
    (await readRows(some, now)).flatMap((settled) => {
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value && settled.value.kind !== 'batch' ? settled.value : [];
    });
  const waiting: TaskKey[] = [];
  for await (const key of keys) {
    waiting.push(key);
    if (waiting.length === rowsRead) yield* await read(waiting.splice(0));
  }
  yield* await read(waiting);
}

async function* allRows(userId: number, before: number, now: number): AsyncGenerator<TaskRow> {
  for await (const item of newestFirst(rowPartitions(userId), before, { name: 'partition' })) {
    // Batches are between their tasks.
    if (item.kind === 'batch') continue;
    const row = taskRowOf(item);
    // Every task lives for a day, so all older ones have expired too.
    if (!row || row.ttl <= now) return;
    yield row;
  }
}

async function* failedKeys(userId: number, status: FailedStatus, before: number): AsyncGenerator<TaskKey> {
  const items = newestFirst(failedPartitions(userId, status), before, {
    IndexName: 'failed',
    name: 'failed',
  });
  for await (const { id } of items) yield { user_id: userId, id };
}

/** Reads the index of unfinished work of all users: it is short, and an entry has less than 100 bytes. */
async function* unfinishedKeys(userId: number, before: number): AsyncGenerator<TaskKey> {
  const found: TaskKey[] = [];
  for await (const keys of readOverdue('task', Number.MAX_SAFE_INTEGER, maxLimit)) {
    found.push(...keys.filter(({ user_id, id }) => user_id === userId && id < before));
  }
  yield* found.toSorted((a, b) => b.id - a.id);
}

const candidates = (
  userId: number,
  status: TaskStatus | undefined,
  before: number,
  now: number,
): AsyncIterable<TaskRow> => {
  if (status === undefined || status === 'success' || status === 'completed') {
    return allRows(userId, before, now);
  }
  if (status === 'error' || status === 'dead_letter') return rowsOf(failedKeys(userId, status, before), now);
  return rowsOf(unfinishedKeys(userId, before), now);
};

/**
 * Returns the newest tasks of a user below the id `before`, at most `limit`, and those of one status only if it is given. `next`: the id below
 * which the list continues; null at its end. A task that changes its status while a client pages through the list may be missed, but no
 * task appears twice.
 */
export const listRows = async (
  userId: number,
  {
    status,
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { status?: TaskStatus; before?: number; limit: number },
  now = clock(),
): Promise<{ rows: TaskRow[]; next: number | null }> => {
  const rows: TaskRow[] = [];
  for await (const row of candidates(userId, status, before, now)) {
    // The indexes may lag behind the table.
    if (status !== undefined && row.status !== status) continue;
    if (rows.length === limit) return { rows, next: rows.at(-1)?.id ?? null };
    rows.push(row);
  }
  return { rows, next: null };
};
