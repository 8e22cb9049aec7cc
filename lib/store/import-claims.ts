/**
 * How many keywords the imports of a project are still to add, in the tracking table beside the project, so
 * that several imports at once do not get more keywords in than a project may have. A new import claims first
 * and then looks at the claims of the others: of two at once, at least one finds the claim of the other.
 */
import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import type { KeywordImport } from './keyword-imports.ts';

const table = resource('TRACKING_TABLE');

/** A request has recorded its import by then, or its process has died. */
const requestSeconds = 60;

/** Longer than an import runs. Without a claim, what an import may add at most counts. */
const claimSeconds = 3600;

type Named = Pick<KeywordImport, 'project_id' | 'import_id'>;

const partitionOf = (projectId: number): string => `project#${projectId}`;
const prefix = 'import-claim#';
const keyOf = ({ project_id, import_id }: Named) => ({
  pk: partitionOf(project_id),
  sk: `${prefix}${import_id}`,
});

/** Claims room for the new keywords of an import, or for fewer than before. */
export const putClaim = async (named: Named, keywords: number, now: number): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: { ...keyOf(named), keywords, claimed_at: now, ttl: now + claimSeconds },
  });
  await durably('write-import', () => dynamo.send(put));
};

export const dropClaim = async (named: Named): Promise<void> => {
  const drop = new DeleteCommand({ TableName: table, Key: keyOf(named) });
  await durably('write-import', () => dynamo.send(drop));
};

const readItems = async (projectId: number, begin: string, names: string[]) => {
  const found: Record<string, unknown>[] = [];
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :project AND begins_with(sk, :begin)',
    ExpressionAttributeValues: { ':project': partitionOf(projectId), ':begin': begin },
    ProjectionExpression: ['sk', ...names.map((name) => `#${name}`)].join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) found.push(...Items);
  return new Map(found.map(({ sk, ...item }) => [Number(String(sk).slice(begin.length)), item]));
};

/** New keywords that the other imports of the project may still add. */
export const readClaimed = async ({ project_id, import_id }: Named, now: number): Promise<number> => {
  const claims = await readItems(project_id, prefix, ['keywords', 'claimed_at']);
  const rows = await readItems(project_id, 'import#', ['status', 'accepted', 'handled']);
  let claimed = 0;
  for (const [id, { keywords, claimed_at }] of claims) {
    if (id !== import_id && !rows.has(id) && Number(claimed_at) > now - requestSeconds) {
      claimed += Number(keywords);
    }
  }
  for (const [id, { status, accepted, handled }] of rows) {
    if (id === import_id || status !== 'running') continue;
    claimed += Math.min(Number(accepted) - Number(handled), Number(claims.get(id)?.keywords ?? Infinity));
  }
  return claimed;
};
