/**
 * The tasks that were created in the form of another service, have ended, and were not collected: in the
 * sparse index of failed tasks. The final write puts a task there, and its collection takes it out.
 */
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { resource } from '../runtime/env.ts';
import { LaterReleaseError, leaveOut } from '../runtime/later-release.ts';
import { type EndStatus, failedPartition, readyPartition, readyPartitions } from './partitions.ts';
import type { RowOf, TaskForm, TaskKind, TaskRow } from './task-row.ts';
import { readRows, updateIf } from './tasks.ts';

const table = resource('TASKS_TABLE');

const isEnd = (status: TaskRow['status']): status is EndStatus =>
  status === 'success' || status === 'error' || status === 'dead_letter';

/**
 * The partition of the index of a task that ended; undefined if it is in no list. A task whose result is sent
 * to its client is ready only if no attempt has delivered it.
 */
export const endPartition = (row: TaskRow, status: EndStatus): string | undefined => {
  const isSent = row.form_webhook !== undefined && row.form_webhook !== 'pingback';
  if (row.form && !row.collected && !isSent) return readyPartition(row, status);
  return status === 'success' ? undefined : failedPartition(row, status);
};

/** The partition of a task of a form whose webhook is parked; undefined for another task. */
export const parkedPartition = (row: Pick<TaskRow, 'user_id' | 'id' | 'status' | 'form' | 'collected'>) =>
  row.form && !row.collected && isEnd(row.status) ? readyPartition(row, row.status) : undefined;

/** Entries of a partition that are read at most, oldest first. */
const maxEntries = 2500;

/** Rows of one request, the maximum of DynamoDB. */
const rowsRead = 100;

const entriesOf = async (partition: string, after: number): Promise<number[]> => {
  const query = {
    TableName: table,
    IndexName: 'failed',
    KeyConditionExpression: 'failed = :partition AND id > :after',
    ExpressionAttributeValues: { ':partition': partition, ':after': after },
  };
  const ids: number[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamo, pageSize: 1000 }, query)) {
    ids.push(...Items.map(({ id }) => Number(id)));
    if (ids.length >= maxEntries) break;
  }
  return ids;
};

/** The ids of a user's ready tasks that are larger than `after`, in their order. */
const readyIds = async (userId: number, after: number): Promise<number[]> => {
  const ends = ['success', 'error', 'dead_letter'] as const;
  const partitions = ends.flatMap((status) => readyPartitions(userId, status));
  const ids = await Promise.all(partitions.map((partition) => entriesOf(partition, after)));
  // A task that moves from one end to another may be read twice.
  return [...new Set(ids.flat())].toSorted((a, b) => a - b);
};

/**
 * A user's tasks of a kind and a form that have ended and were not collected, oldest first, at most `limit`.
 * `after`: an id that is smaller than those of all tasks that have not expired. `isAsked`: whether a row is
 * one of the list.
 */
export const listReady = async <Kind extends TaskKind>(
  userId: number,
  { kind, form, after, limit }: { kind: Kind; form: TaskForm; after: number; limit: number },
  isAsked: (row: RowOf<Kind>) => boolean,
  now = clock(),
): Promise<RowOf<Kind>[]> => {
  const isOfKind = (row: TaskRow): row is RowOf<Kind> => row.kind === kind;
  const ids = await readyIds(userId, after);
  const rows: RowOf<Kind>[] = [];
  for (let n = 0; n < ids.length && rows.length < limit; n += rowsRead) {
    const keys = ids.slice(n, n + rowsRead).map((id) => ({ user_id: userId, id }));
    for (const settled of await readRows(keys, now)) {
      if (settled.status === 'rejected') {
        const { reason } = settled;
        if (!(reason instanceof LaterReleaseError) || reason.kind === kind) leaveOut(reason);
        continue;
      }
      const row = settled.value;
      if (!row || row.kind === 'batch' || row.kind === 'alert' || !isOfKind(row)) continue;
      if (row.form === form && !row.collected && isEnd(row.status) && isAsked(row)) rows.push(row);
    }
  }
  return rows.slice(0, limit);
};

/**
 * Notes that a task was read in the form of its creation, and takes it out of the list of ready tasks. Writes
 * nothing if it has no form, was collected before, or is not in this final state any more.
 */
export const markCollected = async (key: TaskKey, status: TaskRow['status']): Promise<boolean> => {
  if (!isEnd(status)) return false;
  return updateIf('mark-collected', key, {
    UpdateExpression: `SET collected = :true${status === 'success' ? ' REMOVE failed' : ', failed = :failed'}`,
    ConditionExpression: 'attribute_exists(form) AND attribute_not_exists(collected) AND #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':true': true,
      ':status': status,
      ...(status !== 'success' && { ':failed': failedPartition(key, status) }),
    },
  });
};
