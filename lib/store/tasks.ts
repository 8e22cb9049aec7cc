/**
 * The rows of tasks in the tasks table: reads, changes and their conditions. The keys are in `partitions.ts`,
 * the writes of new tasks in `new-tasks.ts`, the lists in `lists.ts`, the index of unfinished work in
 * `unfinished.ts`.
 */
import { DeleteCommand, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TaskStatus } from '../model/task-status.ts';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { clock } from '../runtime/clock.ts';
import type { DurableWork } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { rowKey } from './partitions.ts';
import { readItems } from './read-items.ts';
import { setFields } from './set-fields.ts';
import { isAbsent, rowOf, taskRowOf } from './task-item.ts';
import type { ReportedRow, SerpRow, TaskRow } from './task-row.ts';
import type { Item } from './version.ts';

const table = resource('TASKS_TABLE');

const readItem = async (key: TaskKey): Promise<Item | undefined> => {
  const get = new GetCommand({ TableName: table, Key: rowKey(key), ConsistentRead: true });
  return (await dynamo.send(get)).Item;
};

/**
 * Returns the task, of any kind, unless it has expired. DynamoDB may delete an expired item days later, so
 * `ttl` is checked here (Reading 10).
 */
export const readTaskRow = async (userId: number, id: number, now = clock()): Promise<TaskRow | undefined> =>
  taskRowOf(unlessExpired(await readItem({ user_id: userId, id }), now));

/**
 * As `readTaskRow`, for a task that must be a search. Another kind of task is undefined, as an unknown id is
 * (Reading 13).
 */
export const readRow = async (userId: number, id: number, now = clock()): Promise<SerpRow | undefined> => {
  const row = await readTaskRow(userId, id, now);
  return row?.kind === 'serp' ? row : undefined;
};

/** As `readTaskRow`, for whatever a webhook reports on: a task, a batch or an alert. */
export const readReported = async (key: TaskKey, now = clock()): Promise<ReportedRow | undefined> =>
  rowOf(unlessExpired(await readItem(key), now));

/** Before it is read: a row that only a later release can read expires, too. */
const unlessExpired = (item: Item | undefined, now: number): Item | undefined =>
  item && Number(item.ttl) > now ? item : undefined;

/**
 * Reads up to 100 tasks and batches with one request, the maximum of DynamoDB. A key may occur twice. The
 * answer has a settled promise for each key, in their order, so that a row that cannot be read does not hide
 * the others. Rejects if the table does not answer for all keys.
 */
export const readRows = async (
  keys: readonly TaskKey[],
  now: number,
): Promise<PromiseSettledResult<ReportedRow | undefined>[]> => {
  const nameOf = ({ partition, id }: Record<string, unknown>) => `${partition}/${id}`;
  // DynamoDB refuses a request that has a key twice.
  const unique = new Map(keys.map(rowKey).map((key) => [nameOf(key), key]));
  const items = new Map((await readItems(table, [...unique.values()])).map((item) => [nameOf(item), item]));
  return Promise.allSettled(
    keys.map(async (key) => rowOf(unlessExpired(items.get(nameOf(rowKey(key))), now))),
  );
};

/** Updates a row if the condition holds. Returns false, and writes nothing, if it fails. */
export const updateIf = async (
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
 * Moves a task to another state, or changes other attributes. Conditions: the task is in a state of `from`;
 * if `attempt` is given, that run still holds it; if `freeAt` is given, no lease is valid at that Unix time.
 * Undefined in `set` removes the attribute. Returns false, and writes nothing, if the condition fails.
 *
 * With `freeAt`, `set` has a `claim`. The SDK repeats a write whose answer is lost: the repetition finds the
 * claim in the row, and takes the lease again.
 */
export const moveRow = (
  key: TaskKey,
  condition: { from: readonly TaskStatus[]; attempt?: number; freeAt?: number },
  set: Changes,
): Promise<boolean> => {
  const removed = Object.keys(set).filter((name) => isAbsent(name, set[name as keyof Changes]));
  const kept = Object.fromEntries(Object.entries(set).filter(([name]) => !removed.includes(name)));
  const fields = setFields(kept, removed);
  const states = condition.from.map((status, n) => [`:from${n}`, status] as const);
  const ofRun = condition.attempt !== undefined;
  const state = `#status IN (${states.map(([name]) => name).join(', ')})`;
  const isFree = [
    state,
    ...(ofRun ? ['#attempt = :ofRun'] : []),
    ...(condition.freeAt === undefined ? [] : ['lease_until <= :freeAt']),
  ].join(' AND ');
  const isHeld = `#claim = :claim AND ${set.status ? '#status = :status' : state}`;
  return updateIf(set.status ? `move-to-${set.status}` : 'put-off-task', key, {
    ...fields,
    ConditionExpression: condition.freeAt === undefined ? isFree : `(${isFree}) OR (${isHeld})`,
    ExpressionAttributeNames: {
      ...fields.ExpressionAttributeNames,
      '#status': 'status',
      ...(ofRun && { '#attempt': 'attempt' }),
    },
    ExpressionAttributeValues: {
      ...fields.ExpressionAttributeValues,
      ...Object.fromEntries(states),
      ...(ofRun && { ':ofRun': condition.attempt }),
      ...(condition.freeAt !== undefined && { ':freeAt': condition.freeAt }),
    },
  });
};

/**
 * Gives a successful task the result of a later reading of its pages, number `parses`. Returns false, and
 * writes nothing, if the task has run again or was read again since.
 */
export const replaceResult = (
  { user_id, id, attempt }: TaskKey & Pick<SerpRow, 'attempt'>,
  {
    stored,
    parses,
    complete,
    findings,
  }: Required<Pick<SerpRow, 'stored' | 'parses' | 'complete'>> & { findings: string[] | undefined },
): Promise<boolean> => {
  const changes = { stored, parses, ...(complete && { complete }), ...(findings && { findings }) };
  const removed = [...(complete ? [] : ['complete']), ...(findings ? [] : ['findings'])];
  const fields = setFields(changes, removed);
  return updateIf(
    'replace-result',
    { user_id, id },
    {
      ...fields,
      ConditionExpression: `#status = :success AND attempt = :attempt AND ${
        parses === 1 ? 'attribute_not_exists(parses)' : 'parses = :before'
      }`,
      ExpressionAttributeNames: { ...fields.ExpressionAttributeNames, '#status': 'status' },
      ExpressionAttributeValues: {
        ...fields.ExpressionAttributeValues,
        ':success': 'success',
        ':attempt': attempt,
        ...(parses > 1 && { ':before': parses - 1 }),
      },
    },
  );
};

/**
 * Records that the run which holds the task is about to order its search at the upstream provider. Returns
 * false, and writes nothing, if the run no longer holds the task, or if another step has begun an order since
 * `row` was read.
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

/**
 * Sets the time at which the sweeper looks at a task again and, if it is given, `queued_at`. Returns false if
 * the time was changed since it was read.
 */
export const postponeRow = (
  key: TaskKey,
  seenDueAt: number,
  dueAt: number,
  queuedAt?: number,
): Promise<boolean> =>
  updateIf('put-off-sweep', key, {
    UpdateExpression: `SET due_at = :due${queuedAt === undefined ? '' : ', queued_at = :queued'}`,
    ConditionExpression: 'due_at = :seen',
    ExpressionAttributeValues: {
      ':due': dueAt,
      ':seen': seenDueAt,
      ...(queuedAt !== undefined && { ':queued': queuedAt }),
    },
  });

/**
 * Deletes a row past its `ttl` that DynamoDB has not deleted yet. Returns its status, if it has one;
 * undefined if nothing was deleted.
 */
export const dropExpired = async (
  key: TaskKey,
  now: number,
): Promise<{ status: string | undefined } | undefined> => {
  const drop = new DeleteCommand({
    TableName: table,
    Key: rowKey(key),
    ConditionExpression: '#ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': now },
    ReturnValues: 'ALL_OLD',
  });
  const dropped = await durablyIf('drop-expired', () => dynamo.send(drop));
  return dropped?.Attributes && { status: dropped.Attributes.status };
};
