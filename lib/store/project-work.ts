/**
 * Work on projects that a request has begun and may not finish, in the tracking table: adding keywords,
 * importing a file, scheduling the keywords of a project that goes on after a pause, and removing what a
 * deleted project had. It is written before the work begins and removed
 * after its end, so a scheduled function finds the work of requests that died or ran out of time.
 */
import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

export const workKinds = ['add', 'import', 'remove', 'resume'] as const;

export type ProjectWork = {
  kind: (typeof workKinds)[number];
  user_id: number;
  project_id: number;
  /** Unix seconds at which the request began. */
  began_at: number;
  /** Of an import: its id. Otherwise a random one. */
  id: string;
  /** The version of its layout. */
  version: number;
};

const toPresent = upgrading('project work', []);

/**
 * Work in the layout of this release.
 * @throws LaterReleaseError if this release cannot read it.
 */
export const presentWork = (work: ProjectWork): ProjectWork => toPresent(work) as ProjectWork;

const keyOf = ({ kind, project_id, id }: ProjectWork) => ({ pk: 'work', sk: `${kind}#${project_id}#${id}` });

/** Records work that begins now. Work with the same id is replaced. */
export const beginWork = async (
  kind: ProjectWork['kind'],
  { user_id, project_id }: Pick<ProjectWork, 'user_id' | 'project_id'>,
  now: number,
  id: string = randomUUID(),
): Promise<ProjectWork> => {
  const { rowVersion: version } = layouts['project work'];
  const work: ProjectWork = { kind, user_id, project_id, began_at: now, id, version };
  const put = new PutCommand({ TableName: table, Item: { ...keyOf(work), ...work } });
  await durably('begin-work', () => dynamo.send(put));
  return work;
};

/** Leaves the rest of some work to the next scheduled run. */
export const leaveWork = async (work: ProjectWork): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: { ...keyOf(work), ...work, began_at: 0 },
    // Another run may have ended it.
    ConditionExpression: 'attribute_exists(pk)',
  });
  await durablyIf('begin-work', () => dynamo.send(put));
};

export const endWork = async (work: ProjectWork): Promise<void> => {
  const remove = new DeleteCommand({ TableName: table, Key: keyOf(work) });
  await durably('end-work', () => dynamo.send(remove));
};

/** All work on the projects of a user, whatever release wrote it. */
export const listWorkOf = async (userId: number): Promise<ProjectWork[]> => {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :work',
    FilterExpression: 'user_id = :user',
    ExpressionAttributeValues: { ':work': 'work', ':user': userId },
    ConsistentRead: true,
  };
  const works: ProjectWork[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    works.push(...Items.map(({ pk, sk, ...work }) => work as ProjectWork));
  }
  return works;
};

/**
 * Work that began before a Unix time, whatever release wrote it. At most 1 MB of it, which is some thousand
 * requests that died.
 */
export const listWork = async (before: number): Promise<ProjectWork[]> => {
  const query = new QueryCommand({
    TableName: table,
    KeyConditionExpression: 'pk = :work',
    FilterExpression: 'began_at < :before',
    ExpressionAttributeValues: { ':work': 'work', ':before': before },
    ConsistentRead: true,
  });
  const { Items = [] } = await dynamo.send(query);
  return Items.map(({ pk, sk, ...work }) => work as ProjectWork);
};
