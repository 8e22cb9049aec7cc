/** The rows of alerts, in the tasks table beside the tasks: what the delivery of their webhooks needs. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { rowKey, unfinishedPartition } from './partitions.ts';
import { alertSeconds } from './project-alerts.ts';
import type { AlertRow } from './task-row.ts';

const table = resource('TASKS_TABLE');

/** A webhook that no attempt has begun by then is queued again. */
const unsentSeconds = 25;

/** Writes the row of an alert with its delivery, unless it exists. Returns the id of the delivery. */
export const putAlertRow = async (
  alert: Pick<AlertRow, 'user_id' | 'id' | 'object' | 'postback_url' | 'base_url' | 'created_at' | 'format'>,
): Promise<string> => {
  const delivery = `msg_${alert.user_id}_${alert.id}_0`;
  const row: AlertRow = {
    kind: 'alert',
    version: layouts.alert.rowVersion,
    ...alert,
    ttl: alert.created_at + alertSeconds,
    postback_retries_count: 0,
    delivery,
    delivery_state: 'pending',
    delivery_attempt: 0,
    unfinished: unfinishedPartition('delivery', alert.id),
    due_at: alert.created_at + unsentSeconds,
  };
  const put = new PutCommand({
    TableName: table,
    Item: { ...row, ...rowKey(row) },
    ConditionExpression: 'attribute_not_exists(id)',
  });
  await durablyIf('write-alert', () => dynamo.send(put));
  return delivery;
};
