/**
 * The users table: all its keys, indexes and conditions. Key `id`; index `by-key` on `key_hash`, and
 * `by-other-key` on `other_key_hash`, which has only the accounts whose key was rotated.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateScan,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Account } from '../model/user.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { setFields } from './set-fields.ts';
import { upgrading } from './version.ts';

const table = resource('USERS_TABLE');

const toPresent = upgrading('user', [
  // Version 1: an account had one key, and its secrets had no end.
  (row) => ({ ...row, key_until: 0, other_key_until: 0, former_secret_until: 0, created_at: 0, revision: 0 }),
]);

/** The account of an item; undefined for the counter of ids, which is the item 0. */
const accountOf = (item: Record<string, unknown> | undefined): Account | undefined => {
  if (!item || item.id === 0) return undefined;
  const { version, ...account } = toPresent(item);
  return account as Account;
};

const readItem = async (id: number, isConsistent: boolean): Promise<Account | undefined> => {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: { id }, ConsistentRead: isConsistent }),
  );
  return accountOf(Item);
};

export const readAccount = (id: number): Promise<Account | undefined> => readItem(id, true);

const keyIndexes = [
  { IndexName: 'by-key', KeyConditionExpression: 'key_hash = :hash' },
  { IndexName: 'by-other-key', KeyConditionExpression: 'other_key_hash = :hash' },
];

/**
 * Finds an account by the SHA-256 of one of its API keys. The key may have ended. The indexes have ids only,
 * and may lag behind the table by a moment, and so may the account: each request reads it, and a consistent
 * read costs twice as much. The second index is read only if the first one does not have the key.
 */
export const findAccount = async (keyHash: string): Promise<Account | undefined> => {
  for (const index of keyIndexes) {
    const { Items } = await dynamo.send(
      new QueryCommand({
        TableName: table,
        ...index,
        ExpressionAttributeValues: { ':hash': keyHash },
        Limit: 1,
      }),
    );
    const id: number | undefined = Items?.[0]?.id;
    if (id !== undefined) return readItem(id, false);
  }
  return undefined;
};

/** All accounts that this release can read, in no order. Reads the whole table. */
export const scanAccounts = async (): Promise<Account[]> => {
  const accounts: Account[] = [];
  for await (const { Items = [] } of paginateScan(
    { client: dynamo },
    { TableName: table, ConsistentRead: true },
  )) {
    accounts.push(...Items.flatMap((item) => leavingOut(() => accountOf(item)) ?? []));
  }
  return accounts;
};

/**
 * At most `limit` accounts that follow the one with the id `after`, in the order of the table. `last` is the
 * id after which the next page begins; undefined if there is none. A page may have fewer accounts than
 * `limit`, because the counter of ids is in the table too.
 */
export const readAccountPage = async (
  limit: number,
  after: number | undefined,
): Promise<{ accounts: Account[]; last: number | undefined }> => {
  const { Items = [], LastEvaluatedKey } = await dynamo.send(
    new ScanCommand({
      TableName: table,
      Limit: limit,
      ConsistentRead: true,
      ...(after !== undefined && { ExclusiveStartKey: { id: after } }),
    }),
  );
  return {
    accounts: Items.flatMap((item) => leavingOut(() => accountOf(item)) ?? []),
    last: LastEvaluatedKey?.id,
  };
};

/**
 * Reserves the next user id, from 2 on: 1 is the first account's. The counter has the id 0, which is no
 * user's.
 */
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
      new PutCommand({
        TableName: table,
        Item: { ...account, version: layouts.user.rowVersion },
        ConditionExpression: 'attribute_not_exists(id)',
      }),
    ),
  );
};

/** Deletes an account. Its id is given to no other user, except that of the first one. */
export const deleteAccount = async (id: number): Promise<void> => {
  await durably('erase-user', () => dynamo.send(new DeleteCommand({ TableName: table, Key: { id } })));
};

/** Sets the fields of an account if the condition holds. Returns whether it did. */
const update = async (
  id: number,
  fields: Record<string, unknown>,
  condition: string,
  values: Record<string, unknown> = {},
): Promise<boolean> => {
  const set = setFields(
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  );
  const written = await durablyIf('write-account', () =>
    dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: { id },
        ...set,
        // Only an account has a signing key: the counter of ids has none.
        ConditionExpression: `attribute_exists(signing_key) AND (${condition})`,
        ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...values },
      }),
    ),
  );
  return written !== undefined;
};

/**
 * Sets the fields of an account that do not depend on its other fields. Returns false if there is no such
 * account.
 */
export const changeAccount = (
  id: number,
  fields: Partial<
    Pick<Account, 'enabled' | 'rate_limit' | 'permissions' | 'read_only' | 'search_keys_ended'>
  >,
): Promise<boolean> => update(id, fields, 'attribute_exists(id)');

export type Credentials = Pick<
  Account,
  'key_hash' | 'key_until' | 'other_key_hash' | 'other_key_until' | 'webhook_secrets' | 'former_secret_until'
>;

/** Whether the fields of an account are these. */
const isAs = (account: Account, fields: Partial<Account>): boolean =>
  Object.entries(fields).every(([name, value]) => isDeepStrictEqual(account[name as keyof Account], value));

/**
 * Changes keys and secrets of an account, and with them its limit, from the state in which it was read.
 * Returns the changed account; undefined if its keys or secrets were changed since it was read, or if it no
 * longer exists.
 */
export const changeCredentials = async (
  account: Account,
  fields: Partial<Credentials & Pick<Account, 'rate_limit'>>,
): Promise<Account | undefined> => {
  const { key_hash, key_until, other_key_hash, other_key_until } = account;
  const { webhook_secrets, former_secret_until, created_at } = account;
  const changed = {
    // An account of version 1 becomes one of the present version, so write all fields that version 1 does not
    // have.
    key_hash,
    key_until,
    other_key_hash,
    other_key_until,
    webhook_secrets,
    former_secret_until,
    created_at,
    ...fields,
    revision: account.revision + 1,
  };
  const isWritten = await update(
    account.id,
    { ...changed, version: layouts.user.rowVersion },
    account.revision === 0 ? 'attribute_not_exists(revision)' : 'revision = :seen',
    account.revision === 0 ? {} : { ':seen': account.revision },
  );
  if (isWritten) return { ...account, ...changed };
  // If the answer of the write was lost, the SDK has sent it again, and this write has changed the account. A
  // hash or a secret is random, so only this write can have stored it.
  if (Object.keys(fields).every((name) => name === 'rate_limit')) return undefined;
  const now = await readAccount(account.id);
  return now?.revision === changed.revision && isAs(now, fields) ? now : undefined;
};
