/**
 * The tasks table: its writes and their conditions; its keys are in `partitions.ts`, its lists in `lists.ts`. The sparse index `unfinished`
 * contains the tasks that still need work, ordered by the time at which that work is overdue.
 */
import { randomInt } from 'node:crypto';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  DeleteCommand,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { TaskStatus } from '../model/task-status.ts';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { isBackPressure, RefusedError } from '../runtime/back-pressure.ts';
import { clock } from '../runtime/clock.ts';
import { type DurableWork, durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { durablyIf } from './conditional.ts';
import { halfOfNumbers, numbersFrom, numbersOfShard } from './numbers.ts';
import { counterKey, rowKey, shards, type UnfinishedWork, unfinishedPartitions } from './partitions.ts';
import {
  isAbsent,
  itemOf,
  type ReportedRow,
  rowOf,
  type SerpRow,
  type TaskRow,
  taskRowOf,
} from './task-row.ts';
import { writeBatches } from './write-batches.ts';

const table = resource('TASKS_TABLE');

/** Rows that are written at a time if each needs a condition, which a batch request does not have. */
const missingWidth = 25;

/** Where a user's counters begin. Otherwise the first tasks of two users in the same second would often have the same id. */
const firstNumberOf = (userId: number): number => (userId * 40_503) % numbersOfShard;

/**
 * Reserves `count` numbers of a user by one atomic ADD. Each of the user's sixteen counters has its own numbers, and a request takes a
 * random one, so that no counter takes the writes of all requests. Consecutive numbers belong to different partitions of the table.
 */
export const reserveNumbers = async (
  userId: number,
  count: number,
  shard = randomInt(shards),
): Promise<number[]> => {
  const add = new UpdateCommand({
    TableName: table,
    Key: counterKey(userId, shard),
    UpdateExpression: 'ADD numbers :count',
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await durably('reserve-numbers', () => dynamo.send(add));
  const first = Attributes?.numbers - count + firstNumberOf(userId);
  return numbersFrom(shard * numbersOfShard + (first % numbersOfShard), count);
};

/** Writes a new row if the condition holds. A refused request is repeated, as for a batch. Returns whether the row is written. */
const putIf = async (
  row: TaskRow,
  condition: Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>,
): Promise<boolean> => {
  const put = new PutCommand({ TableName: table, Item: { ...itemOf(row), ...rowKey(row) }, ...condition });
  for (let tries = 1; ; tries++) {
    try {
      return (await durablyIf('write-rows', () => dynamo.send(put))) !== undefined;
    } catch (error) {
      if (!isBackPressure(error)) throw error;
      if (tries === 8) throw new RefusedError('The tasks table has not accepted the row after 8 requests');
      await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** tries));
    }
  }
};

/**
 * Writes a new search under a random number that is free, and returns it. `numbered` gives the task with a number. A counter would cost another
 * write.
 */
export const putNewRow = async <Row extends SerpRow>(numbered: (number: number) => Row): Promise<Row> => {
  for (;;) {
    const row = numbered(halfOfNumbers + randomInt(halfOfNumbers));
    const isWritten = await putIf(row, {
      // A request whose answer was lost is repeated. The name of the folder is random, so an item with this name is that of the row.
      ConditionExpression: 'attribute_not_exists(id) OR html_folder = :folder',
      ExpressionAttributeValues: { ':folder': row.html_folder },
    });
    if (isWritten) return row;
  }
};

/**
 * Writes those of the rows that do not exist yet. Their numbers belong to them alone, so a row that exists was written by an earlier try,
 * and its task may have ended since.
 */
export const putMissingRows = (rows: readonly TaskRow[]): Promise<void> =>
  inParallel(rows, missingWidth, async (row) => {
    await putIf(row, { ConditionExpression: 'attribute_not_exists(id)' });
  });

/** Writes new tasks. Their numbers are those of a counter, so no condition is needed. */
export const putRows = (rows: readonly TaskRow[]): Promise<void> =>
  writeBatches(
    table,
    'write-rows',
    rows.map((row) => ({ PutRequest: { Item: { ...itemOf(row), ...rowKey(row) } } })),
  );

const readItem = async (key: TaskKey): Promise<Record<string, unknown> | undefined> => {
  const get = new GetCommand({ TableName: table, Key: rowKey(key), ConsistentRead: true });
  return (await dynamo.send(get)).Item;
};

/** Returns the task, of any kind, unless it has expired. DynamoDB may delete an expired item days later, so `ttl` is checked here (Reading 10). */
export const readTaskRow = async (userId: number, id: number, now = clock()): Promise<TaskRow | undefined> =>
  unlessExpired(taskRowOf(await readItem({ user_id: userId, id })), now);

/** As `readTaskRow`, for a task that must be a search. Another kind of task is undefined, as an unknown id is (Reading 13). */
export const readRow = async (userId: number, id: number, now = clock()): Promise<SerpRow | undefined> => {
  const row = await readTaskRow(userId, id, now);
  return row?.kind === 'serp' ? row : undefined;
};

/** As `readTaskRow`, for whatever a webhook reports on: a task, a batch or an alert. */
export const readReported = async (key: TaskKey, now = clock()): Promise<ReportedRow | undefined> =>
  unlessExpired(rowOf(await readItem(key)), now);

const unlessExpired = <Row extends { ttl: number }>(row: Row | undefined, now: number): Row | undefined =>
  row && row.ttl > now ? row : undefined;

/**
 * Reads up to 100 tasks and batches with one request, the maximum of DynamoDB. A key may occur twice. The answer has a settled promise for each key, in their order, so that a row that cannot be read does
 * not hide the others. Rejects if the table does not answer for all keys.
 */
export const readRows = async (
  keys: readonly TaskKey[],
  now: number,
): Promise<PromiseSettledResult<ReportedRow | undefined>[]> => {
  const nameOf = ({ partition, id }: Record<string, unknown>) => `${partition}/${id}`;
  // DynamoDB refuses a request that has a key twice.
  const unique = new Map(keys.map(rowKey).map((key) => [nameOf(key), key]));
  const items = new Map<string, Record<string, unknown>>();
  let unread: BatchGetCommandInput['RequestItems'] = {
    [table]: { Keys: [...unique.values()], ConsistentRead: true },
  };
  for (let tries = 0; unread?.[table]?.Keys?.length; tries++) {
    if (tries === 5) throw new RefusedError('The tasks table has not returned all rows after 5 requests');
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** tries));
    const answer: BatchGetCommandOutput = await dynamo.send(new BatchGetCommand({ RequestItems: unread }));
    for (const item of answer.Responses?.[table] ?? []) items.set(nameOf(item), item);
    unread = answer.UnprocessedKeys;
  }
  return Promise.allSettled(
    keys.map(async (key) => unlessExpired(rowOf(items.get(nameOf(rowKey(key)))), now)),
  );
};

/** Updates a row if the condition holds. Returns false, and writes nothing, if it fails. */
const updateIf = async (
  work: DurableWork,
  key: TaskKey,
  expressions: Pick<
    UpdateCommandInput,
    'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >,
): Promise<boolean> => {
  const update = new UpdateCommand({ TableName: table, Key: rowKey(key), ...expressions });
  return (await durablyIf(work, () => dynamo.send(update))) !== undefined;
};

type AllFields<Row> = Row extends TaskRow ? Partial<Omit<Row, 'kind'>> : never;

/** Changes to a row of one of the kinds. Undefined removes the attribute. */
export type Changes = AllFields<TaskRow>;

/**
 * Moves a task to another state, or changes other attributes. Conditions: the task is in a state of `from`; if `attempt` is given, that
 * run still holds it; if `freeAt` is given, no lease is valid at that Unix time. Undefined in `set` removes the attribute. Returns false, and writes nothing, if the condition fails.
 */
export const moveRow = (
  key: TaskKey,
  condition: { from: readonly TaskStatus[]; attempt?: number; freeAt?: number },
  set: Changes,
): Promise<boolean> => {
  const kept = Object.entries(set).filter(([name, value]) => !isAbsent(name, value));
  const removed = Object.keys(set).filter((name) => !kept.some(([other]) => other === name));
  const states = condition.from.map((status, n) => [`:from${n}`, status] as const);
  const ofRun = condition.attempt !== undefined;
  return updateIf(set.status ? `move-to-${set.status}` : 'put-off-task', key, {
    UpdateExpression: [
      ...(kept.length > 0 ? [`SET ${kept.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: [
      `#status IN (${states.map(([name]) => name).join(', ')})`,
      ...(ofRun ? ['#attempt = :ofRun'] : []),
      ...(condition.freeAt === undefined ? [] : ['lease_until <= :freeAt']),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      ['status', ...(ofRun ? ['attempt'] : []), ...Object.keys(set)].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(states),
      ...(ofRun && { ':ofRun': condition.attempt }),
      ...(condition.freeAt !== undefined && { ':freeAt': condition.freeAt }),
      ...Object.fromEntries(kept.map(([name, value]) => [`:${name}`, value])),
    },
  });
};

/**
 * Gives a successful task the result of a later reading of its pages, number `parses`. Returns false, and writes nothing, if the task has run
 * again or was read again since.
 */
export const replaceResult = (
  { user_id, id, attempt }: TaskKey & Pick<SerpRow, 'attempt'>,
  { stored, parses, complete }: Required<Pick<SerpRow, 'stored' | 'parses' | 'complete'>>,
): Promise<boolean> =>
  updateIf(
    'replace-result',
    { user_id, id },
    {
      UpdateExpression: `SET #stored = :stored, parses = :parses${complete ? ', complete = :complete' : ' REMOVE complete'}`,
      ConditionExpression: `#status = :success AND attempt = :attempt AND ${
        parses === 1 ? 'attribute_not_exists(parses)' : 'parses = :before'
      }`,
      ExpressionAttributeNames: { '#status': 'status', '#stored': 'stored' },
      ExpressionAttributeValues: {
        ':stored': stored,
        ':parses': parses,
        ...(complete && { ':complete': true }),
        ':success': 'success',
        ':attempt': attempt,
        ...(parses > 1 && { ':before': parses - 1 }),
      },
    },
  );

/**
 * Records that the run which holds the task is about to order its search at the upstream provider. Returns false, and writes nothing, if the
 * run no longer holds the task, or if another step has begun an order since `row` was read.
 */
export const beginOrder = (
  { user_id, id, attempt, ordering }: TaskKey & Pick<SerpRow, 'attempt' | 'ordering'>,
  now: number,
): Promise<boolean> =>
  updateIf(
    'begin-order',
    { user_id, id },
    {
      UpdateExpression: 'SET ordering = :ordering',
      ConditionExpression: `#status = :crawling AND attempt = :attempt AND ${
        ordering ? 'ordering.#last = :seen' : 'attribute_not_exists(ordering)'
      }`,
      ExpressionAttributeNames: { '#status': 'status', ...(ordering && { '#last': 'last' }) },
      ExpressionAttributeValues: {
        ':ordering': { first: ordering?.first ?? now, last: now },
        ':crawling': 'crawling',
        ':attempt': attempt,
        ...(ordering && { ':seen': ordering.last }),
      },
    },
  );

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
    Key: rowKey(key),
    ConditionExpression: '#ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': now },
  });
  await durablyIf('drop-expired', () => dynamo.send(drop));
};

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
 * The keys of tasks with unfinished work of one kind that was due in the given time, page by page. A page has at most `limit` keys of each partition
 * of the index, those that have been overdue the longest first. A key that stays in the index is not returned again.
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

/** The ids of a user's tasks without a final state, page by page. A page is read from `limit` entries of each partition of the index. */
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
