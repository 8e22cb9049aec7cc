/**
 * The index of unfinished work of the tasks table: the tasks that still need work, by the time at which that
 * work is overdue.
 */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { type UnfinishedWork, unfinishedPartitions } from './partitions.ts';

const table = resource('TASKS_TABLE');

/** A range of Unix seconds, with both ends. `from` is 0 if it is absent. */
type Range = { from?: number; to: number };

type IndexItem = { partition: string; id: number; due_at: number };

/** A query of a partition of the index, and the key after which it goes on. */
type IndexQuery = { partition: string; from?: Record<string, unknown> | undefined };

type Filter = Pick<QueryCommandInput, 'FilterExpression' | 'ExpressionAttributeNames'> & {
  values?: Record<string, unknown>;
};

/** A page of a partition. `from`: the key after which there may be more; absent if there is no more. */
const readPage = async (
  { partition, from }: IndexQuery,
  { from: earliest = 0, to }: Range,
  limit: number,
  { values, ...expressions }: Filter = {},
): Promise<IndexQuery & { items: IndexItem[] }> => {
  const query = new QueryCommand({
    TableName: table,
    IndexName: 'unfinished',
    KeyConditionExpression: 'unfinished = :partition AND due_at BETWEEN :from AND :to',
    ...expressions,
    ExpressionAttributeValues: { ':partition': partition, ':from': earliest, ':to': to, ...values },
    Limit: limit,
    ExclusiveStartKey: from,
  });
  const { Items = [], LastEvaluatedKey } = await dynamo.send(query);
  return { items: Items as IndexItem[], partition, from: LastEvaluatedKey };
};

const hasMore = ({ from }: IndexQuery): boolean => from !== undefined;

/** A page of each partition, with all of them at a time, until none has more. */
async function* readPages(
  first: readonly IndexQuery[],
  range: Range,
  limit: number,
  filter?: Filter,
): AsyncGenerator<IndexItem[]> {
  let queries = first;
  while (queries.length > 0) {
    const found = await Promise.all(queries.map((query) => readPage(query, range, limit, filter)));
    yield found.flatMap(({ items }) => items);
    queries = found.filter(hasMore);
  }
}

const queriesOf = (work: UnfinishedWork): IndexQuery[] =>
  unfinishedPartitions(work).map((partition) => ({ partition }));

/**
 * All that is due by `to`, with what is due from `recent` on before the rest. As long as no partition has
 * more than `limit` items, each is queried once. The first page has up to `limit` recent items of every
 * partition, whatever else the partition has.
 */
async function* readRecentFirst(
  work: UnfinishedWork,
  { recent, to }: { recent: number; to: number },
  limit: number,
): AsyncGenerator<IndexItem[]> {
  const isRecent = ({ due_at }: IndexItem) => due_at >= recent;
  const found = await Promise.all(queriesOf(work).map((query) => readPage(query, { to }, limit)));
  const long = found.filter(hasMore);
  // The page that was found of these is the oldest one.
  const afresh = await Promise.all(
    long.map(({ partition }) => readPage({ partition }, { from: recent, to }, limit)),
  );
  const short = found.filter((page) => !hasMore(page));
  yield [...short.flatMap(({ items }) => items.filter(isRecent)), ...afresh.flatMap(({ items }) => items)];
  yield* readPages(afresh.filter(hasMore), { from: recent, to }, limit);
  yield found.flatMap(({ items }) => items.filter((item) => !isRecent(item)));
  const older = long.filter(({ from }) => Number(from?.due_at) < recent);
  yield* readPages(older, { to: recent - 1 }, limit);
}

/**
 * The keys of tasks with unfinished work of one kind that is due by `to`, page by page. A page has at most
 * `limit` keys of each partition of the index, those that have been overdue the longest first. `recent`: keys
 * that are due from then on come before the rest. A key that stays in the index is not returned again.
 */
export async function* readOverdue(
  work: UnfinishedWork,
  { recent, to }: { recent?: number; to: number },
  limit: number,
): AsyncGenerator<TaskKey[]> {
  const pages =
    recent === undefined
      ? readPages(queriesOf(work), { to }, limit)
      : readRecentFirst(work, { recent, to }, limit);
  // The index has the keys only: the name of a row's partition begins with the user.
  for await (const items of pages) {
    yield items.map(({ partition, id }) => ({ user_id: Number.parseInt(partition, 10), id }));
  }
}

/**
 * The ids of a user's tasks without a final state, page by page. A page is read from `limit` entries of each
 * partition of the index.
 */
export async function* readUnfinished(userId: number, limit: number): AsyncGenerator<number[]> {
  const ofUser = {
    FilterExpression: 'begins_with(#partition, :user)',
    ExpressionAttributeNames: { '#partition': 'partition' },
    values: { ':user': `${userId}#` },
  };
  for await (const items of readPages(queriesOf('task'), { to: Number.MAX_SAFE_INTEGER }, limit, ofUser)) {
    yield items.map(({ id }) => id);
  }
}
