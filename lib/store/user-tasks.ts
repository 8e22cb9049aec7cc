/**
 * All that the tasks table has of one user, whatever release wrote it: for its export and its deletion. The
 * records of requests with an `Idempotency-Key` cannot be listed. They expire after a day.
 */
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { counterKey, resultPartitions, rowPartitions, shards } from './partitions.ts';
import { readItems } from './read-items.ts';
import { readPartition } from './read-partition.ts';
import { rowOf } from './task-item.ts';
import type { ReportedRow } from './task-row.ts';
import type { Item } from './version.ts';
import { writeBatches } from './write-batches.ts';

const table = resource('TASKS_TABLE');

/**
 * The rows of a user's tasks, batches and alerts that have not expired, page by page, in the order of their
 * partitions and ids. Those that a later release wrote are left out.
 */
export async function* readUserRows(userId: number, now: number): AsyncGenerator<ReportedRow[]> {
  for (const value of rowPartitions(userId)) {
    for await (const items of readPartition({ table, name: 'partition', value })) {
      const present = items.filter(({ ttl }) => Number(ttl) > now);
      yield present.flatMap((item) => leavingOut(() => rowOf(item)) ?? []);
    }
  }
}

/** An item of the tasks table: its key, and what a deletion must know of it. */
export type TaskItem = {
  of: 'task' | 'batch' | 'alert' | 'result' | 'counter';
  key: Item;
  /** Attributes of a row. */
  attempt: number;
  parses: number;
  lease_until: number;
  kind?: unknown;
  status?: unknown;
  delivery_state?: unknown;
};

const keyOf = ({ partition, id }: Item): Item => ({ partition, id });

const plainItem = (of: TaskItem['of'], item: Item): TaskItem => ({
  of,
  key: keyOf(item),
  attempt: 0,
  parses: 0,
  lease_until: 0,
});

const rowItem = (item: Item): TaskItem => ({
  ...plainItem(item.kind === 'batch' || item.kind === 'alert' ? item.kind : 'task', item),
  attempt: Number(item.attempt ?? 0),
  parses: Number(item.parses ?? 0),
  lease_until: Number(item.lease_until ?? 0),
  kind: item.kind,
  status: item.status,
  delivery_state: item.delivery_state,
});

const rowAttributes = [
  'partition',
  'id',
  'kind',
  'status',
  'attempt',
  'parses',
  'lease_until',
  'delivery_state',
];

/** The rows of a user, page by page. */
export async function* readRowItems(userId: number): AsyncGenerator<TaskItem[]> {
  for (const value of rowPartitions(userId)) {
    for await (const items of readPartition({ table, name: 'partition', value }, rowAttributes)) {
      yield items.map(rowItem);
    }
  }
}

/**
 * The results of the runs up to `attempts` with their later readings up to `parses`, page by page. They may
 * have no row any more.
 */
export async function* readResultItems(
  userId: number,
  { attempts, parses }: { attempts: number; parses: number },
): AsyncGenerator<TaskItem[]> {
  for (const value of resultPartitions(userId, attempts, parses)) {
    for await (const items of readPartition({ table, name: 'partition', value }, ['partition', 'id'])) {
      yield items.map((item) => plainItem('result', item));
    }
  }
}

/** The counters of a user. */
export const readCounterItems = async (userId: number): Promise<TaskItem[]> => {
  const keys = Array.from({ length: shards }, (_, shard) => counterKey(userId, shard));
  return (await readItems(table, keys)).map((item) => plainItem('counter', item));
};

/** Deletes items of the tasks table. A repeated call changes nothing. */
export const deleteTaskItems = (items: readonly TaskItem[]): Promise<void> =>
  writeBatches(
    table,
    'erase-user',
    items.map(({ key }) => ({ DeleteRequest: { Key: key } })),
  );
