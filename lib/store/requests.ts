/**
 * Records of requests with an `Idempotency-Key`, in the tasks table. A record has what its tasks are made
 * from again: the time and the reserved numbers. It expires together with its tasks, after 24 hours.
 */
import { createHash, randomUUID } from 'node:crypto';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { IdempotencyKey } from '../model/idempotency.ts';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { requestKey } from './partitions.ts';
import { upgrading } from './version.ts';

const table = resource('TASKS_TABLE');

export type RequestRecord = {
  /** The hash of the body. */
  body: string;
  /** Unix time at which the tasks were created. */
  created_at: number;
  /** The first of the reserved numbers. */
  first: number;
  /** Unix time until which a request may write the tasks; 0 if none does. */
  lease_until: number;
  /** A random name of the last change. Absent before the first one, and in a record of an earlier release. */
  claim?: string;
  /** Whether all tasks are written and queued. */
  accepted: boolean;
  ttl: number;
};

const keyOf = (userId: number, { path, key }: IdempotencyKey) =>
  requestKey(userId, createHash('sha256').update(`${path} ${key}`).digest('base64url'));

const toPresent = upgrading('request', []);

/**
 * Returns the record, unless it has expired.
 * @throws LaterReleaseError if a later release wrote it: what it accepted is not known.
 */
export const readRequest = async (
  userId: number,
  key: IdempotencyKey,
  now: number,
): Promise<RequestRecord | undefined> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: keyOf(userId, key), ConsistentRead: true }),
  );
  return Item && Item.ttl > now ? (toPresent(Item) as RequestRecord) : undefined;
};

/** Writes a new record. Returns false, and writes nothing, if the key has one that has not expired. */
export const putRequest = async (
  userId: number,
  key: IdempotencyKey,
  record: RequestRecord,
  now: number,
): Promise<boolean> => {
  const put = new PutCommand({
    TableName: table,
    Item: { version: layouts.request.rowVersion, ...record, ...keyOf(userId, key) },
    // The SDK repeats a write whose answer is lost. Only this request has these numbers.
    ConditionExpression: 'attribute_not_exists(id) OR #ttl <= :now OR #first = :first',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#first': 'first' },
    ExpressionAttributeValues: { ':now': now, ':first': record.first },
  });
  return (await durablyIf('write-request', () => dynamo.send(put))) !== undefined;
};

/**
 * Changes the record of a request that is not accepted yet, if the lease is the one that was read. Returns
 * false, and writes nothing, if the condition fails.
 */
export const updateRequest = async (
  userId: number,
  key: IdempotencyKey,
  seen: Pick<RequestRecord, 'lease_until'>,
  set: Pick<RequestRecord, 'lease_until' | 'accepted'>,
): Promise<boolean> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: keyOf(userId, key),
    UpdateExpression: 'SET lease_until = :lease, accepted = :accepted, claim = :claim',
    // The SDK repeats a write whose answer is lost.
    ConditionExpression: 'accepted = :no AND (lease_until = :seen OR claim = :claim)',
    ExpressionAttributeValues: {
      ':claim': randomUUID(),
      ':lease': set.lease_until,
      ':accepted': set.accepted,
      ':no': false,
      ':seen': seen.lease_until,
    },
  });
  return (await durablyIf('write-request', () => dynamo.send(update))) !== undefined;
};
