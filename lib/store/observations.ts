/**
 * The history of tracked keywords, in the tracking table: an item for each crawl of a keyword, by the time of
 * the crawl. The item has either the positions that the crawl gave or the reason why it gave none.
 */
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Gap, Observation } from '../model/tracking.ts';
import { dynamo } from '../runtime/aws.ts';
import { calendar } from '../runtime/calendar.ts';
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { layouts } from './layouts.ts';
import { writeItems } from './projects.ts';
import { timeText } from './time-text.ts';
import { upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

/** The history of a keyword is kept for two years. */
export const historySeconds = 731 * 86_400;

const partitionOf = (keywordId: number): string => `keyword#${keywordId}`;

const keyOf = (keywordId: number, at: number) => ({
  pk: partitionOf(keywordId),
  sk: timeText(at),
});

/**
 * What one crawl gave for a keyword. `at`: when its pages were crawled, or when a crawl without a position
 * began (Unix seconds).
 */
export type HistoryEntry = Observation | Gap;

export const isGap = (entry: HistoryEntry): entry is Gap => 'reason' in entry;

/** The pages of a domain can be a hundred, and an item is billed by its size. */
const packed = (entry: HistoryEntry): Record<string, unknown> => {
  if (isGap(entry) || !entry.own) return entry;
  const { own, ...rest } = entry;
  return { ...rest, own_packed: brotliCompressSync(JSON.stringify(own)) };
};

/** Writes history. An entry of the same crawl is overwritten, so the call may be repeated. */
export const putHistory = (entries: readonly { keyword_id: number; entry: HistoryEntry }[]): Promise<void> =>
  writeItems(
    entries.map(({ keyword_id, entry }) => ({
      PutRequest: {
        Item: {
          ...keyOf(keyword_id, entry.at),
          version: layouts.history.rowVersion,
          ...packed(entry),
          ttl: entry.at + historySeconds,
        },
      },
    })),
  );

const toPresent = upgrading('history', []);

const entryOf = (item: Record<string, unknown>): HistoryEntry => {
  const { pk, sk, version, ttl, own_packed, ...entry } = toPresent(item);
  const own = own_packed && JSON.parse(brotliDecompressSync(own_packed as Uint8Array).toString());
  return { ...entry, ...(own && { own }) } as HistoryEntry;
};

/** A range of Unix times; both ends belong to it. */
type TimeRange = { from: number; to: number };

const oldestKept = (now: number): number => now - historySeconds + 1;

const rangeOf = (keywordId: number, { from, to }: TimeRange, now: number) => ({
  TableName: table,
  KeyConditionExpression: 'pk = :keyword AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: {
    ':keyword': partitionOf(keywordId),
    // DynamoDB may delete an expired item days later.
    ':from': timeText(Math.max(0, from, oldestKept(now))),
    ':to': timeText(Math.max(0, to)),
  },
});

/** The history of a keyword in a range, oldest first. */
export const listObservations = async (
  keywordId: number,
  range: TimeRange,
  now = calendar(),
): Promise<HistoryEntry[]> => {
  const entries: HistoryEntry[] = [];
  // DynamoDB refuses a range that ends before it begins, such as one before what is kept.
  if (range.to < oldestKept(now) || range.to < range.from) return entries;
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, rangeOf(keywordId, range, now))) {
    entries.push(...Items.flatMap((item) => leavingOut(() => entryOf(item)) ?? []));
  }
  return entries;
};

/** Entries that one step of a deletion removes. */
const deletedAtOnce = 500;

/** Deletes a part of a keyword's history. Returns whether nothing is left: call it until then. */
export const deleteHistory = async (keywordId: number): Promise<boolean> => {
  const query = new QueryCommand({
    TableName: table,
    KeyConditionExpression: 'pk = :keyword',
    ExpressionAttributeValues: { ':keyword': partitionOf(keywordId) },
    ProjectionExpression: 'pk, sk',
    Limit: deletedAtOnce,
  });
  const { Items = [], LastEvaluatedKey } = await dynamo.send(query);
  await writeItems(Items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
  return LastEvaluatedKey === undefined;
};
