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

/** The items of the index of unfinished work of one kind that are due in the given time, page by page. */
async function* readIndex(
  work: UnfinishedWork,
  { from: earliest = 0, to }: Range,
  limit: number,
  filter: Pick<QueryCommandInput, 'FilterExpression' | 'ExpressionAttributeNames'> & {
    values?: Record<string, unknown>;
  } = {},
): AsyncGenerator<{ partition: string; id: number }[]> {
  const { values, ...expressions } = filter;
  let queries: { partition: string; from?: Record<string, unknown> }[] = unfinishedPartitions(work).map(
    (partition) => ({ partition }),
  );
  while (queries.length > 0) {
    const found = await Promise.all(
      queries.map(async ({ partition, from }) => {
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
        return { items: Items as { partition: string; id: number }[], partition, from: LastEvaluatedKey };
      }),
    );
    yield found.flatMap(({ items }) => items);
    queries = found.filter(({ from }) => from !== undefined);
  }
}

/**
 * The keys of tasks with unfinished work of one kind that was due in the given time, page by page. A page has
 * at most `limit` keys of each partition of the index, those that have been overdue the longest first. A key
 * that stays in the index is not returned again.
 */
export async function* readOverdue(
  work: UnfinishedWork,
  due: Range,
  limit: number,
): AsyncGenerator<TaskKey[]> {
  // The index has the keys only: the name of a row's partition begins with the user.
  for await (const items of readIndex(work, due, limit)) {
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
  for await (const items of readIndex('task', { to: Number.MAX_SAFE_INTEGER }, limit, ofUser)) {
    yield items.map(({ id }) => id);
  }
}
