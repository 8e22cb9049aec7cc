/**
 * Imports of keywords, in the tracking table beside the project: a row with the progress, and parts with the
 * keywords that are still to be added and the lines that were refused. A part is compressed. All of them
 * expire, and the parts with keywords are deleted when the import ends.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { RefusedLine } from '../model/keyword-import.ts';
import type { KeywordRequest } from '../model/tracked-keyword.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { durablyIf, unchangedSince } from './conditional.ts';
import { layouts } from './layouts.ts';
import { writeItems } from './projects.ts';
import { type Item, upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

/** An import is known for a week, in seconds. */
export const importSeconds = 7 * 86_400;

/** A key of a request is known for a day, in seconds. */
const keySeconds = 86_400;

export type KeywordImport = {
  user_id: number;
  project_id: number;
  import_id: number;
  status: 'running' | 'done' | 'failed';
  /** Unix seconds. */
  created_at: number;
  ended_at: number | null;
  /** Lines of the file, those that were accepted, and those that were refused. */
  lines: number;
  accepted: number;
  refused: number;
  /** Accepted lines that were handled, the keywords that they have added, and those that existed. */
  handled: number;
  added: number;
  existing: number;
  /** The number of the first new keyword: the ids are reserved, so a repeated step adds nothing twice. */
  first: number;
  /** Parts with keywords, the number of the next one to add, and parts with refused lines. */
  parts: number;
  next_part: number;
  refused_parts: number;
  /** Why the import failed. */
  reason: string | null;
  /** Absent in a row of an earlier release. */
  warnings?: string[];
  searches_per_day: number;
  monthly_cost_usd: number;
  ttl: number;
  revision: number;
};

type Named = Pick<KeywordImport, 'project_id' | 'import_id'>;

const partitionOf = (projectId: number): string => `project#${projectId}`;
const keyOf = ({ project_id, import_id }: Named) => ({
  pk: partitionOf(project_id),
  sk: `import#${import_id}`,
});

type PartKind = 'keywords' | 'refused';

const partKey = ({ project_id, import_id }: Named, kind: PartKind, n: number) => ({
  pk: partitionOf(project_id),
  sk: `import-part#${import_id}#${kind}#${n}`,
});

/** For all items of imports. */
export const toPresentImport = upgrading('keyword import', []);

const importOf = (item: Item): KeywordImport => {
  const { pk, sk, version, ...row } = toPresentImport(item);
  return row as KeywordImport;
};

/** Returns an import, unless it has expired. */
export const readImport = async (named: Named, now: number): Promise<KeywordImport | undefined> => {
  const get = new GetCommand({ TableName: table, Key: keyOf(named), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  return Item && Item.ttl > now ? importOf(Item) : undefined;
};

/**
 * The imports of a project that have not expired, in the order of their ids. Those that a later release wrote
 * are left out.
 */
export const listImports = async (projectId: number, now: number): Promise<KeywordImport[]> => {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :project AND begins_with(sk, :import)',
    ExpressionAttributeValues: { ':project': partitionOf(projectId), ':import': 'import#' },
    ConsistentRead: true,
  };
  const imports: KeywordImport[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    const present = Items.filter(({ ttl }) => ttl > now);
    imports.push(...present.flatMap((item) => leavingOut(() => importOf(item)) ?? []));
  }
  return imports;
};

/**
 * Writes an import. Returns false, and writes nothing, if it was written since it was read. A new one has
 * revision 0.
 */
export const writeImport = async (row: KeywordImport): Promise<boolean> => {
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...keyOf(row),
      version: layouts['keyword import'].rowVersion,
      ...row,
      revision: row.revision + 1,
    },
    ...unchangedSince(row.revision),
  });
  return (await durablyIf('write-import', () => dynamo.send(put))) !== undefined;
};

/**
 * Gives an import the turn of its project, unless another one that runs has it: imports of a project are
 * added one after another. Two at once could write a keyword each, and both count it, although one of the two
 * is removed. Returns whether the import has the turn. It keeps it until it has ended. An import that a later
 * release wrote has ended, too, if it says so: it does not keep the others waiting after a rollback.
 */
export const takeTurn = async (
  { project_id, import_id, ttl }: Pick<KeywordImport, 'project_id' | 'import_id' | 'ttl'>,
  now: number,
): Promise<boolean> => {
  const Key = { pk: partitionOf(project_id), sk: 'import-turn' };
  const read = async (key: Item): Promise<Item | undefined> =>
    (await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;
  const turn = await read(Key);
  if (turn?.import_id === import_id) return true;
  const holder = turn && (await read(keyOf({ project_id, import_id: Number(turn.import_id) })));
  if (holder?.status === 'running' && Number(holder.ttl) > now) return false;
  const put = new PutCommand({
    TableName: table,
    Item: { ...Key, version: layouts['keyword import'].rowVersion, import_id, ttl },
    // The SDK repeats a write whose answer is lost.
    ConditionExpression: 'attribute_not_exists(pk) OR import_id IN (:before, :own)',
    ExpressionAttributeValues: { ':before': turn?.import_id ?? import_id, ':own': import_id },
  });
  return (await durablyIf('write-import', () => dynamo.send(put))) !== undefined;
};

/** A keyword that an import adds, and its place among all that it adds, from 0. */
export type ImportedKeyword = { n: number; request: KeywordRequest };

/**
 * Items of a part. An import can stop after each part of keywords, which are five chunks, about 25 requests
 * to the table.
 */
const partItems: Record<PartKind, number> = { keywords: 250, refused: 1000 };

/** Bytes of JSON of a part. DynamoDB takes 400 KB in an item. */
const partBytes = 250_000;

/** Parts that are written at a time. */
const partWidth = 4;

/** Splits a list into parts that fit in an item each. */
const inParts = <Line>(items: readonly Line[], mostItems: number): Line[][] => {
  const parts: Line[][] = [];
  let [count, bytes] = [mostItems, 0];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (count >= mostItems || bytes + size > partBytes) {
      parts.push([]);
      [count, bytes] = [0, 0];
    }
    parts.at(-1)?.push(item);
    count += 1;
    bytes += size;
  }
  return parts;
};

const pack = async (items: readonly unknown[]): Promise<Uint8Array> =>
  promisify(brotliCompress)(JSON.stringify(items), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

const putParts = async (
  named: Named,
  kind: PartKind,
  items: readonly unknown[],
  ttl: number,
): Promise<number> => {
  const parts = inParts(items, partItems[kind]);
  await inParallel(parts.entries(), partWidth, async ([n, part]) => {
    const put = new PutCommand({
      TableName: table,
      Item: {
        ...partKey(named, kind, n),
        version: layouts['keyword import'].rowVersion,
        items: await pack(part),
        ttl,
      },
    });
    await durably('write-import', () => dynamo.send(put));
  });
  return parts.length;
};

/** Writes the parts of a new import. Returns their numbers. */
export const putImportParts = async (
  named: Named,
  keywords: readonly ImportedKeyword[],
  refused: readonly RefusedLine[],
  ttl: number,
): Promise<Pick<KeywordImport, 'parts' | 'refused_parts'>> => ({
  parts: await putParts(named, 'keywords', keywords, ttl),
  refused_parts: await putParts(named, 'refused', refused, ttl),
});

const readPart = async <Line>(named: Named, kind: PartKind, n: number): Promise<Line[]> => {
  const get = new GetCommand({ TableName: table, Key: partKey(named, kind, n), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  if (!Item) return [];
  const { items } = toPresentImport(Item) as { items: Uint8Array };
  return JSON.parse((await promisify(brotliDecompress)(items)).toString());
};

/** The keywords of a part. None if the import has ended. */
export const readImportPart = (named: Named, n: number): Promise<ImportedKeyword[]> =>
  readPart(named, 'keywords', n);

/** The lines of an import that were refused, in the order of the file. */
export const readRefused = async (row: KeywordImport): Promise<RefusedLine[]> => {
  const lines: RefusedLine[] = [];
  for (let n = 0; n < row.refused_parts; n++) lines.push(...(await readPart<RefusedLine>(row, 'refused', n)));
  return lines;
};

/** Deletes the keywords of an import that has ended. */
export const dropImportParts = (row: KeywordImport): Promise<void> =>
  writeItems(
    Array.from({ length: row.parts }, (_, n) => ({ DeleteRequest: { Key: partKey(row, 'keywords', n) } })),
  );

/** What a key of a request names. `body`: the hash of the request. */
export type ImportKey = { import_id: number; body: string };

const requestKey = (projectId: number, key: string) => ({
  pk: partitionOf(projectId),
  sk: `import-key#${createHash('sha256').update(key).digest('base64url')}`,
});

/**
 * The import of an earlier request with the key, unless the key has expired.
 * @throws LaterReleaseError if a later release wrote it: what it has imported is not known.
 */
export const readImportKey = async (
  projectId: number,
  key: string,
  now: number,
): Promise<ImportKey | undefined> => {
  const get = new GetCommand({ TableName: table, Key: requestKey(projectId, key), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  if (!Item || Item.ttl <= now) return undefined;
  const { import_id, body } = toPresentImport(Item) as ImportKey;
  return { import_id, body };
};

/** Records the key of a request. Returns false, and writes nothing, if another request has used it. */
export const putImportKey = async (
  projectId: number,
  key: string,
  named: ImportKey,
  now: number,
): Promise<boolean> => {
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...requestKey(projectId, key),
      version: layouts['keyword import'].rowVersion,
      ...named,
      ttl: now + keySeconds,
    },
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': now },
  });
  return (await durablyIf('write-import', () => dynamo.send(put))) !== undefined;
};
