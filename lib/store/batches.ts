/**
 * The rows of batches, in the tasks table beside the tasks. Every write is conditional. The row of a batch
 * with a webhook is in the index of unfinished work until its webhook is delivered or parked.
 */
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TaskKey } from '../model/workflow.ts';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { rowKey } from './partitions.ts';
import { setFields } from './set-fields.ts';
import { itemOf } from './task-item.ts';
import type { BatchRow } from './task-row.ts';
import { readReported } from './tasks.ts';

const table = resource('TASKS_TABLE');

/**
 * Writes a new batch. Its id is a number of the user's counter, so only a repeated request finds a row with
 * the same key.
 */
export const putBatch = async (row: BatchRow): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: { ...itemOf(row), ...rowKey(row) },
    ConditionExpression: 'attribute_not_exists(id)',
  });
  await durablyIf('write-batch', () => dynamo.send(put));
};

/** Returns the batch, unless it has expired or the id is that of a task. */
export const readBatch = async (key: TaskKey, now: number): Promise<BatchRow | undefined> => {
  const row = await readReported(key, now);
  return row?.kind === 'batch' ? row : undefined;
};

/**
 * Names another task that is not final. Returns false, and writes nothing, if another process has done so or
 * has ended the batch.
 */
export const waitForTask = async (row: BatchRow, taskId: number): Promise<boolean> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: rowKey(row),
    UpdateExpression: 'SET waits_for = :next',
    ConditionExpression: 'waits_for = :seen AND attribute_not_exists(delivery)',
    ExpressionAttributeValues: { ':next': taskId, ':seen': row.waits_for },
  });
  return (await durablyIf('wait-for-task', () => dynamo.send(update))) !== undefined;
};

/** The attributes of a batch that has ended: its counts, and the webhook that reports them. */
type Ended = Required<
  Pick<
    BatchRow,
    'counts' | 'delivery' | 'delivery_state' | 'delivery_attempt' | 'waits_since' | 'unfinished' | 'due_at'
  >
>;

/**
 * Records the end of a batch, once. Returns false, and writes nothing, if it is recorded, or if the batch
 * waits for another task now.
 */
export const endBatch = async (row: BatchRow, ended: Ended): Promise<boolean> => {
  const fields = setFields(ended);
  const update = new UpdateCommand({
    TableName: table,
    Key: rowKey(row),
    ...fields,
    ConditionExpression: 'waits_for = :seen AND attribute_not_exists(#delivery)',
    ExpressionAttributeValues: { ...fields.ExpressionAttributeValues, ':seen': row.waits_for },
  });
  return (await durablyIf('end-batch', () => dynamo.send(update))) !== undefined;
};
