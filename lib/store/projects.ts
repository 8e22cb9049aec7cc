/**
 * The projects of a user and the pointers from a keyword's id to its chunk, in the tracking table. Another
 * user's cannot even be read.
 */
import { DeleteCommand, GetCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Project } from '../model/tracking.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { durablyIf, unchangedSince } from './conditional.ts';
import { layouts } from './layouts.ts';
import { readPartition } from './read-partition.ts';
import { upgrading } from './version.ts';
import { type WriteRequest, writeBatches } from './write-batches.ts';

const table = resource('TRACKING_TABLE');

const toPresent = upgrading('project', []);
const toPresentPlace = upgrading('keyword place', []);

const idText = (id: number): string => String(id).padStart(16, '0');

const partitionOf = (userId: number): string => `user#${userId}`;

const projectKey = (userId: number, projectId: number) => ({
  pk: partitionOf(userId),
  sk: `project#${idText(projectId)}`,
});

const projectOf = (item: Record<string, unknown>): Project => {
  const { pk, sk, version, ...project } = toPresent(item);
  return project as Project;
};

/**
 * Reserves consecutive numbers for new ids, by one atomic ADD, and returns the first. No other process gets
 * the same ones.
 */
export const reserveIds = async (count: number): Promise<number> => {
  const add = new UpdateCommand({
    TableName: table,
    Key: { pk: 'counter', sk: 'ids' },
    UpdateExpression: 'ADD numbers :count',
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await durably('write-tracking', () => dynamo.send(add));
  return Attributes?.numbers - count;
};

export const readProject = async (userId: number, projectId: number): Promise<Project | undefined> => {
  if (projectId < 0) return undefined;
  const get = new GetCommand({ TableName: table, Key: projectKey(userId, projectId), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  return Item && projectOf(Item);
};

/**
 * Writes a project. Returns false, and writes nothing, if it was changed or deleted since it was read. A new
 * project has revision 0.
 */
export const writeProject = async (project: Project): Promise<boolean> => {
  const { user_id, project_id, revision } = project;
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...projectKey(user_id, project_id),
      version: layouts.project.rowVersion,
      ...project,
      revision: revision + 1,
    },
    ...unchangedSince(revision),
  });
  return (await durablyIf('write-project', () => dynamo.send(put))) !== undefined;
};

export const deleteProject = async (userId: number, projectId: number): Promise<void> => {
  const remove = new DeleteCommand({ TableName: table, Key: projectKey(userId, projectId) });
  await durably('write-project', () => dynamo.send(remove));
};

/**
 * A page of a user's projects, oldest first: those after the id `after`, or before the id `before`, in the
 * order of their ids.
 */
export const listProjects = async (
  userId: number,
  { after, before, limit }: { after?: number | undefined; before?: number | undefined; limit: number },
): Promise<Project[]> => {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :user AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':user': partitionOf(userId),
      ':from': `project#${after === undefined ? '' : idText(after + 1)}`,
      ':to': before === undefined ? 'project$' : `project#${idText(before - 1)}`,
    },
    ScanIndexForward: before === undefined,
    Limit: limit,
    ConsistentRead: true,
  };
  const projects: Project[] = [];
  // A project that a later release wrote is left out, so a page may take more than one query.
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    projects.push(...Items.flatMap((item) => leavingOut(() => projectOf(item)) ?? []));
    if (projects.length >= limit) break;
  }
  projects.splice(limit);
  return before === undefined ? projects : projects.reverse();
};

/** The chunk of a keyword. */
type KeywordPlace = { project_id: number; chunk: number };

const pointerKey = (userId: number, keywordId: number) => ({
  pk: partitionOf(userId),
  sk: `keyword#${idText(keywordId)}`,
});

/**
 * Where a user's keyword is; undefined if the user has no such keyword. It may have been deleted from its
 * chunk.
 * @throws LaterReleaseError if only a later release knows where it is.
 */
export const findKeyword = async (userId: number, keywordId: number): Promise<KeywordPlace | undefined> => {
  if (keywordId < 0) return undefined;
  const get = new GetCommand({ TableName: table, Key: pointerKey(userId, keywordId), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  if (!Item) return undefined;
  const { project_id, chunk } = toPresentPlace(Item) as KeywordPlace;
  return { project_id, chunk };
};

/** What the partition of a user names: its projects, and the places of its keywords. */
export type Owned = { projects: number[]; keywords: (KeywordPlace & { keyword_id: number })[] };

/** The projects and pointers of a user, whatever release wrote them, page by page, in the order of ids. */
export async function* readOwned(userId: number): AsyncGenerator<Owned> {
  const partition = { table, name: 'pk', value: partitionOf(userId) } as const;
  for await (const items of readPartition(partition, ['sk', 'project_id', 'chunk'])) {
    const owned: Owned = { projects: [], keywords: [] };
    for (const { sk, project_id, chunk } of items) {
      const [of, id] = String(sk).split('#');
      if (of === 'project') owned.projects.push(Number(id));
      else
        owned.keywords.push({ keyword_id: Number(id), project_id: Number(project_id), chunk: Number(chunk) });
    }
    yield owned;
  }
}

/**
 * Deletes what a project has beside its chunks: its checks and the list of its alerts. `withChunks`: also
 * those, which only a later release can read.
 */
export const deleteProjectItems = async (projectId: number, withChunks = false): Promise<void> => {
  const partition = { table, name: 'pk', value: `project#${projectId}` } as const;
  for await (const items of readPartition(partition, ['pk', 'sk'])) {
    const others = items.filter(({ sk }) => withChunks || !String(sk).startsWith('chunk#'));
    await writeItems(others.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
  }
};

/** Writes or deletes items of the tracking table without a condition. */
export const writeItems = (requests: readonly WriteRequest[]): Promise<void> =>
  writeBatches(table, 'write-tracking', requests);

/** Writes the pointers of new keywords. */
export const putPointers = (
  userId: number,
  pointers: readonly (KeywordPlace & { keyword_id: number })[],
): Promise<void> =>
  writeItems(
    pointers.map(({ keyword_id, project_id, chunk }) => ({
      PutRequest: {
        Item: {
          ...pointerKey(userId, keyword_id),
          version: layouts['keyword place'].rowVersion,
          project_id,
          chunk,
        },
      },
    })),
  );

export const deletePointers = (userId: number, keywordIds: readonly number[]): Promise<void> =>
  writeItems(keywordIds.map((id) => ({ DeleteRequest: { Key: pointerKey(userId, id) } })));
