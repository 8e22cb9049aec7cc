/**
 * How many keywords the imports of a project are still to add, in the tracking table beside the project, so
 * that several imports at once do not get more keywords in than a project may have. A new import claims first
 * and then looks at the claims of the others: of two at once, at least one finds the claim of the other.
 */
import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inBatches } from '../runtime/in-parallel.ts';
import { type KeywordImport, toPresentImport } from './keyword-imports.ts';
import { layouts } from './layouts.ts';
import { readItems } from './read-items.ts';

const table = resource('TRACKING_TABLE');

/** A request has recorded its import by then, or its process has died. */
const requestSeconds = 60;

/** Longer than an import usually runs. The import removes its claim when it ends. */
const claimSeconds = 3600;

/** Keys of one request. */
const mostKeys = 100;

type Named = Pick<KeywordImport, 'project_id' | 'import_id'>;

const partitionOf = (projectId: number): string => `project#${projectId}`;
const prefix = 'import-claim#';
const keyOf = ({ project_id, import_id }: Named) => ({
  pk: partitionOf(project_id),
  sk: `${prefix}${import_id}`,
});

/** Claims room for the new keywords of an import. */
export const putClaim = async (named: Named, keywords: number, now: number): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...keyOf(named),
      version: layouts['keyword import'].rowVersion,
      keywords,
      claimed_at: now,
      ttl: now + claimSeconds,
    },
  });
  await durably('write-import', () => dynamo.send(put));
};

export const dropClaim = async (named: Named): Promise<void> => {
  const drop = new DeleteCommand({ TableName: table, Key: keyOf(named) });
  await durably('write-import', () => dynamo.send(drop));
};

/**
 * The imports of a project with their claims.
 * @throws LaterReleaseError if a later release wrote one of them.
 */
const listClaims = async (projectId: number): Promise<Map<number, Record<string, unknown>>> => {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :project AND begins_with(sk, :claim)',
    ExpressionAttributeValues: { ':project': partitionOf(projectId), ':claim': prefix },
    ConsistentRead: true,
  };
  const claims = new Map<number, Record<string, unknown>>();
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    for (const item of Items) claims.set(Number(String(item.sk).slice(prefix.length)), toPresentImport(item));
  }
  return claims;
};

/** The rows of imports that have one. Those of a later release have the same counts. */
const readRows = async (projectId: number, ids: readonly number[]) => {
  const rows = new Map<number, Record<string, unknown>>();
  for (const some of inBatches(ids, mostKeys)) {
    const keys = some.map((id) => ({ pk: partitionOf(projectId), sk: `import#${id}` }));
    for (const row of await readItems(table, keys)) rows.set(Number(row.import_id), row);
  }
  return rows;
};

/** New keywords that the other imports of the project may still add. */
export const readClaimed = async ({ project_id, import_id }: Named, now: number): Promise<number> => {
  const claims = await listClaims(project_id);
  claims.delete(import_id);
  const rows = await readRows(project_id, [...claims.keys()]);
  let claimed = 0;
  for (const [id, { keywords, claimed_at }] of claims) {
    const row = rows.get(id);
    if (!row) claimed += Number(claimed_at) > now - requestSeconds ? Number(keywords) : 0;
    else if (row.status === 'running') {
      const left = Number(row.accepted) - Number(row.handled);
      claimed += Math.max(0, Math.min(left, Number(keywords) - Number(row.added)));
    }
  }
  return claimed;
};
