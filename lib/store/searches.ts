/**
 * The tracked searches and their subscribers, in the tracking table. A search is crawled once for all of its
 * subscribers, which are keywords of any project and user (Reading 40). The searches are in the index by the
 * time at which they need work: their next crawl, or the next look at the crawl that runs. A new subscriber
 * is in the index, too, so that one write adds it: the planner then makes the search if there is none.
 */
import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TrackedSearch } from '../model/tracking.ts';
import { dynamo } from '../runtime/aws.ts';
import { calendar } from '../runtime/calendar.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf, unchangedSince } from './conditional.ts';
import { layouts } from './layouts.ts';
import { writeItems } from './projects.ts';
import { timeText } from './time-text.ts';
import { upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

/**
 * Partitions of the index of searches, for each kind of work: no partition takes the writes of all searches.
 */
export const searchShards = 16;

/** The last digit, because the first ones decide the time of the search. */
const shardOf = (searchHash: string): number => Number.parseInt(searchHash.slice(-1), 16) % searchShards;

/**
 * `due`: searches to crawl, and new subscribers. `running`: searches whose crawl has no recorded result yet.
 */
export type SearchState = 'due' | 'running';

const indexKey = (state: SearchState, at: number, searchHash: string) => ({
  index_pk: `${state}#${shardOf(searchHash)}`,
  index_sk: `${timeText(at)}#${searchHash}`,
});

const partitionPrefix = 'search#';
const partitionOf = (searchHash: string): string => `${partitionPrefix}${searchHash}`;
export const searchKey = (searchHash: string) => ({ pk: partitionOf(searchHash), sk: 'search' });
const subscriberKey = (searchHash: string, keywordId: number) => ({
  pk: partitionOf(searchHash),
  sk: `keyword#${keywordId}`,
});

/** A keyword that gets the results of a search. A paused keyword has none. */
export type NewSubscriber = {
  search: TrackedSearch;
  search_hash: string;
  keyword_id: number;
  user_id: number;
  project_id: number;
  chunk: number;
  /** Hours between two crawls. */
  update_frequency: number;
  /**
   * Unix seconds by which the search must be crawled for this subscriber, unless it is crawled sooner for
   * another one.
   */
  first_at: number;
};

export type Subscriber = Omit<NewSubscriber, 'first_at'> & {
  /** Unix seconds. A crawl that began later is one for this subscriber. */
  subscribed_at: number;
  /** Absent once the planner has seen to the first crawl. */
  first_at?: number;
  /** Identifies the write of the item, for conditional writes. */
  token: string;
};

/** A search, and its crawl if one runs. */
export type SearchRow = {
  search_hash: string;
  search: TrackedSearch;
  state: SearchState;
  /**
   * When the next crawl is due, or when to look at the crawl that runs: seconds of the calendar, as all times
   * of a search.
   */
  at: number;
  /** When the crawl after the one that runs is due. Unix seconds. */
  next_at: number;
  /** When the last crawl began; 0 before the first. */
  crawl_at: number;
  /** The task of the crawl that runs, and the user who pays for it; 0 if none runs. */
  task_user: number;
  task_id: number;
  /** How often the crawl that runs was found unfinished. */
  checks: number;
  /**
   * Unix seconds of the clock of the first time that recording the crawl failed; 0 or absent if it has not
   * failed.
   */
  failing_since?: number;
  /** The user that asked for the crawl that is due, and pays for it; 0 or absent: no user has asked. */
  asked_by?: number;
  /** Crawls so far that no user has asked for: they are paid for in turn. */
  turns: number;
  /** The number of the last write: 0 for a search that is not stored. */
  revision: number;
};

/** What a search says of its crawl if none runs. */
export const noCrawl = { task_user: 0, task_id: 0 } as const;

/** A search that is not stored yet, and is due. */
export const newSearchRow = ({
  search_hash,
  search,
}: Pick<Subscriber, 'search_hash' | 'search'>): SearchRow => ({
  search_hash,
  search,
  state: 'due',
  at: 0,
  next_at: 0,
  crawl_at: 0,
  ...noCrawl,
  checks: 0,
  turns: 0,
  revision: 0,
});

/**
 * Adds subscribers. A subscriber that exists is replaced, so the call may be repeated. Call it also to change
 * a frequency, and for a keyword that is no longer paused. The search is crawled at `first_at`, unless a
 * crawl of it began since the call.
 */
export const subscribe = (subscribers: readonly NewSubscriber[], now = calendar()): Promise<void> =>
  writeItems(
    subscribers.map((subscriber) => ({
      PutRequest: {
        Item: {
          ...subscriberKey(subscriber.search_hash, subscriber.keyword_id),
          version: layouts.subscriber.rowVersion,
          ...subscriber,
          subscribed_at: now,
          token: randomUUID(),
          ...indexKey('due', subscriber.first_at, subscriber.search_hash),
        },
      },
    })),
  );

/**
 * Removes the subscribers of keywords that were deleted or paused. The planner removes a search without
 * subscribers.
 */
export const unsubscribe = (
  subscribers: readonly Pick<Subscriber, 'search_hash' | 'keyword_id'>[],
): Promise<void> =>
  writeItems(
    subscribers.map(({ search_hash, keyword_id }) => ({
      DeleteRequest: { Key: subscriberKey(search_hash, keyword_id) },
    })),
  );

/** A search that needs work since `at` (Unix seconds). */
export type Waiting = { search_hash: string; at: number };

/**
 * The searches of a shard in a state whose time has come, page by page, the oldest first. A search with new
 * subscribers occurs more than once. A search that stays in the index is not returned again.
 */
export async function* readWaiting(
  state: SearchState,
  shard: number,
  now: number,
  limit: number,
): AsyncGenerator<Waiting[]> {
  const query = {
    TableName: table,
    IndexName: 'index',
    KeyConditionExpression: 'index_pk = :shard AND index_sk < :next',
    ExpressionAttributeValues: {
      ':shard': `${state}#${shard}`,
      ':next': timeText(now + 1),
    },
    Limit: limit,
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    yield Items.map(({ pk, index_sk }) => ({
      search_hash: String(pk).slice(partitionPrefix.length),
      at: Number.parseInt(String(index_sk), 10),
    }));
  }
}

const toPresentSearch = upgrading('search', []);
const toPresentSubscriber = upgrading('subscriber', []);

/** The attributes of an item that its row has. */
const rowOf = (item: Record<string, unknown>): Record<string, unknown> => {
  const { pk, sk, index_pk, index_sk, version, ...row } = item;
  return row;
};

/** A search with its subscribers. `row`: absent if it has no subscriber yet that the planner has seen. */
export type Subscribed = { row?: SearchRow; subscribers: Subscriber[] };

export const readSearch = async (searchHash: string): Promise<Subscribed> => {
  const query = {
    TableName: table,
    IndexName: undefined,
    KeyConditionExpression: 'pk = :search',
    ExpressionAttributeValues: { ':search': partitionOf(searchHash) },
    ConsistentRead: true,
  };
  const subscribed: Subscribed = { subscribers: [] };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    for (const item of Items) {
      if (item.sk === 'search') subscribed.row = rowOf(toPresentSearch(item)) as SearchRow;
      else subscribed.subscribers.push(rowOf(toPresentSubscriber(item)) as Subscriber);
    }
  }
  return subscribed;
};

/** Writes a search. Returns false, and writes nothing, if it was written or removed since it was read. */
export const writeSearch = async (row: SearchRow): Promise<boolean> => {
  const { revision } = row;
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...searchKey(row.search_hash),
      version: layouts.search.rowVersion,
      ...row,
      revision: revision + 1,
      ...indexKey(row.state, row.at, row.search_hash),
    },
    ...unchangedSince(revision),
  });
  return (await durablyIf('write-search', () => dynamo.send(put))) !== undefined;
};

/** Removes a search without subscribers, unless it was written since it was read. */
export const dropSearch = async ({ search_hash, revision }: SearchRow): Promise<void> => {
  const drop = new DeleteCommand({
    TableName: table,
    Key: searchKey(search_hash),
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': revision },
  });
  await durablyIf('write-search', () => dynamo.send(drop));
};

const asRead = ({ search_hash, keyword_id, token }: Subscriber) => ({
  TableName: table,
  Key: subscriberKey(search_hash, keyword_id),
  ConditionExpression: '#token = :seen',
  ExpressionAttributeNames: { '#token': 'token' },
  ExpressionAttributeValues: { ':seen': token },
});

/**
 * Takes a new subscriber out of the index: its first crawl has begun. Does nothing if it was written or
 * removed since it was read.
 */
export const settleSubscriber = async (subscriber: Subscriber): Promise<void> => {
  const settle = new UpdateCommand({
    ...asRead(subscriber),
    UpdateExpression: 'REMOVE index_pk, index_sk, first_at',
  });
  await durablyIf('write-subscriber', () => dynamo.send(settle));
};

/** Removes the subscriber of a keyword that no longer exists, unless it was written since it was read. */
export const dropSubscriber = async (subscriber: Subscriber): Promise<void> => {
  const drop = new DeleteCommand(asRead(subscriber));
  await durablyIf('write-subscriber', () => dynamo.send(drop));
};
