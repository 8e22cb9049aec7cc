/**
 * The tracked keywords of a project, in chunks: an item of the tracking table has up to 50 keywords,
 * compressed, and is the only record of them. A project of 10,000 keywords is 200 items, so a list reads a
 * bounded number of items, and only those that have changed since the function read them last: the index has
 * the version of each chunk.
 */
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { DeleteCommand, GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { HttpError } from '../model/http-error.ts';
import type { TrackedKeyword } from '../model/tracking.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { leaveOut } from '../runtime/later-release.ts';
import { durablyIf, unchangedSince } from './conditional.ts';
import { layouts } from './layouts.ts';
import { readItems } from './read-items.ts';
import { upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

/** Keywords of a chunk. Each result writes its chunk, so a larger chunk costs more. */
export const chunkKeywords = 50;

const toPresent = upgrading('chunk', []);

const numberText = (n: number): string => String(n).padStart(4, '0');

const chunkKey = (projectId: number, n: number) => ({
  pk: `project#${projectId}`,
  sk: `chunk#${numberText(n)}`,
});

/** A chunk of a project's keywords, and the number of its last write: 0 if it has not been written. */
export type Chunk = { n: number; revision: number; keywords: readonly TrackedKeyword[] };

const pack = async (keywords: readonly TrackedKeyword[]): Promise<Uint8Array> =>
  promisify(brotliCompress)(JSON.stringify(keywords), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
  });

const chunkOf = async (item: Record<string, unknown>): Promise<Chunk> => {
  const { sk, revision, keywords } = toPresent(item) as {
    sk: string;
    revision: number;
    keywords: Uint8Array;
  };
  const text = (await promisify(brotliDecompress)(keywords)).toString();
  const chunk = { n: Number(sk.slice('chunk#'.length)), revision, keywords: JSON.parse(text) };
  bytesOf.set(chunk, text.length);
  return chunk;
};

/** Reads a chunk. One that has not been written is empty. */
export const readChunk = async (projectId: number, n: number): Promise<Chunk> => {
  const get = new GetCommand({ TableName: table, Key: chunkKey(projectId, n), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  return Item ? chunkOf(Item) : { n, revision: 0, keywords: [] };
};

/** Writes a chunk. Returns false, and writes nothing, if it was written since it was read. */
export const writeChunk = async (projectId: number, { n, revision, keywords }: Chunk): Promise<boolean> => {
  const next = revision + 1;
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...chunkKey(projectId, n),
      version: layouts.chunk.rowVersion,
      revision: next,
      keywords: await pack(keywords),
      index_pk: `chunks#${projectId}`,
      index_sk: `${numberText(n)}#${next}`,
    },
    ...unchangedSince(revision),
  });
  return (await durablyIf('write-chunk', () => dynamo.send(put))) !== undefined;
};

/** The chunks that this process has read, of the projects that it was asked for last. */
const known = new Map<number, Map<number, Chunk>>();

/**
 * The most bytes of JSON in these chunks, unless the last project alone has more. In memory they take about
 * twice as much.
 */
const knownBytes = 100_000_000;

/** The bytes of JSON that a chunk was read from. */
const bytesOf = new WeakMap<Chunk, number>();

const sizeOf = (chunks: Map<number, Chunk>): number =>
  [...chunks.values()].reduce((sum, chunk) => sum + (bytesOf.get(chunk) ?? 0), 0);

const remember = (projectId: number, chunks: Map<number, Chunk>): void => {
  known.delete(projectId);
  known.set(projectId, chunks);
  let bytes = 0;
  for (const [id, each] of [...known].reverse()) {
    bytes += sizeOf(each);
    if (bytes > knownBytes && id !== projectId) known.delete(id);
  }
};

/** The number and the revision of each chunk. The index may lag behind the table by a moment. */
const readRevisions = async (projectId: number): Promise<Map<number, number>> => {
  const query = {
    TableName: table,
    IndexName: 'index',
    KeyConditionExpression: 'index_pk = :chunks',
    ExpressionAttributeValues: { ':chunks': `chunks#${projectId}` },
  };
  const revisions = new Map<number, number>();
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    for (const { index_sk } of Items) {
      const [n, revision] = String(index_sk).split('#').map(Number);
      if (n !== undefined && revision !== undefined) revisions.set(n, revision);
    }
  }
  return revisions;
};

/** Chunks of a batch request. DynamoDB returns at most 100 items and 16 MB. */
const batchChunks = 50;

const chunksOf = async (items: readonly Record<string, unknown>[], leavesOut: boolean): Promise<Chunk[]> => {
  const read = await Promise.allSettled(items.map(chunkOf));
  return read.flatMap((settled) => {
    if (settled.status === 'fulfilled') return settled.value;
    if (!leavesOut) throw settled.reason;
    leaveOut(settled.reason);
    return [];
  });
};

const readMany = async (
  projectId: number,
  numbers: readonly number[],
  leavesOut: boolean,
): Promise<Chunk[]> => {
  const items: Record<string, unknown>[] = [];
  await inParallel(inBatches(numbers, batchChunks), 4, async (batch) => {
    const keys = batch.map((n) => chunkKey(projectId, n));
    items.push(...(await readItems(table, keys)));
  });
  return chunksOf(items, leavesOut);
};

/**
 * All chunks of a project, in order. Reads only those that have changed since this process read them.
 * `leavesOut`: a chunk that a later release wrote is left out, for lists.
 */
export const readChunks = async (projectId: number, leavesOut = false): Promise<Chunk[]> => {
  const revisions = await readRevisions(projectId);
  const before = known.get(projectId) ?? new Map<number, Chunk>();
  const changed = [...revisions].filter(([n, revision]) => (before.get(n)?.revision ?? 0) < revision);
  const read = await readMany(
    projectId,
    changed.map(([n]) => n),
    leavesOut,
  );
  const chunks = new Map([...before].filter(([n]) => revisions.has(n)));
  // One that was left out must not appear as it was before.
  for (const [n] of changed) chunks.delete(n);
  for (const chunk of read) chunks.set(chunk.n, chunk);
  remember(projectId, chunks);
  return [...chunks.values()].sort((a, b) => a.n - b.n);
};

const presentChunks = (projectId: number) => ({
  TableName: table,
  IndexName: undefined,
  KeyConditionExpression: 'pk = :project AND begins_with(sk, :chunk)',
  ExpressionAttributeValues: { ':project': chunkKey(projectId, 0).pk, ':chunk': 'chunk#' },
  ConsistentRead: true,
});

/**
 * As `readPresentChunks`, page by page: a large project has 400 chunks. `leavesOut`: a chunk that a later
 * release wrote is left out.
 */
export async function* readChunkPages(projectId: number, leavesOut = false): AsyncGenerator<Chunk[]> {
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, presentChunks(projectId))) {
    yield await chunksOf(Items, leavesOut);
  }
}

/**
 * All chunks of a project, in order, as the table has them now. Reads everything, unlike `readChunks`, whose
 * index may lag behind.
 */
export const readPresentChunks = async (projectId: number): Promise<Chunk[]> => {
  const chunks: Chunk[] = [];
  for await (const page of readChunkPages(projectId)) chunks.push(...page);
  return chunks;
};

/** The number and the revision of each chunk, as the table has them now. */
const readPresentRevisions = async (projectId: number): Promise<Map<number, number>> => {
  const query = {
    ...presentChunks(projectId),
    ProjectionExpression: 'sk, revision',
  };
  const revisions = new Map<number, number>();
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    for (const { sk, revision } of Items) {
      revisions.set(Number(String(sk).slice('chunk#'.length)), Number(revision));
    }
  }
  return revisions;
};

/**
 * As `readPresentChunks`, for a caller that has the chunks of before: only those that were changed since are
 * read and unpacked.
 */
export const readPresentAgain = async (projectId: number, before: readonly Chunk[]): Promise<Chunk[]> => {
  const revisions = await readPresentRevisions(projectId);
  const same = before.filter(({ n, revision }) => revisions.get(n) === revision);
  const numbers = new Set(same.map(({ n }) => n));
  const changed = await readMany(
    projectId,
    [...revisions.keys()].filter((n) => !numbers.has(n)),
    false,
  );
  return [...same, ...changed].sort((a, b) => a.n - b.n);
};

export const deleteChunk = async (projectId: number, n: number): Promise<void> => {
  const remove = new DeleteCommand({ TableName: table, Key: chunkKey(projectId, n) });
  await durably('write-chunk', () => dynamo.send(remove));
};

/** Tries of a change that meets other writers. */
const changeTries = 20;

/** Milliseconds of the longest wait between two tries: the more tries, the longer. */
const longestWait = (tries: number): number => Math.min(200, 4 * tries ** 2);

/**
 * Changes a chunk by a function of its keywords, again if another process writes it meanwhile. Writes nothing
 * if the function returns the same array.
 * @throws HttpError 409 if others keep writing.
 */
export const changeChunk = async (
  projectId: number,
  n: number,
  change: (keywords: readonly TrackedKeyword[]) => readonly TrackedKeyword[],
): Promise<Chunk> => {
  for (let tries = 0; tries < changeTries; tries++) {
    const chunk = await readChunk(projectId, n);
    const keywords = change(chunk.keywords);
    if (keywords === chunk.keywords) return chunk;
    if (await writeChunk(projectId, { ...chunk, keywords })) {
      return { n, revision: chunk.revision + 1, keywords };
    }
    await setTimeout(Math.random() * longestWait(tries));
  }
  throw new HttpError(409, 'The keywords are being changed at the same time: send the request again');
};
