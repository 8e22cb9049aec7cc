/** The users table: all its keys, indexes and conditions. Key `id`; index `by-key` on `key_hash`. */
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Account } from '../model/user.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';

const table = resource('USERS_TABLE');

export const readAccount = async (id: number): Promise<Account | undefined> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  return Item as Account | undefined;
};

/** Finds an account by the SHA-256 of its API key. The index may lag behind the table by a moment. */
export const findAccount = async (keyHash: string): Promise<Account | undefined> => {
  const { Items } = await dynamo.send(
    new QueryCommand({
      TableName: table,
      IndexName: 'by-key',
      KeyConditionExpression: 'key_hash = :hash',
      ExpressionAttributeValues: { ':hash': keyHash },
      Limit: 1,
    }),
  );
  return Items?.[0] as Account | undefined;
};

/** Reserves the next user id, from 2 on: 1 is the first account's. The counter has the id 0, which is no user's. */
export const reserveAccountId = async (): Promise<number> => {
  const { Attributes } = await durably('write-account', () =>
    dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: 0 },
        UpdateExpression: 'SET last_id = if_not_exists(last_id, :one) + :one',
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    ),
  );
  return Attributes?.last_id;
};

/** Writes a new account. Throws if its id is taken. */
export const putAccount = async (account: Account): Promise<void> => {
  await durably('write-account', () =>
    dynamo.send(
      new PutCommand({ TableName: table, Item: account, ConditionExpression: 'attribute_not_exists(id)' }),
    ),
  );
};

/** Replaces the fields of an account that an operator may change. Throws if there is no such account. */
export const updateAccount = async (
  id: number,
  { key_hash, webhook_secrets, rate_limit }: Pick<Account, 'key_hash' | 'webhook_secrets' | 'rate_limit'>,
): Promise<void> => {
  await durably('write-account', () =>
    dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression: 'SET key_hash = :hash, webhook_secrets = :secrets, rate_limit = :limit',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':hash': key_hash, ':secrets': webhook_secrets, ':limit': rate_limit },
      }),
    ),
  );
};
