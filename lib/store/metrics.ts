/**
 * The metrics table: what a source knew of a keyword, for later requests of all users. Key `keyword`, expiry
 * attribute `ttl`. An item has neither a user nor a task.
 */
import { createHash } from 'node:crypto';
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Metrics } from '../model/keyword-metrics.ts';
import { dynamo } from '../runtime/aws.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { packMetrics, unpackMetrics } from './packed-metrics.ts';

const table = resource('METRICS_TABLE');

/** The limits of DynamoDB. */
const keysPerRead = 100;
const itemsPerWrite = 25;

/** Requests at a time. */
const width = 4;

/** Where metrics come from, and what they are about. `keyword` is in its `keywordForm`. */
export type MetricsKey = {
  source: string;
  location: number | null;
  language: string | null;
  keyword: string;
};

const itemKey = ({ source, location, language, keyword }: MetricsKey): string =>
  createHash('sha256')
    .update(JSON.stringify([source, location, language, keyword]))
    .digest('base64url');

export type StoredMetrics = { metrics: Metrics; fetchedAt: number };

/**
 * The stored metrics of keywords that are not older than `since`, by keyword. The reads are not consistent,
 * for half the price: what is missed costs a part of a call. If the table refuses a read, its keywords count
 * as not stored.
 */
export const readMetrics = async (
  keys: readonly MetricsKey[],
  since: number,
): Promise<Map<string, StoredMetrics>> => {
  const keywords = new Map(keys.map((key) => [itemKey(key), key.keyword]));
  const found = new Map<string, StoredMetrics>();
  await inParallel(inBatches([...keywords.keys()], keysPerRead), width, async (some) => {
    const Keys = some.map((keyword) => ({ keyword }));
    const read = dynamo.send(new BatchGetCommand({ RequestItems: { [table]: { Keys } } }));
    if (!(await isAccepted(read))) return;
    for (const { keyword, metrics, fetched_at } of (await read).Responses?.[table] ?? []) {
      const unpacked = unpackMetrics(metrics);
      const name = keywords.get(keyword);
      if (name !== undefined && unpacked && fetched_at >= since) {
        found.set(name, { metrics: unpacked, fetchedAt: fetched_at });
      }
    }
  });
  return found;
};

/** Stores metrics for `seconds`. What the table refuses is not stored: the source then answers once more. */
export const putMetrics = async (
  entries: readonly { key: MetricsKey; metrics: Metrics }[],
  now: number,
  seconds: number,
): Promise<void> => {
  await inParallel(inBatches(entries, itemsPerWrite), width, async (some) => {
    const requests = some.map(({ key, metrics }) => ({
      PutRequest: {
        Item: {
          keyword: itemKey(key),
          metrics: packMetrics(metrics),
          fetched_at: now,
          ttl: Math.ceil(now + seconds),
        },
      },
    }));
    const write = new BatchWriteCommand({ RequestItems: { [table]: requests } });
    await isAccepted(durably('store-metrics', () => dynamo.send(write)));
  });
};
