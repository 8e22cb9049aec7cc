/**
 * The limits table: counters of fixed windows. Key `key`, one per counter and window; expiry attribute `ttl`.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';

const table = resource('LIMITS_TABLE');

/**
 * Adds one to the counter `name` in the window that ends at `end` (Unix time), by an atomic ADD. Returns the
 * new count.
 */
export const countInWindow = async (name: string, end: number): Promise<number> => {
  const { Attributes } = await durably('count-in-window', () =>
    dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: { key: `${name}#${end}` },
        UpdateExpression: 'ADD hits :one SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        // Nobody reads the counter an hour after its window.
        ExpressionAttributeValues: { ':one': 1, ':ttl': end + 3600 },
        ReturnValues: 'UPDATED_NEW',
      }),
    ),
  );
  return Attributes?.hits;
};

/** Adds `amount` to the counter `name`, unless it has reached `limit`. Returns whether it was added. */
export const countInWindowBelow = async (
  limit: number,
  name: string,
  end: number,
  amount = 1,
): Promise<boolean> => {
  const count = new UpdateCommand({
    TableName: table,
    Key: { key: `${name}#${end}` },
    UpdateExpression: 'ADD hits :amount SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(hits) OR hits < :limit',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':amount': amount, ':ttl': end + 3600, ':limit': limit },
  });
  return (await durablyIf('count-in-window', () => dynamo.send(count))) !== undefined;
};

const countOf = async (name: string, end: number): Promise<number> => {
  const get = new GetCommand({ TableName: table, Key: { key: `${name}#${end}` }, ConsistentRead: true });
  return (await dynamo.send(get)).Item?.hits ?? 0;
};

/**
 * Adds one to the counter `name`, unless it has reached `limit` together with what is left in its window
 * that ended at `earlier`: work that began before that time and goes on. Returns whether it was added.
 */
export const countBesideEarlier = async (
  limit: number,
  name: string,
  end: number,
  earlier: number,
): Promise<boolean> => {
  const free = limit - (await countOf(name, earlier));
  return free > 0 && countInWindowBelow(free, name, end);
};

/** Subtracts one from the counter `name`. */
export const uncountInWindow = async (name: string, end: number): Promise<void> => {
  await durably('count-in-window', () =>
    dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: { key: `${name}#${end}` },
        UpdateExpression: 'ADD hits :less',
        ExpressionAttributeValues: { ':less': -1 },
      }),
    ),
  );
};
