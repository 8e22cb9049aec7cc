/**
 * The tasks table: all its keys, indexes and conditions. Key `user_id` + `id`, so that no query can read a task of another user. The sparse
 * index `unfinished` contains the tasks that still need work, ordered by the time at which that work is overdue.
 */
import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { TaskStatus } from '../model/task-status.ts';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import { type DurableWork, durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { durablyIf } from './conditional.ts';
import { type TaskRow, taskRowOf } from './task-row.ts';

const table = resource('TASKS_TABLE');

const partitions = 8;

/** A task's partition in the index of unfinished work. There are eight, so that no single partition takes all writes. */
export const unfinishedPartition = (id: number): string => String(id % partitions);

/** Reserves `count` numbers of the user's own counter by an atomic ADD. Returns the first of them. */
export const reserveNumbers = async (userId: number, count: number): Promise<number> => {
  // The counter has the id 0. No task has it, because a task's id contains the seconds since 1970.
  const add = new UpdateCommand({
    TableName: table,
    Key: { user_id: userId, id: 0 },
    UpdateExpression: 'ADD numbers :count',
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await durably('reserve-numbers', () => dynamo.send(add));
  return Attributes?.numbers - count;
};

const writeBatch = async (rows: TaskRow[]): Promise<void> => {
  let unwritten: Record<string, { PutRequest: { Item: Record<string, unknown> } }[]> | undefined = {
    [table]: rows.map((Item) => ({ PutRequest: { Item } })),
  };
  for (let tries = 0; unwritten?.[table]?.length; tries++) {
    if (tries === 8) throw new Error('The tasks table has not accepted all rows after 8 requests');
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** tries));
    const write = new BatchWriteCommand({ RequestItems: unwritten });
    const answer: { UnprocessedItems?: unknown } = await durably('write-rows', () => dynamo.send(write));
    unwritten = answer.UnprocessedItems as typeof unwritten;
  }
};

/** Writes new tasks. Their ids are fresh, so no condition is needed. */
export const putRows = async (rows: readonly TaskRow[]): Promise<void> => {
  // Four requests at a time: a batch of 1,000 is 40 requests, and the table must serve others too.
  await inParallel(inBatches(rows, 25), 4, writeBatch);
};

/** Returns the task, unless it has expired. DynamoDB may delete an expired item days later, so `ttl` is checked here (Reading 10). */
export const readRow = async (userId: number, id: number, now = clock()): Promise<TaskRow | undefined> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: { user_id: userId, id }, ConsistentRead: true }),
  );
  const row = taskRowOf(Item);
  return row && row.ttl > now ? row : undefined;
};

/** Updates a row if the condition holds. Returns false, and writes nothing, if it fails. */
const updateIf = async (
  work: DurableWork,
  { user_id, id }: TaskKey,
  expressions: Pick<
    UpdateCommandInput,
    'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >,
): Promise<boolean> => {
  const update = new UpdateCommand({ TableName: table, Key: { user_id, id }, ...expressions });
  return (await durablyIf(work, () => dynamo.send(update))) !== undefined;
};

/**
 * Moves a task to another state, or changes other attributes. Conditions: the task is in a state of `from` and, if `attempt` is given, that
 * run still holds it. Undefined in `set` removes the attribute. Returns false, and writes nothing, if the condition fails.
 */
export const moveRow = (
  key: TaskKey,
  condition: { from: readonly TaskStatus[]; attempt?: number },
  set: Partial<TaskRow>,
): Promise<boolean> => {
  const kept = Object.entries(set).filter(([, value]) => value !== undefined);
  const removed = Object.keys(set).filter((name) => !kept.some(([other]) => other === name));
  const states = condition.from.map((status, n) => [`:from${n}`, status] as const);
  const ofRun = condition.attempt !== undefined;
  return updateIf(set.status ? `move-to-${set.status}` : 'put-off-task', key, {
    UpdateExpression: [
      `SET ${kept.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: [
      `#status IN (${states.map(([name]) => name).join(', ')})`,
      ...(ofRun ? ['#attempt = :ofRun'] : []),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      ['status', ...(ofRun ? ['attempt'] : []), ...Object.keys(set)].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(states),
      ...(ofRun && { ':ofRun': condition.attempt }),
      ...Object.fromEntries(kept.map(([name, value]) => [`:${name}`, value])),
    },
  });
};

/** Sets the time at which the sweeper looks at a task again. Returns false if the time was changed since it was read. */
export const postponeRow = (key: TaskKey, seenDueAt: number, dueAt: number): Promise<boolean> =>
  updateIf('put-off-sweep', key, {
    UpdateExpression: 'SET due_at = :due',
    ConditionExpression: 'due_at = :seen',
    ExpressionAttributeValues: { ':due': dueAt, ':seen': seenDueAt },
  });

/** Deletes a task past its `ttl` that DynamoDB has not deleted yet. */
export const dropExpired = async (key: TaskKey, now: number): Promise<void> => {
  const drop = new DeleteCommand({
    TableName: table,
    Key: { user_id: key.user_id, id: key.id },
    ConditionExpression: '#ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': now },
  });
  await durablyIf('drop-expired', () => dynamo.send(drop));
};

/** Returns the keys of unfinished tasks that are overdue at `now`: of each partition, the `limit` that have been overdue the longest. */
export const readOverdue = async (now: number, limit: number): Promise<TaskKey[]> => {
  const found = await Promise.all(
    Array.from({ length: partitions }, (_, partition) =>
      dynamo.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'unfinished',
          KeyConditionExpression: 'unfinished = :partition AND due_at <= :now',
          ExpressionAttributeValues: { ':partition': String(partition), ':now': now },
          Limit: limit,
        }),
      ),
    ),
  );
  return found.flatMap(({ Items }) => (Items ?? []).map(({ user_id, id }) => ({ user_id, id })));
};
