/**
 * The snapshots table: the pages that answer a search, for later tasks with the same search (Reading 14). Key
 * `snapshot_hash` + `source`, expiry attribute `ttl`. A snapshot contains neither the user nor the task that
 * it was crawled for.
 */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { snapshotLifetimeSeconds } from '../model/request-limits.ts';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { withoutLinks } from './task-item.ts';
import type { SerpRow } from './task-row.ts';
import { isReadable, upgrading } from './version.ts';

const table = resource('SNAPSHOTS_TABLE');

/** A search and the source of its pages. A page of the sandbox must never answer for a real engine. */
type SnapshotKey = { snapshot_hash: string; source: string };

export type Snapshot = SnapshotKey & {
  /** When the pages were fetched. The later one of two snapshots is kept. */
  crawled_at: number;
  /** The pages of the task, without the fields that concern only that task. */
  pages: Omit<SerpRow['pages'][number], 'url' | 'status' | 'retry_count'>[];
  counted: number[];
  nothing_found: boolean;
  /** The `User-Agent` that the pages were fetched with. Absent in snapshots of earlier releases. */
  user_agent?: string;
  /** Whether the snapshot has all the addresses that a task with a tracked domain would have looked up. */
  fit_for_tracking: boolean;
};

// Version 1 had the same attributes, without a version number.
const toPresent = upgrading('snapshot', [
  (snapshot) => snapshot,
  // Version 2: pages had the flag `links`.
  withoutLinks,
]);

/**
 * Returns the snapshot, unless it has expired. The read is not consistent, for half the price: a missed
 * snapshot costs one crawl. One of a later release is as good as none. The next crawl replaces it.
 */
export const readSnapshot = async (
  { snapshot_hash, source }: SnapshotKey,
  now: number,
): Promise<Snapshot | undefined> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { snapshot_hash, source } }));
  return Item && Item.ttl > now && isReadable('snapshot', Item) ? (toPresent(Item) as Snapshot) : undefined;
};

/** Stores a snapshot, unless the stored one is as new or newer. */
export const putSnapshot = async (snapshot: Snapshot): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...snapshot,
      version: layouts.snapshot.rowVersion,
      ttl: snapshot.crawled_at + snapshotLifetimeSeconds,
    },
    ConditionExpression: 'attribute_not_exists(crawled_at) OR crawled_at < :crawled_at',
    ExpressionAttributeValues: { ':crawled_at': snapshot.crawled_at },
  });
  await durablyIf('store-snapshot', () => dynamo.send(put));
};
