/**
 * The tasks table: every key, index and condition of it. Key `user_id` + `id`, so that a foreign task cannot even be read.
 * The sparse index `unfinished` holds the tasks that still need something, by the time at which it is overdue.
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

/** A task's partition in the index of unfinished work: eight, so that no partition takes the writes of all. */
export const unfinishedPartition = (id: number): string => String(id % partitions);

/** Reserves `count` numbers of the user's own counter by one atomic ADD; answers the first of them. */
export const reserveNumbers = async (userId: number, count: number): Promise<number> => {
  // The counter lies under id 0, which is no task's: an id begins with the seconds since 1970.
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
    if (tries === 8) throw new Error('The tasks table takes no more writes');
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

/** The task, unless it has expired: the table's own expiry may take days, so `ttl` is checked here (Reading 10). */
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
 * Moves a task to another state, on the condition that it is in one of `from` and, where given, that the run `attempt`
 * still holds it. Undefined in `set` removes the attribute. Answers false, and writes nothing, if the condition fails.
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

/** Puts off the time at which the sweeper looks at a task again, unless something else has moved it meanwhile. */
export const postponeRow = (key: TaskKey, seenDueAt: number, dueAt: number): Promise<boolean> =>
  updateIf('put-off-sweep', key, {
    UpdateExpression: 'SET due_at = :due',
    ConditionExpression: 'due_at = :seen',
    ExpressionAttributeValues: { ':due': dueAt, ':seen': seenDueAt },
  });

/** Deletes a task past its `ttl` that the table's own expiry has not come to yet. */
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

/** Keys of unfinished tasks that are overdue at `now`, the longest overdue first, at most `limit` of each partition. */
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
