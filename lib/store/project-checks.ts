/**
 * What results leave to be done later for their project, in the tracking table: sending its alert of the day,
 * and looking up volumes of a chunk's keywords. A check is in the index from the first result that asks for
 * it until it has ended.
 */
import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { setFields } from './set-fields.ts';
import { timeText } from './time-text.ts';
import { type Item, upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

type CheckKind = 'alerts' | 'volumes';

/** `chunk`: absent in checks of the whole project. */
type CheckOf = { kind: CheckKind; user_id: number; project_id: number; chunk?: number };

export type Check = CheckOf & {
  /** Unix seconds from which a run may take it. */
  at: number;
  /** When it was due first. A run that dies leaves it, so that the next run does the same. */
  slot: number;
  /** Changes with each result that asks for the check. */
  token: string;
  /**
   * The day whose stored alert has the positions that the next one compares with; absent before the first.
   */
  baseline?: string;
};

const keyOf = ({ kind, project_id, chunk }: CheckOf) => ({
  pk: `project#${project_id}`,
  sk: chunk === undefined ? `check#${kind}` : `check#${kind}#${chunk}`,
});

const indexPartition = (kind: CheckKind): string => `checks#${kind}`;
const indexSort = ({ project_id, chunk = 0 }: CheckOf, at: number): string =>
  `${timeText(at)}#${project_id}#${chunk}`;

/** Asks for a check at a Unix time, unless one is asked for already. One of a later release stays one. */
export const requestCheck = async (of: CheckOf, at: number): Promise<void> => {
  const update = new UpdateCommand({
    TableName: table,
    Key: keyOf(of),
    UpdateExpression:
      `SET #version = if_not_exists(#version, :version), #kind = :kind, user_id = :user, project_id = :project, ` +
      `#token = :token, #at = if_not_exists(#at, :at), ` +
      `slot = if_not_exists(slot, :at), index_pk = if_not_exists(index_pk, :partition), index_sk = if_not_exists(index_sk, :sort)` +
      (of.chunk === undefined ? '' : ', chunk = :chunk'),
    ExpressionAttributeNames: { '#version': 'version', '#kind': 'kind', '#token': 'token', '#at': 'at' },
    ExpressionAttributeValues: {
      ':version': layouts.check.rowVersion,
      ':kind': of.kind,
      ':user': of.user_id,
      ':project': of.project_id,
      ':token': randomUUID(),
      ':at': at,
      ':partition': indexPartition(of.kind),
      ':sort': indexSort(of, at),
      ...(of.chunk !== undefined && { ':chunk': of.chunk }),
    },
  });
  await durably('write-check', () => dynamo.send(update));
};

const toPresent = upgrading('check', []);

const readCheck = async ({ pk, sk }: Item): Promise<Check | undefined> => {
  const get = new GetCommand({ TableName: table, Key: { pk, sk }, ConsistentRead: true });
  const { Item: item } = await dynamo.send(get);
  return item && leavingOut(() => toPresent(item) as Check);
};

/**
 * Checks of a kind that are due at `now`, the oldest first. Those that only a later release can read are left
 * out, and stay due: the others come all the same, so a page may take more than one query.
 */
export const listDueChecks = async (kind: CheckKind, now: number, limit: number): Promise<Check[]> => {
  const query = {
    TableName: table,
    IndexName: 'index',
    KeyConditionExpression: 'index_pk = :partition AND index_sk < :next',
    ExpressionAttributeValues: {
      ':partition': indexPartition(kind),
      ':next': timeText(now + 1),
    },
    Limit: limit,
  };
  const due: Check[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    const checks = await Promise.all(Items.map(readCheck));
    // The index may lag behind the table.
    due.push(...checks.flatMap((check) => (check && check.at <= now ? check : [])));
    if (due.length >= limit) break;
  }
  return due.slice(0, limit);
};

type Fields = Record<string, string | number>;

/** Sets and removes fields of a check if it is as it was read. */
const update = async (
  check: Check,
  { set = {}, remove = [], seen }: { set?: Fields; remove?: string[]; seen: Fields },
): Promise<boolean> => {
  const fields = setFields(set, remove);
  const names = Object.keys(seen);
  const write = new UpdateCommand({
    TableName: table,
    Key: keyOf(check),
    ...fields,
    ConditionExpression: names.map((name) => `#${name} = :seen_${name}`).join(' AND '),
    ExpressionAttributeNames: {
      ...fields.ExpressionAttributeNames,
      ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...fields.ExpressionAttributeValues,
      ...Object.fromEntries(names.map((name) => [`:seen_${name}`, seen[name]])),
    },
  });
  return (await durablyIf('write-check', () => dynamo.send(write))) !== undefined;
};

/** Takes a check until a Unix time, when another run may take it. Undefined if another run was faster. */
export const claimCheck = async (check: Check, until: number): Promise<Check | undefined> => {
  const set = { at: until, index_sk: indexSort(check, until) };
  return (await update(check, { set, seen: { at: check.at } })) ? { ...check, at: until } : undefined;
};

/**
 * Ends a claimed check, and asks for it again at `nextAt` if a result has asked for it since it was read.
 * `baseline`: absent: as before.
 */
export const endCheck = async (check: Check, nextAt: number, baseline?: string): Promise<void> => {
  const kept: Fields = baseline === undefined ? {} : { baseline };
  const isEnded = await update(check, {
    set: kept,
    remove: ['at', 'slot', 'index_pk', 'index_sk'],
    seen: { at: check.at, token: check.token },
  });
  if (isEnded) return;
  const set = { ...kept, at: nextAt, slot: nextAt, index_sk: indexSort(check, nextAt) };
  await update(check, { set, seen: { at: check.at } });
};

/** Makes a claimed check due at another time. */
export const postponeCheck = async (check: Check, at: number): Promise<void> => {
  await update(check, { set: { at, index_sk: indexSort(check, at) }, seen: { at: check.at } });
};

/** Removes the check of a project that is deleted or has no alerts any more. */
export const dropCheck = async (check: CheckOf): Promise<void> => {
  const drop = new DeleteCommand({ TableName: table, Key: keyOf(check) });
  await durably('write-check', () => dynamo.send(drop));
};
