/** The writes of new tasks in the tasks table, and the numbers that their ids are made from. */
import { randomInt } from 'node:crypto';
import { PutCommand, type PutCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { isBackPressure } from '../runtime/back-pressure.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { durablyIf } from './conditional.ts';
import { halfOfNumbers, numbersFrom, numbersOfShard } from './numbers.ts';
import { counterKey, rowKey, shards } from './partitions.ts';
import { itemOf } from './task-item.ts';
import type { SerpRow, TaskRow } from './task-row.ts';
import { untilAccepted } from './until-accepted.ts';
import { writeBatches } from './write-batches.ts';

const table = resource('TASKS_TABLE');

/** Rows that are written at a time if each needs a condition, which a batch request does not have. */
const missingWidth = 25;

const mostRequests = 8;

/**
 * Where a user's counters begin. Otherwise the first tasks of two users in the same second would often have
 * the same id.
 */
const firstNumberOf = (userId: number): number => (userId * 40_503) % numbersOfShard;

/**
 * Reserves `count` numbers of a user by one atomic ADD. Each of the user's sixteen counters has its own
 * numbers, and a request takes a random one, so that no counter takes the writes of all requests. Consecutive
 * numbers belong to different partitions of the table.
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

/**
 * Writes a new row if the condition holds. A refused request is repeated, as for a batch. Returns whether the
 * row is written.
 */
const putIf = async (
  row: TaskRow,
  condition: Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>,
): Promise<boolean> => {
  const put = new PutCommand({ TableName: table, Item: { ...itemOf(row), ...rowKey(row) }, ...condition });
  let isWritten = false;
  await untilAccepted('The tasks table has not accepted the row', mostRequests, [put], async () => {
    try {
      isWritten = (await durablyIf('write-rows', () => dynamo.send(put))) !== undefined;
      return [];
    } catch (error) {
      if (isBackPressure(error)) return [put];
      throw error;
    }
  });
  return isWritten;
};

/**
 * Writes a new search under a random number that is free, and returns it. `numbered` gives the task with a
 * number. A counter would cost another write.
 */
export const putNewRow = async <Row extends SerpRow>(numbered: (number: number) => Row): Promise<Row> => {
  for (;;) {
    const row = numbered(halfOfNumbers + randomInt(halfOfNumbers));
    const isWritten = await putIf(row, {
      // A request whose answer was lost is repeated. The name of the folder is random, so an item with this
      // name is that of the row.
      ConditionExpression: 'attribute_not_exists(id) OR html_folder = :folder',
      ExpressionAttributeValues: { ':folder': row.html_folder },
    });
    if (isWritten) return row;
  }
};

/**
 * Writes those of the rows that do not exist yet. Their numbers belong to them alone, so a row that exists
 * was written by an earlier try, and its task may have ended since.
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
