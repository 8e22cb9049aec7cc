/**
 * The snapshots table: the pages that answer a search, for whoever asks it next (Reading 14). Key `snapshot_hash` + `source`, expiry
 * attribute `ttl`. A snapshot names nobody: neither the user nor the task that it was crawled for.
 */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import type { SerpRow } from './task-row.ts';
import { upgrading } from './version.ts';

const table = resource('SNAPSHOTS_TABLE');

/** 35 days: the HTML is deleted then. */
export const snapshotLifetimeSeconds = 35 * 86_400;

/** A search, and where its pages came from: what the sandbox invented never answers for an engine. */
export type SnapshotKey = { snapshot_hash: string; source: string };

export type Snapshot = SnapshotKey & {
  /** When the pages were fetched; of two snapshots, the later stands. */
  crawled_at: number;
  /** The pages of the task, without what is the task's own affair. */
  pages: Omit<SerpRow['pages'][number], 'url' | 'status' | 'retry_count'>[];
  counted: number[];
  nothing_found: boolean;
  /** Whether all the addresses are there that a search with a tracked domain would have got. */
  fit_for_tracking: boolean;
};

/** The version of the snapshots that this release writes. */
const snapshotVersion = 2;

// Version 1 had the same attributes, without a number.
const toPresent = upgrading('snapshot', [(snapshot) => snapshot]);

/** The snapshot, unless it has expired. Not read consistently, for half the price: one missed costs a crawl. */
export const readSnapshot = async (
  { snapshot_hash, source }: SnapshotKey,
  now: number,
): Promise<Snapshot | undefined> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { snapshot_hash, source } }));
  return Item && Item.ttl > now ? (toPresent(Item) as Snapshot) : undefined;
};

/** Keeps a snapshot, unless the one that is there is as new. */
export const putSnapshot = async (snapshot: Snapshot): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: { ...snapshot, version: snapshotVersion, ttl: snapshot.crawled_at + snapshotLifetimeSeconds },
    ConditionExpression: 'attribute_not_exists(crawled_at) OR crawled_at < :crawled_at',
    ExpressionAttributeValues: { ':crawled_at': snapshot.crawled_at },
  });
  await durablyIf('store-snapshot', () => dynamo.send(put));
};
